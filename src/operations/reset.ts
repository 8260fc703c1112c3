// The reset of a workspace: whether its ids begin again.
import { z } from 'zod'
import { readInput } from '../input/read-input.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { operation } from './declare.ts'
import { replaced, replacedText, summaryOf, type ReplacedWorkspace } from './replaced.ts'
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
  ids: z
    .literal('continue')
    .optional()
    .describe('continue: later calls create no id of an earlier one (default: ids begin again)'),
})

/** Validates its options here, wherever they come from. */
export function workspaceReset(workspace: Workspace, workspaces: Workspaces, record: RecordAction) {
  return (options: unknown = {}): void => {
    const { ids } = readInput(resetOptions, options, 'reset')
    workspaces.reset(workspace, ids === 'continue')
    record('reset', ids === 'continue' ? 'Reset to the baseline; ids continue' : 'Reset to the baseline')
  }
}

export const resetOperations = [
  operation({
    id: 'reset',
    route: 'POST /_sandbox/reset',
    verb: 'reset',
    about:
      'reset a workspace to the state right after start: rows, ids, clock, scenarios, journal; snapshots stay',
    body: resetOptions.optional(),
    result: replaced,
    printed: {
      note: (answer) => `Reset workspace '${answer.workspace}': ${replacedText(answer)}`,
    },
    run({ workspace }: { workspace: ReplacedWorkspace & { reset(options: unknown): void } }, { body }) {
      workspace.reset(body)
      return summaryOf(workspace)
    },
  }),
]
