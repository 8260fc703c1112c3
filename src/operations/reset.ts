// The reset of a workspace: whether its ids begin again.
import { z } from 'zod'
import { readInput } from '../input/read-input.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { RecordAction } from './timeline.ts'

/** How a workspace is reset. */
export interface ResetOptions {
  /**
   * `continue` keeps the position of the ids, so that calls after the reset create no id of a call before it. If omitted,
   * ids begin again.
   */
  ids?: 'continue'
}

const resetOptions = z.strictObject({
  ids: z.literal('continue').optional(),
})

/** Validates its options here, wherever they come from. */
export function workspaceReset(workspace: Workspace, workspaces: Workspaces, record: RecordAction) {
  return (options: unknown = {}): void => {
    const { ids } = readInput(resetOptions, options, 'reset')
    workspaces.reset(workspace, ids === 'continue')
    record('reset', ids === 'continue' ? 'Reset to the baseline; ids continue' : 'Reset to the baseline')
  }
}
