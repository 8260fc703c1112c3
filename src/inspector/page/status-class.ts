// How a status, or what became of a call, is to be looked at: as something good, to be seen, or bad.

/** The class of an element that shows a status; one that was lost is a failure. */
export function statusClass(status: number | null): string {
  if (status === null) return 'is-bad'
  if (status < 300) return 'is-good'
  return status < 500 ? 'is-warn' : 'is-bad'
}
