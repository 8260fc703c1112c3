import { readdirSync } from 'node:fs'
import type { SandboxOptions } from '../../src/index.ts'
import { fullKey, type Answered, type CallOptions } from './sandbox.ts'
import { startOn, type Kept } from './data.ts'
import type { Disk } from './disk.ts'

/** A sandbox with a folder of data. */
export interface InFolder extends Kept {
  /** Calls the API with the full key of a workspace, like any client: no reference to the workspace stays. */
  call(workspace: string, method: string, path: string, options?: CallOptions): Promise<Answered>
}

/** Starts a sandbox on the folder `data`; it is closed after the test. */
export async function startIn(
  disk: Disk,
  options: SandboxOptions = {},
  hooks: Parameters<typeof startOn>[2] = {},
): Promise<InFolder> {
  const kept = await startOn(disk, { data: `${disk.folder}/data/`, ...options }, hooks)
  return {
    ...kept,
    call: (workspace, method, path, more = {}) => {
      const suffix = workspace === 'default' ? '' : `.${workspace}`
      return kept.sandbox.call(method, path, { key: fullKey + suffix, ...more })
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
