// Sandboxes that tests of one file use one after the other: a start takes 7 ms, a reset 0.02 ms.
import { isDeepStrictEqual } from 'node:util'
import { TestRunner } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { whenFileEnds, withTest } from '../setup/with-test.ts'

/** The idle sandboxes of the running file, by their options. */
const pools = new Map<string, Sandbox[]>()

/** Options that neither open anything outside of the sandbox nor change what a reset restores. */
const plainOptions = new Set(
  'clock frozen assume environment journalSize corsOrigin seed fixtures scenarios'.split(' '),
)

/** Options whose texts name a file or something built in. A test may change the file, so only the latter is plain. */
const nameOptions = ['assume', 'fixtures', 'scenarios'] as const

/** Longer documents take memory until the file ends. */
const maxKeyLength = 100_000

/** Members whose effects a reset undoes. Use of any other one closes the sandbox at the end of the test. */
const resettable = new Set<PropertyKey>(
  (
    'call fetch apiKey name seed environment version createdAt contract openapi ' +
    'state clock requests scenarios simulate reset assumptions differences saved coverage'
  ).split(' '),
)

/** Paths of the control plane whose GET ends with its answer. */
const readable =
  /\/_sandbox\/(?:state|requests|scenarios|clock|assumptions|contract|coverage|differences)(?![^/?])/

/** Returns the idle sandboxes with these options; undefined if a test needs a sandbox of its own. */
export function poolFor(options: SandboxOptions): Sandbox[] | undefined {
  const isPlain = Object.keys(options).every((name) => plainOptions.has(name))
  const namesFile = nameOptions.some((name) => [options[name]].flat().some(isPath))
  if (!isPlain || namesFile || !TestRunner.getCurrentTest()) return undefined
  const key = JSON.stringify(options)
  if (key.length > maxKeyLength || !isDeepStrictEqual(JSON.parse(key), options)) return undefined
  let pool = pools.get(key)
  if (!pool) {
    if (pools.size === 0) whenFileEnds(closeAll)
    pools.set(key, (pool = []))
  }
  return pool
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && !/^[\w-]+$/.test(value)
}

async function closeAll(): Promise<void> {
  const all = [...pools.values()].flat()
  pools.clear()
  await Promise.all(all.map((sandbox) => sandbox.close()))
}

/** Whether a reset leaves no trace of a call of the control plane: it was refused, or it read something. */
function leavesNoTrace(url: string, method = 'GET', { status }: Response): boolean {
  return status >= 400 || (method === 'GET' && readable.test(url))
}

/** Returns the sandbox for one test. At its end it is reset and returned to the pool, or closed. */
export function returnedAtEnd(sandbox: Sandbox, pool: Sandbox[]): Sandbox {
  let isResettable = true
  let openCalls = 0
  withTest(async () => {
    const { workspaces, coverage } = sandbox
    if (!isResettable || openCalls > 0 || workspaces.list().length > 1) return sandbox.close()
    sandbox.reset()
    coverage.clear()
    pool.push(sandbox)
  })
  const own: Pick<Sandbox, 'fetch'> = {
    async fetch(input, init) {
      const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method }
      openCalls += 1
      try {
        const answer = await sandbox.fetch(input, init)
        isResettable &&= !url.includes('/_sandbox') || leavesNoTrace(url, method, answer)
        return answer
      } catch (error) {
        isResettable = false
        throw error
      } finally {
        openCalls -= 1
      }
    },
  }
  return new Proxy({ ...own } as Sandbox, {
    get(target, name) {
      isResettable &&= resettable.has(name) || !(name in sandbox)
      return Reflect.get(Object.hasOwn(target, name) ? target : sandbox, name) as unknown
    },
    has: (target, name) => name in target || name in sandbox,
    // For tests that spread it.
    ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...Reflect.ownKeys(sandbox)])],
    getOwnPropertyDescriptor: (target, name) =>
      Reflect.getOwnPropertyDescriptor(target, name) ??
      (Object.hasOwn(sandbox, name) ? { configurable: true, enumerable: true } : undefined),
  })
}
