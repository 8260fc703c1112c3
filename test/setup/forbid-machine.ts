// Fails a test of project `unit` that uses more of the machine than its own thread.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import worker from 'node:worker_threads'
import { afterAll, afterEach } from 'vitest'

const maxWaitMs = 50
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The uses since the last test ended; one list for a worker, which runs many files. */
const uses = usesOfWorker()

afterEach(report)
// Actions of a hook of the file after its last test.
afterAll(report)

function report(): void {
  const found = [...new Set(uses.splice(0))]
  if (found.length === 0) return
  throw new Error(
    `A unit test must not need the machine, and this one ${found.join(', ')}. Move it to a file of another project, ` +
      'such as x.process.test.ts (see CONTRIBUTING.md, Tests).',
  )
}

function usesOfWorker(): string[] {
  const shared = globalThis as { usesOfMachine?: string[] }
  shared.usesOfMachine ??= watch([])
  shared.usesOfMachine.length = 0
  return shared.usesOfMachine
}

/**
 * Has each way to use the machine note it in this list, and go on. A worker runs files of one project, so what a cache of
 * ours holds of dist was read by a test that failed for it.
 */
function watch(list: string[]): string[] {
  const note = (use: string): void => void list.push(use)
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const)
    observe(childProcess, name, () => note('starts a process'))
  observe(net.Server.prototype, 'listen', () => note('listens on a port'))
  observe(net.Socket.prototype, 'connect', () => note('connects to a port'))
  observe(worker, 'Worker', () => note('starts a worker'))
  for (const [owner, names] of [
    [fs, ['readFile', 'readFileSync', 'open', 'openSync', 'createReadStream', 'readdirSync', 'statSync']],
    [fs.promises, ['readFile', 'open', 'readdir', 'stat', 'cp']],
  ] as const)
    for (const name of names)
      observe(owner, name as never, (path) => {
        if (isBuilt(path)) note('reads dist')
      })
  observeTimers((milliseconds) => note(`waits for a timer of ${milliseconds} ms`))
  syncBuiltinESMExports()
  return list
}

const isBuilt = (path: unknown): boolean =>
  (typeof path === 'string' || path instanceof URL) &&
  /^dist(\/|$)/.test(relative(root, path instanceof URL ? fileURLToPath(path) : path))

/** Calls `use` with the arguments of each call, also of the function that `promisify` makes of it. */
function observe<K extends string>(
  owner: { [key in K]: object },
  name: K,
  use: (...args: unknown[]) => void,
): void {
  const real: { [promisify.custom]?: object } = owner[name]
  const observed = observedBy(use, real)
  const promising = real[promisify.custom]
  // A proxy must give the symbol's own value, so a function that has one is hidden behind another.
  owner[name] = promising
    ? Object.assign(observed.bind(undefined), { [promisify.custom]: observedBy(use, promising) })
    : observed
}

/** A proxy, so that what else the function has stays there. */
function observedBy(use: (...args: unknown[]) => void, real: object): () => unknown {
  return new Proxy(real as () => unknown, {
    apply: (target, self, args: unknown[]) => (use(...args), Reflect.apply(target, self, args)),
    construct: (target, args: unknown[]) => (
      use(...args),
      Reflect.construct(target as unknown as new () => object, args)
    ),
  })
}

/** Only a timer that fires was waited for: one that is cleared is a limit that nothing reached. */
function observeTimers(use: (milliseconds: number) => void): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply: (real, self, [run, milliseconds = 0, ...args]: Parameters<typeof setTimeout>) => {
      if (milliseconds <= maxWaitMs) return Reflect.apply(real, self, [run, milliseconds, ...args])
      const noted = (...values: unknown[]): unknown => {
        use(milliseconds)
        return Reflect.apply(run, undefined, values)
      }
      return Reflect.apply(real, self, [noted, milliseconds, ...args])
    },
  })
}
