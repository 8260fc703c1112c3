// Caches the code that V8 compiled from the program, so that later starts need not compile it again.
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

/** The facts about the host that determine whether there is a cache, and its path. */
export interface CacheHost {
  env: Readonly<Record<string, string | undefined>>
  /** The user id of this process. It is undefined if the system has no user ids; then there is no cache. */
  uid: number | undefined
  /** The inputs of compilation in addition to the source: the version of Node and the machine, in one word. */
  platform: string
}

/** The maximum number of cached versions of the code, including the current one. */
const maxVersions = 2

const checksumBytes = 32

/** The compile cache of Node, which Node has from 22.1 on. */
const nodeCache: typeof Module & {
  enableCompileCache?: (folder: string) => unknown
  flushCompileCache?: () => void
} = Module

/**
 * Loads a CommonJS file for `require`, with the compiled code of an earlier start if there is any: it saves a fifth of
 * the time of a start. Any error of the cache is ignored without a message.
 *
 * @param file its absolute path.
 * @returns a function that caches the code compiled so far. It does nothing if the code came from the cache.
 */
export function loadCompiled(file: string, host: CacheHost): () => void {
  const folder = cacheFolder(host)
  if (folder === undefined) return () => undefined
  const source = readFileSync(file)
  // Hash the whole content: V8 itself only compares the lengths of two sources.
  const cached = join(folder, `${sha256(source).toString('hex', 0, 16)}-${host.platform}`)
  if (nodeCache.enableCompileCache) {
    nodeCache.enableCompileCache(cached)
    return () => {
      nodeCache.flushCompileCache?.()
      removeOld(folder, cached)
    }
  }
  const cachedData = readCached(cached, host)
  const script = new Script(Module.wrap(source.toString()), { filename: file, cachedData })
  runModule(file, script)
  let isCached = cachedData !== undefined && !script.cachedDataRejected
  return () => {
    if (!isCached) writeCached(cached, script.createCachedData())
    isCached = true
  }
}

/** Returns the folder of the cache, or undefined for no cache. Only its user can write to it. */
function cacheFolder({ env, uid }: CacheHost): string | undefined {
  if (env['NODE_DISABLE_COMPILE_CACHE'] || uid === undefined) return undefined
  try {
    const home = cacheHome(env, uid)
    const folder = join(home, 'partner-rewards-sandbox')
    // Create the folders one by one: a recursive `mkdir` of Node 20 never ends for a path in /proc.
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

/**
 * @throws if there is no home folder, or if it belongs to another user: root must leave no files in it when it runs by
 * `sudo`.
 */
function cacheHome(env: CacheHost['env'], uid: number): string {
  const named = env['XDG_CACHE_HOME']
  if (named !== undefined && isAbsolute(named)) return named
  const home = env['HOME'] ?? ''
  if (!isAbsolute(home) || statSync(home).uid !== uid) throw new Error('no home of this user')
  return join(home, '.cache')
}

/** Whether the file belongs to this user and no other user can write to it, as its content is executed. */
function isOwn({ uid, mode }: Stats, user: number): boolean {
  return uid === user && (mode & 0o022) === 0
}

/** Reads the cached code and verifies its checksum, as V8 would execute damaged code. */
function readCached(path: string, { uid = -1 }: CacheHost): Buffer | undefined {
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

function writeCached(path: string, data: Buffer): void {
  const unfinished = `${path}.${randomUUID()}`
  try {
    writeFileSync(unfinished, Buffer.concat([sha256(data), data]), { flag: 'wx', mode: 0o600 })
    renameSync(unfinished, path)
    removeOld(dirname(path), path)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

/** Removes the cached code of older versions, except for the newest of them. */
function removeOld(folder: string, inUse: string): void {
  try {
    const others = readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => path !== inUse)
      .map((path) => ({ path, changed: lstatSync(path).mtimeMs }))
      .toSorted((a, b) => b.changed - a.changed)
    for (const { path } of others.slice(maxVersions - 1)) rmSync(path, { recursive: true, force: true })
  } catch {
    // Another start was faster, or this process may not remove files here. Old files do no harm.
  }
}

/** Runs a file as `require` would, and makes it available to other files that require it. */
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
