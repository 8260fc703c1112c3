import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type * as library from '@redis/client'
import { Rolldown } from 'tsdown'
import { describe, expect, it } from 'vitest'
import { usedStoreClient } from '../../scripts/package/used-store-client.ts'
import { folderWith } from '../helpers/fake-io.ts'

const client = resolve('node_modules/@redis/client/dist')

async function bundled(input: string): Promise<{ file: string; code: string }> {
  const file = join(await folderWith({}), 'client.cjs')
  await Rolldown.build({
    input,
    platform: 'node',
    plugins: [usedStoreClient()],
    output: { file, format: 'cjs', minify: true },
    logLevel: 'silent',
  })
  return { file, code: await readFile(file, 'utf8') }
}

/** A client whose modules are those that are loaded, but for some. */
async function otherClient(files: Record<string, string>): Promise<string> {
  const modules = Object.entries(files).map(([name, text]) => [
    `node_modules/@redis/client/dist/${name}`,
    text,
  ])
  return join(await folderWith(Object.fromEntries(modules)), 'node_modules/@redis/client/dist/index.js')
}

const index = ['createClient', 'createCluster', 'ErrorReply', 'RESP_TYPES']
  .map((name) => `exports.${name} = 1\n`)
  .join('')

describe('the client of the shared store', () => {
  it('is a fifth of node-redis, and has what is used of it', async () => {
    const { file, code } = await bundled(join(client, 'index.js'))
    const load = createRequire(file)
    const all = load(file) as Record<string, unknown>
    expect(Object.keys(all).filter((name) => typeof all[name] === 'function')).toEqual([
      'createClient',
      'createCluster',
      'ErrorReply',
    ])
    expect(code.length).toBeLessThan(120_000)
    for (const word of ['GEOSEARCH', 'FT.AGGREGATE', 'db.client.operation', 'smigrated-'])
      expect([word, code.includes(word)]).toEqual([word, false])
  })

  it('what is left out says so', async () => {
    const { file } = await bundled(join(client, 'index.js'))
    const { createClient } = createRequire(file)(file) as typeof library
    const redis = createClient({ maintNotifications: 'disabled' })
    expect(() => redis.legacy()).toThrow('RedisLegacyClient of node-redis is not in this bundle')
    expect(() => redis.multi()).toThrow('MULTI of node-redis is not in this bundle')
  })
})

describe('another version of node-redis stops the build', () => {
  it.each<[string, Record<string, string>, string | RegExp]>([
    [
      'an export is gone',
      { 'index.js': 'exports.createClient = 1' },
      'no longer exports createCluster, ErrorReply',
    ],
    [
      'methods are gone',
      {
        'index.js': index,
        'lib/client/index.js': 'exports.default = 1',
        'lib/cluster/index.js': 'exports.default = 1',
        'lib/errors.js': '',
        'lib/RESP/decoder.js': '',
      },
      /no longer has the methods parseURL/,
    ],
  ])('%s', async (_, files, message) => {
    await expect(bundled(await otherClient(files))).rejects.toThrow(message)
  })

  it('a file is loaded no more', async () => {
    await expect(bundled(join(client, 'lib/client/tracing.js'))).rejects.toThrow(
      /@redis\/client no longer loads dist\/index.js, /,
    )
  })

  it('a build without it is none of its business', async () => {
    const folder = await folderWith({ 'other.js': 'export const one = 1' })
    expect((await bundled(join(folder, 'other.js'))).code).toContain('one')
  })
})
