import { execFileSync } from 'node:child_process'
import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packedPackage } from '../helpers/consumer.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { launch, started } from '../helpers/processes.ts'
import { withTest } from '../setup/with-test.ts'

// These need the Node that runs them, so the packed package runs them on each version of CI.
const user = packedPackage()

const distOf = async (): Promise<string> =>
  join(await user.project(), 'node_modules/partner-rewards-sandbox/dist')

/** A dynamic import as the bundler writes it: of a module of Node, or of a chunk. */
const dynamicImport = /\bimport\([^()]*\)|Promise\.resolve\(\)\.then\(\(\)=>require\([^()]*\)\)/g

/** An optional package of node-redis, for a function that the program does not call. */
const optional = 'import(`@node-rs/xxhash`)'

/**
 * Starts the program, and executes the imports that are listed at the ends of its files. It loads the other files first,
 * as the program itself loads few.
 */
const tryImports = `
const exit = process.exit.bind(process)
process.exit = () => undefined
require('./bin.cjs')
setImmediate(async () => {
  for (const name of require('node:fs').readdirSync(__dirname)) if (name.endsWith('.cjs')) require('./' + name)
  const [loaded, failed] = [[], []]
  for (const [name, load] of globalThis.tries) {
    try {
      await load()
      loaded.push(name)
    } catch (error) {
      failed.push(name + ': ' + error)
    }
  }
  process.stdout.write(JSON.stringify({ loaded, failed }) + '\\n', () => exit())
})`

it('each dynamic import of the build loads where the program executes it', { timeout: 60_000 }, async () => {
  const folder = await folderWith({ 'package.json': '{"version":"0.0.0"}' })
  const dist = join(folder, 'dist')
  await cp(await distOf(), dist, { recursive: true })
  const files = (await readdir(dist)).filter((name) => name.endsWith('.cjs')).toSorted()
  const names: string[] = []
  for (const name of files) {
    const all = (await readFile(join(dist, name), 'utf8')).match(dynamicImport) ?? []
    const found = all.filter((text) => text !== optional)
    const tries = found.map((text) => `[${JSON.stringify(`${name}: ${text}`)},()=>${text}]`)
    await appendFile(join(dist, name), `\n;(globalThis.tries??=[]).push(${tries.join()})`)
    names.push(...found.map((text) => `${name}: ${text}`))
  }
  await writeFile(join(dist, 'try-imports.cjs'), tryImports)
  const child = launch([join(dist, 'try-imports.cjs'), '--version'])
  expect(await child.ended).toBe(0)
  expect(child.err()).toBe('')
  const { loaded, failed } = JSON.parse(child.out().split('\n').at(-2) ?? '') as Record<string, string[]>
  expect(failed).toEqual([])
  expect(loaded?.toSorted()).toEqual(names.toSorted())
  expect(names.length).toBeGreaterThan(67)
})

/** A certificate for localhost, made for this test alone, and its key. */
async function certificate(): Promise<{ cert: string; key: string; file: string }> {
  const folder = await folderWith()
  const [file, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', keyFile, '-out', file], { stdio: 'pipe' })
  return { cert: await readFile(file, 'utf8'), key: await readFile(keyFile, 'utf8'), file }
}

it('an event reaches an https receiver from the command line', { timeout: 60_000 }, async () => {
  const { cert, key, file } = await certificate()
  const received: unknown[] = []
  const receiver = createServer({ cert, key }, (request, answer) => {
    received.push(request.headers['webhook-id'])
    answer.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  withTest(() => void receiver.close())
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('it has no port')

  const bin = join(await distOf(), 'bin.cjs')
  const sandbox = await started(['--webhooks', 'standard'], { bin, env: { NODE_EXTRA_CA_CERTS: file } })
  const post = async (path: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
    return (await fetch(`${sandbox.url}/_sandbox/${path}`, { method: 'POST', ...sent })).json()
  }
  await post('webhook_endpoints', { url: `https://localhost:${address.port}/hook` })
  await post('events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
  expect(await post('events/evt_1/resend')).toMatchObject({
    deliveries: expect.arrayContaining([expect.objectContaining({ state: 'delivered', status: 204 })]),
  })
  expect(received).toContain('evt_1')
})
