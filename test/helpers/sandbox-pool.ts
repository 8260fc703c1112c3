// Sandboxes that tests of one file use one after the other: a start takes 7 ms, a reset 0.02 ms.
import { isDeepStrictEqual } from 'node:util'
import { TestRunner } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { whenFileEnds, withTest } from '../setup/with-test.ts'

/** The idle sandboxes of the running file, by their options. */
const pools = new Map<string, Sandbox[]>()

/** Options that neither open anything outside of the sandbox nor change what a reset restores. */
const plainOptions = new Set(['clock', 'frozen', 'assume', 'environment', 'journalSize', 'corsOrigin'])

/** Members whose effects a reset undoes. Use of any other one closes the sandbox at the end of the test. */
const resettable = new Set<PropertyKey>(
  (
    'call fetch apiKey name seed environment version createdAt contract openapi ' +
    'state clock requests scenarios simulate reset assumptions differences saved'
  ).split(' '),
)

/** Returns the idle sandboxes with these options; undefined if a test needs a sandbox of its own. */
export function poolFor(options: SandboxOptions): Sandbox[] | undefined {
  const isPlain = Object.keys(options).every((name) => plainOptions.has(name))
  if (!isPlain || typeof options.assume === 'string' || !TestRunner.getCurrentTest()) return undefined
  const key = JSON.stringify(options)
  if (!isDeepStrictEqual(JSON.parse(key), options)) return undefined
  let pool = pools.get(key)
  if (!pool) {
    if (pools.size === 0) whenFileEnds(closeAll)
    pools.set(key, (pool = []))
  }
  return pool
}

async function closeAll(): Promise<void> {
  const all = [...pools.values()].flat()
  pools.clear()
  await Promise.all(all.map((sandbox) => sandbox.close()))
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
      const url = input instanceof Request ? input.url : String(input)
      isResettable &&= !url.includes('/_sandbox')
      openCalls += 1
      try {
        return await sandbox.fetch(input, init)
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
  })
}
