// The colour class of a status or an outcome: success, warning or failure.

/** The class of an element that shows a status; one that was lost is a failure. */
export function statusClass(status: number | null): string {
  if (status === null) return 'is-bad'
  if (status < 300) return 'is-good'
  return status < 500 ? 'is-warn' : 'is-bad'
}
