// Keeps what V8 made of the program's code, so that later starts need not compile it again.
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import { Script } from 'node:vm'

/** What decides whether there is a cache, and where. */
export interface CacheHost {
  env: Readonly<Record<string, string | undefined>>
  /** The user who runs this; undefined where the system has no such number, and then there is no cache. */
  uid: number | undefined
  /** What compiled code depends on beside the code: the version of Node and the machine, in one word. */
  platform: string
}

/** How many versions of the code are kept, the one in use among them. */
const keptVersions = 2

const checksumBytes = 32

/** What Node has from 22.1 on, and keeps code with itself. */
const nodeCache: typeof Module & {
  enableCompileCache?: (folder: string) => unknown
  flushCompileCache?: () => void
} = Module

/**
 * Loads a file of CommonJS for those who require it, with what an earlier start compiled where that is there: it saves
 * a fifth of a start. Whatever is wrong with the cache, it is as if there were none, without a word.
 *
 * @param file its absolute path.
 * @returns keeps what is compiled by the time it is called, for later starts; nothing where that came from the cache.
 */
export function loadCompiled(file: string, host: CacheHost): () => void {
  const folder = cacheFolder(host)
  if (folder === undefined) return () => undefined
  const source = readFileSync(file)
  // The whole content: V8 itself tells two texts apart by their length only.
  const kept = join(folder, `${sha256(source).toString('hex', 0, 16)}-${host.platform}`)
  if (nodeCache.enableCompileCache) {
    nodeCache.enableCompileCache(kept)
    return () => {
      nodeCache.flushCompileCache?.()
      removeOld(folder, kept)
    }
  }
  const cachedData = readKept(kept, host)
  const script = new Script(Module.wrap(source.toString()), { filename: file, cachedData })
  runModule(file, script)
  let isKept = cachedData !== undefined && !script.cachedDataRejected
  return () => {
    if (!isKept) writeKept(kept, script.createCachedData())
    isKept = true
  }
}

/** The folder of the cache, in which nobody but its user can write; undefined when there is to be none. */
function cacheFolder({ env, uid }: CacheHost): string | undefined {
  if (env['NODE_DISABLE_COMPILE_CACHE'] || uid === undefined) return undefined
  try {
    const home = cacheHome(env, uid)
    const folder = join(home, 'partner-rewards-sandbox')
    // One after the other: Node 20 tries for ever to make a path in /proc.
    for (const path of [home, folder]) makeFolder(path)
    const stat = lstatSync(folder)
    return stat.isDirectory() && isOwn(stat, uid) ? folder : undefined
  } catch {
    return undefined
  }
}

function makeFolder(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
}

/** @throws when there is none, or it is in the home of somebody else: root must leave nothing there by `sudo`. */
function cacheHome(env: CacheHost['env'], uid: number): string {
  const named = env['XDG_CACHE_HOME']
  if (named !== undefined && isAbsolute(named)) return named
  const home = env['HOME'] ?? ''
  if (!isAbsolute(home) || statSync(home).uid !== uid) throw new Error('no home of this user')
  return join(home, '.cache')
}

/** Whether it belongs to this user and lets nobody else write: what is in it is run. */
function isOwn({ uid, mode }: Stats, user: number): boolean {
  return uid === user && (mode & 0o022) === 0
}

/** What was kept, if it is whole: V8 would run damaged code. */
function readKept(path: string, { uid = -1 }: CacheHost): Buffer | undefined {
  let opened: number | undefined
  try {
    opened = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(opened)
    if (!stat.isFile() || !isOwn(stat, uid)) return undefined
    const bytes = readFileSync(opened)
    const data = bytes.subarray(checksumBytes)
    return sha256(data).equals(bytes.subarray(0, checksumBytes)) ? data : undefined
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

function writeKept(path: string, data: Buffer): void {
  const unfinished = `${path}.${randomUUID()}`
  try {
    writeFileSync(unfinished, Buffer.concat([sha256(data), data]), { flag: 'wx', mode: 0o600 })
    renameSync(unfinished, path)
    removeOld(dirname(path), path)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

/** Removes what older versions left, all but the newest of it. */
function removeOld(folder: string, inUse: string): void {
  try {
    const others = readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => path !== inUse)
      .map((path) => ({ path, changed: lstatSync(path).mtimeMs }))
      .toSorted((a, b) => b.changed - a.changed)
    for (const { path } of others.slice(keptVersions - 1)) rmSync(path, { recursive: true, force: true })
  } catch {
    // Another start was faster, or nothing may be removed here: what is left does no harm.
  }
}

/** Runs a file as `require` would, and lets other files require it. */
function runModule(file: string, script: Script): void {
  const require = createRequire(file)
  const module = new Module(file)
  module.filename = file
  require.cache[file] = module
  script.runInThisContext().call(module.exports, module.exports, require, module, file, dirname(file))
  module.loaded = true
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
