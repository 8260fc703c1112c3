import { createHash } from 'node:crypto'
import { chmod, copyFile, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { loadCompiled, type CacheHost } from '../../src/runtime/code-cache.ts'
import { folderWith } from '../helpers/fake-io.ts'

const uid = process.getuid?.() ?? -1
/** From Node 22.1 on, Node keeps the code itself. */
const isOurs = !('enableCompileCache' in Module)

/** A file of code, and the environment that it is loaded in. */
async function place(): Promise<{ root: string; file: string; cache: string; host: CacheHost }> {
  const root = await folderWith({ 'program.cjs': 'exports.value = 1' })
  const host = { env: { XDG_CACHE_HOME: root }, uid, platform: 'v20-x64' }
  return { root, file: join(root, 'program.cjs'), cache: join(root, 'partner-rewards-sandbox'), host }
}

/** The exports of a file when it is loaded now, and the cached code. */
function load(file: string, host: CacheHost): { value: unknown; keep: () => void } {
  const require = createRequire(file)
  delete require.cache[file]
  const keep = loadCompiled(file, host)
  return { value: (require(file) as { value: unknown }).value, keep }
}

/** Another file of the same text: what V8 compiled from a file before, it has in memory. */
async function copyOf(file: string): Promise<string> {
  const copy = join(await folderWith(), 'program.cjs')
  await copyFile(file, copy)
  return copy
}

const sealed = (data: Buffer): Buffer => Buffer.concat([createHash('sha256').update(data).digest(), data])

/** Code of the same length that returns 2: V8 cannot distinguish it, so a result of 2 came from the cache. */
const planted = (): Buffer => new Script(Module.wrap('exports.value = 2')).createCachedData()

describe.runIf(isOurs)('what was kept', () => {
  type Place = Awaited<ReturnType<typeof place>> & { kept: string }
  type Change = (at: Place) => Promise<unknown> | Partial<CacheHost>

  it.each<[string, number, Change]>([
    ['is used', 2, () => ({})],
    ['for another version of Node', 1, () => ({ platform: 'v21-x64' })],
    ['with the cache switched off', 1, () => ({ env: { NODE_DISABLE_COMPILE_CACHE: '1' } })],
    ['by somebody else', 1, () => ({ uid: uid + 1 })],
    ['on a system without users', 1, () => ({ uid: undefined })],
    ['in a folder that all may write in', 1, ({ cache }) => chmod(cache, 0o777)],
    ['in a folder that a group may write in', 1, ({ cache }) => chmod(cache, 0o770)],
    ['in a folder that is a link', 1, async ({ cache, root }) => {
      await rename(cache, join(root, 'elsewhere'))
      await symlink('elsewhere', cache)
    }],
    ['in a file that all may write', 1, ({ kept }) => chmod(kept, 0o666)],
    ['in a file that is a link', 1, async ({ kept, root }) => {
      await rename(kept, join(root, 'elsewhere'))
      await symlink(join(root, 'elsewhere'), kept)
    }],
    ['with a byte changed', 1, async ({ kept }) => {
      const bytes = await readFile(kept)
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
      await writeFile(kept, bytes)
    }],
    ['cut short', 1, async ({ kept }) => writeFile(kept, (await readFile(kept)).subarray(0, 200))],
    ['and is empty now', 1, ({ kept }) => writeFile(kept, '')],
    ['whole, and no code of this V8', 1, ({ kept }) => writeFile(kept, sealed(Buffer.alloc(200)))],
    ['for a text of the same length', 3, ({ file }) => writeFile(file, 'exports.value = 3')],
  ])('%s -> %i', async (_, value, change) => {
    const at = await place()
    load(await copyOf(at.file), at.host).keep()
    const [name = ''] = await readdir(at.cache)
    const kept = join(at.cache, name)
    await writeFile(kept, sealed(planted()))
    const changed = await change({ ...at, kept })
    const host = typeof changed === 'object' ? { ...at.host, ...changed } : at.host
    expect(load(at.file, host).value).toBe(value)
  }) // prettier-ignore

  it('is left as it is where it is used, and written anew where it could not be', async () => {
    const { file, cache, host } = await place()
    load(file, host).keep()
    const [name = ''] = await readdir(cache)
    const kept = join(cache, name)
    const first = await stat(kept)
    load(await copyOf(file), host).keep()
    expect((await stat(kept)).ino).toBe(first.ino)
    await writeFile(kept, sealed(Buffer.alloc(200)))
    load(await copyOf(file), host).keep()
    expect(await readdir(cache)).toEqual([name])
    expect((await stat(kept)).size).toBe(first.size)
  })

  it('is for its user alone, and of the two newest versions', async () => {
    const { file, cache, host } = await place()
    for (const version of [1, 2, 3]) {
      await writeFile(file, `exports.value = ${version}`)
      load(file, host).keep()
    }
    const kept = await Promise.all((await readdir(cache)).map((name) => stat(join(cache, name))))
    expect(kept.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600])
    expect((await stat(cache)).mode & 0o777).toBe(0o700)
  })
})

describe.runIf(isOurs)('where nothing can be kept, the code is loaded all the same', () => {
  it.each<[string, (root: string) => CacheHost['env']]>([
    ['no home', () => ({})],
    ['a home that is not there', (root) => ({ HOME: join(root, 'none') })],
    ['a relative path', () => ({ XDG_CACHE_HOME: 'cache', HOME: 'home' })],
    ['a file in the place of the folder', (root) => ({ XDG_CACHE_HOME: join(root, 'program.cjs') })],
    ['a system that lets nobody write', () => ({ XDG_CACHE_HOME: '/proc/sandbox' })],
  ])('%s', async (_, envIn) => {
    const { root, file, host } = await place()
    const { value, keep } = load(file, { ...host, env: envIn(root) })
    keep()
    expect(value).toBe(1)
    expect(await readdir(root)).toEqual(['program.cjs'])
  })

  it('a home of somebody else, in which root would leave what they cannot remove', async () => {
    const { root, file, host } = await place()
    load(file, { ...host, env: { HOME: root }, uid: uid + 1 }).keep()
    expect(await readdir(root)).toEqual(['program.cjs'])
  })

  it('a folder that came to be unusable meanwhile', async () => {
    const { file, cache, host } = await place()
    const { keep } = load(file, host)
    await rename(cache, `${cache}-gone`)
    keep()
    expect(await readdir(`${cache}-gone`)).toEqual([])
  })
})
