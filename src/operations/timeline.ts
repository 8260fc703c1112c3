// The timeline of a workspace: actions from outside the API are recorded in it, and read with their secrets masked.
import { z } from 'zod'
import { redactor } from '../secrets/redact.ts'
import { timelineEntry, type ActionKind, type TimelineEntry } from '../workspaces/timeline.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'

/** Adds an action to the timeline. @param summary one sentence without the full stop. */
export type RecordAction = (kind: ActionKind, summary: string) => void

/** Called with each action, its secrets masked. */
export type OnAction = (workspace: string, entry: TimelineEntry) => void

/** Ids may have any length. */
const maxSummary = 500

/** @param onAction notified of each action, for a run. */
export function workspaceTimeline(workspace: Workspace, onAction?: OnAction) {
  const masked = (entry: TimelineEntry, hide = redactor(workspace.journal.secrets)): TimelineEntry => ({
    ...entry,
    summary: hide.text(entry.summary),
    test: entry.test && { ...entry.test },
  })
  const record: RecordAction = (kind, summary) => {
    const entry = workspace.record(kind, summary.slice(0, maxSummary))
    onAction?.(workspace.name, masked(entry))
  }
  return {
    record,
    /** Newest first. */
    list(): TimelineEntry[] {
      const hide = redactor(workspace.journal.secrets)
      return workspace.timeline.entries.map((entry) => masked(entry, hide)).toReversed()
    },
  }
}

export const timelineOperations = [
  operation({
    id: 'timeline',
    route: 'GET /_sandbox/timeline',
    about: 'list the actions on the workspace from outside the API, newest first, at most 500',
    result: z.object({ timeline: z.array(timelineEntry) }),
    run: ({ workspace }: { workspace: { timeline(): TimelineEntry[] } }) => ({
      timeline: workspace.timeline(),
    }),
  }),
]
