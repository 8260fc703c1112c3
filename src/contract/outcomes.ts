// What became of a call, in one word, such as not_found or refused; the journal filters by it.
export const outcomes = [
  'success',
  'unauthenticated',
  'unsupported_version',
  'forbidden',
  'not_found',
  /** The request itself is wrong. */
  'invalid',
  /** The request is fine; the state or a limit forbids it. */
  'refused',
  /** No endpoint has this path and method. */
  'unmatched',
  /** The connection was lost or spoilt on purpose. */
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

/** The outcome that a bare status stands for, for answers that no rule of the contract made. */
export function outcomeOfStatus(status: number): OutcomeName {
  if (status < 400) return 'success'
  return status >= 500 ? 'error' : (ofStatus[status] ?? 'invalid')
}
