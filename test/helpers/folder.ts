import { readdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { createSandbox as createTried } from '../../src/sandbox/index.ts'
import { monotonicNow } from '../../src/runtime/host.ts'
import { callerFor, fullKey, testNow, type Answered, type CallOptions } from './sandbox.ts'
import type { Disk } from './disk.ts'
import { unhurried } from './unhurried.ts'

/** A sandbox with a folder of data, and a hold on the time by which its workspaces are idle. */
export interface InFolder {
  sandbox: Sandbox
  /** Calls the API with the full key of a workspace, like any client: no reference to the workspace stays. */
  call(workspace: string, method: string, path: string, options?: CallOptions): Promise<Answered>
  /** Its notices and problems, in order. */
  said: string[]
  /** Advances the idle time, and closes workspaces that are idle for long enough. */
  idleFor(seconds: number): Promise<void>
}

/** Starts a sandbox on a folder of data; it is closed after the test. */
export async function startIn(
  disk: Disk,
  options: SandboxOptions = {},
  signal?: AbortSignal,
): Promise<InFolder> {
  const said: string[] = []
  const say = (line: string): void => void said.push(line.replaceAll(`${disk.folder}/`, ''))
  let passed = 0
  let sweep: () => unknown = () => undefined
  const sandbox: Awaited<ReturnType<typeof createTried>> = await createTried(
    { clock: testNow, frozen: true, data: `${disk.folder}/data/`, ...options },
    {
      ...(signal ? { signal } : {}),
      onNotice: say,
      onProblem: say,
      onBug: (error) => {
        throw error instanceof Error ? error : new Error(String(error))
      },
      folderTime: {
        now: () => monotonicNow() + passed,
        every: (_milliseconds, run) => {
          sweep = run
          return () => undefined
        },
      },
    },
  )
  unhurried(sandbox)
  onTestFinished(() => sandbox.close().catch(() => undefined))
  const call = callerFor(sandbox, options)
  return {
    sandbox,
    call: (workspace, method, path, more = {}) => {
      const suffix = workspace === 'default' ? '' : `.${workspace}`
      return call(method, path, { key: fullKey + suffix, ...more })
    },
    said,
    idleFor: async (seconds) => {
      passed += seconds * 1000
      await sweep()
    },
  }
}

/** The files in the folder of data, without its lock. */
export const filesIn = (disk: Disk): string[] =>
  readdirSync(disk.path('data'))
    .filter((name) => name !== '.lock')
    .toSorted()

export const intent = { json: { customer_id: 'cus_ada', amount: 100, currency: 'USD' } }

/** A call that writes, for \`call\`. */
export const newIntent = ['POST', '/v2/transaction_intents', intent] as const
