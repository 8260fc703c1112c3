// Two sandboxes on one engine behind one face: its calls go to one and the other in turn, and its library is the first's.
import { expect, inject } from 'vitest'
import { commitHeader } from '../../src/call/outcome.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of all tests; only vitest.round-robin.config.ts gives one. */
    engine?: string
  }
}

let prefixes = 0

/** Options of two sandboxes that are one, and forget as little as one does; undefined where tests run against one. */
export function storeOfTest(): { store: string; storePrefix: string; workspaceTtl: string } | undefined {
  const store = inject('engine')
  if (store === undefined) return undefined
  prefixes += 1
  return {
    store,
    workspaceTtl: 'none',
    storePrefix: `w${process.env['VITEST_WORKER_ID'] ?? ''}-${process.hrtime.bigint()}-${prefixes}`,
  }
}

/**
 * Calls go to the two in turn. Members of the library are those of the first, as they act at once: what they wrote is
 * brought to both before each call, and what the call wrote is brought to the first after it.
 */
export function inTurns(first: Sandbox, second: Sandbox): Sandbox {
  const homeFetch = first.fetch
  let calls = 0
  let isClosed = false

  /** Brings what the library wrote in the first to both. */
  const share = async (): Promise<void> => {
    // Waits until what was deleted here is gone for all.
    await homeFetch('/_sandbox/workspaces/default')
    const names = first.workspaces.list().map(({ name }) => name)
    await Promise.all(names.map((name) => homeFetch(`/_sandbox/clock?workspace=${name}`)))
  }
  /** Brings what was written in the second to the first, the journal too. */
  const learn = async (): Promise<void> => {
    if (isClosed) return
    // Makes known which workspaces there are; those that are gone go.
    await homeFetch('/_sandbox/workspaces')
    await Promise.all(first.workspaces.list().map(({ name }) => first.workspace(name).saved()))
  }
  const callIn =
    (doorOf: (sandbox: Sandbox) => Pick<SandboxWorkspace, 'fetch'>): Sandbox['fetch'] =>
    async (input, init) => {
      if (!isClosed) await share()
      calls += 1
      const sandbox = calls % 2 === 1 ? second : first
      try {
        return withoutCommit(await doorOf(sandbox).fetch(input, init))
      } finally {
        await learn()
      }
    }
  return Object.assign(copyOf(first), {
    fetch: callIn((sandbox) => sandbox),
    workspace: (name: string) =>
      Object.assign(copyOf(first.workspace(name)), {
        fetch: callIn((sandbox) => sandbox.workspace(name)),
      }),
    drain: () => {
      first.drain()
      second.drain()
    },
    close: async () => {
      isClosed = true

      await Promise.all([first.close(), second.close()])
    },
  })
}

/** With getters as they are. */
function copyOf<T extends object>(members: T): T {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(members)) as T
}

/** The one header that an answer has besides, so that it is compared as that of one sandbox. */
function withoutCommit(response: Response): Response {
  const version = response.headers.get(commitHeader)
  if (version !== null) expect(version).toMatch(/^[1-9]\d*$/)
  response.headers.delete(commitHeader)
  return response
}
