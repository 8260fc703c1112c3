// The record of a call that a sandbox reports to its run.
import type { JournalEntry } from '../../journal/entry.ts'
import type { SeenCall } from '../index.ts'

/** A call of a run, as plain data. */
export interface CallRecord
  extends
    Omit<SeenCall, 'entry' | 'transfer' | 'explanation'>,
    Pick<
      JournalEntry,
      'id' | 'method' | 'path' | 'operation' | 'status' | 'outcome' | 'error_type' | 'assumptions' | 'test'
    > {
  /** The whole call, if the run writes a journal. */
  journal?: Pick<SeenCall, 'entry' | 'transfer' | 'explanation'>
}

/** @param withJournal includes bodies and headers, which are the largest part of a call. */
export function recordOf(
  { entry, transfer, explanation, ...seen }: SeenCall,
  withJournal: boolean,
): CallRecord {
  const { id, method, path, operation, status, outcome, error_type, assumptions, test } = entry
  const record = { ...seen, id, method, path, operation, status, outcome, error_type, assumptions, test }
  return withJournal
    ? { ...record, journal: { entry: { ...entry }, transfer, ...(explanation && { explanation }) } }
    : record
}
