/** What became of a call, in one word; the journal filters by it. */
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

export type Outcome = (typeof outcomes)[number]

/** The outcome that a bare status stands for, for answers that no rule of the contract made. */
export function outcomeOfStatus(status: number): Outcome {
  if (status < 400) return 'success'
  if (status >= 500) return 'error'
  switch (status) {
    case 401:
      return 'unauthenticated'
    case 403:
      return 'forbidden'
    case 404:
      return 'not_found'
    case 405:
      return 'unmatched'
    case 409:
    case 429:
      return 'refused'
    default:
      return 'invalid'
  }
}
