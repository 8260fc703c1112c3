// Says why the journal does not have a request, and the next step.
import { NotFoundError } from '../input/refusals.ts'
import { withoutRunNumber, workspaceOfRequestId } from './request-id.ts'

/** @param journal how many requests it has, and how many it dropped. */
export function notInJournal(
  { dropped, size }: { readonly dropped: number; readonly size: number },
  workspace: string,
  id: string,
): NotFoundError {
  const named = workspaceOfRequestId(id)
  const why =
    named !== undefined && named !== workspace && withoutRunNumber(named) !== workspace
      ? `it is one of workspace '${named}': name that one by --workspace, or by ?workspace=${named}.`
      : dropped > 0
        ? `the journal has dropped ${dropped} older ones (--journal-size keeps more).`
        : size > 0
          ? 'a reset or `requests clear` begins a new journal; `requests` (GET /_sandbox/requests) lists what it holds.'
          : 'its journal is empty, as after a reset, `requests clear` or with --journal-size 0.'
  const shown = id.replace(/[^\x20-\x7e]/g, '?').slice(0, 80)
  return new NotFoundError(`No request of workspace ${workspace} has the id '${shown}': ${why}`)
}
