// Query parameters of a request: reads the values of one by its name, and counts them.

/** The values of a query as it was sent. */
export interface QueryValues {
  /** How many parameters were sent, each as often as it was. */
  readonly size: number
  /** The values of a parameter, in the order in which they were sent. */
  of(name: string): string[]
}

/**
 * Reads the values of a parameter out of a query as it was sent. `URLSearchParams` costs more than the search that
 * it is for, so it reads only what is encoded.
 */
export function queryValues(query: string): QueryValues {
  if (/[%+]/.test(query)) {
    const sent = new URLSearchParams(query)
    return { size: sent.size, of: (name) => sent.getAll(name) }
  }
  const pairs = query.split('&').filter((pair) => pair !== '')
  return { size: pairs.length, of: (name) => valuesIn(pairs, name) }
}

function valuesIn(pairs: readonly string[], name: string): string[] {
  const found: string[] = []
  for (const pair of pairs) {
    if (!pair.startsWith(name)) continue
    if (pair.length === name.length) found.push('')
    else if (pair[name.length] === '=') found.push(pair.slice(name.length + 1))
  }
  return found
}
