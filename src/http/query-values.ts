// Query parameters of a request: reads the values of one by its name.
/**
 * Reads the values of a parameter out of a query as it was sent. `URLSearchParams` costs more than the search that
 * it is for, so it reads only what is encoded.
 */
export function queryValues(query: string): (name: string) => string[] {
  if (query === '') return () => []
  if (/[%+]/.test(query)) {
    const sent = new URLSearchParams(query)
    return (name) => sent.getAll(name)
  }
  const pairs = query.split('&')
  return (name) => {
    const found: string[] = []
    for (const pair of pairs) {
      if (!pair.startsWith(name)) continue
      if (pair.length === name.length) found.push('')
      else if (pair[name.length] === '=') found.push(pair.slice(name.length + 1))
    }
    return found
  }
}
