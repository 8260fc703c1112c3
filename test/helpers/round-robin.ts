// Two sandboxes on one engine behind one face: its calls go to one and the other in turn, and its library is the first's.
import { expect, inject } from 'vitest'
import { commitHeader } from '../../src/exchange/became.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of all tests; only vitest.round-robin.config.ts gives one. */
    engine?: string
  }
}

let prefixes = 0

/** Options of two sandboxes that are one; undefined where tests run against one sandbox. */
export function storeOfTest(): { store: string; storePrefix: string } | undefined {
  const store = inject('engine')
  if (store === undefined) return undefined
  prefixes += 1
  return {
    store,
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

  /** Brings what was written in the first to both, and what was written in the second to the first. */
  const settle = async (): Promise<void> => {
    if (isClosed) return
    await first.saved()
    // Makes known which workspaces there are; those that are gone go.
    await homeFetch('/_sandbox/workspaces')
    const [, ...others] = first.workspaces.list()
    await Promise.all(others.map(({ name }) => first.workspace(name).saved()))
  }
  const callIn =
    (doorOf: (sandbox: Sandbox) => Pick<SandboxWorkspace, 'fetch'>): Sandbox['fetch'] =>
    async (input, init) => {
      await settle()
      calls += 1
      const sandbox = calls % 2 === 1 ? second : first
      try {
        return withoutCommit(await doorOf(sandbox).fetch(input, init))
      } finally {
        await settle()
      }
    }
  const face = Object.create(first) as Sandbox
  return Object.assign(face, {
    fetch: callIn((sandbox) => sandbox),
    workspace: (name: string) =>
      Object.assign(Object.create(first.workspace(name)) as SandboxWorkspace, {
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

/** The one header that an answer has besides, so that it is compared as that of one sandbox. */
function withoutCommit(response: Response): Response {
  const version = response.headers.get(commitHeader)
  if (version !== null) expect(version).toMatch(/^[1-9]\d*$/)
  response.headers.delete(commitHeader)
  return response
}
