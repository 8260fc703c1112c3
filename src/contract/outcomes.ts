// The outcomes of a call, such as not_found or refused; the journal filters by them.
export const outcomes = [
  'success',
  'unauthenticated',
  'unsupported_version',
  'forbidden',
  'not_found',
  /** The request itself is invalid. */
  'invalid',
  /** The request is valid; the state or a limit forbids it. */
  'refused',
  /** No endpoint has this path and method. */
  'unmatched',
  /** A simulated fault: the sandbox dropped or corrupted the connection on purpose. */
  'fault',
  'error',
] as const

export type OutcomeName = (typeof outcomes)[number]

const ofStatus: Readonly<Record<number, OutcomeName>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'unmatched',
  409: 'refused',
  429: 'refused',
}

/** Returns the outcome of a bare status, for answers that no rule of the contract produced. */
export function outcomeOfStatus(status: number): OutcomeName {
  if (status < 400) return 'success'
  return status >= 500 ? 'error' : (ofStatus[status] ?? 'invalid')
}
