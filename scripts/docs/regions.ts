// Hand-written pages with generated regions: the text between two marker lines.

/** The generated regions of a page, by the name in their start markers. */
export type Regions = Readonly<Record<string, () => string | Promise<string>>>

const startMarker = /^<!-- generated: (\S+) -->$/
const endMarker = '<!-- end of generated -->'

/**
 * Returns the page with the current text of its regions. The rest of the page does not change.
 * @param format formats the text of a region.
 * @throws an error that lists every problem of the markers.
 */
export async function replaceRegions(
  page: string,
  written: string,
  regions: Regions,
  format: (text: string) => string | Promise<string> = (text) => text,
): Promise<string> {
  const lines = written.split('\n')
  const found = regionsIn(page, lines)
  const problems = found.flatMap(({ problem }) => problem ?? [])
  const names = new Set(found.map(({ name }) => name))
  for (const { name, start } of found) {
    if (name === undefined || Object.hasOwn(regions, name)) continue
    problems.push(
      `${page}:${start + 1}: '${lines[start]}' names no region of this page: use one of ` +
        `${Object.keys(regions).join(', ')}, or declare ${name} in scripts/docs/pages/`,
    )
  }
  for (const name of Object.keys(regions)) {
    if (names.has(name)) continue
    problems.push(
      `${page}: has no line '<!-- generated: ${name} -->': add it, and '${endMarker}' after it, or delete ` +
        `region ${name} in scripts/docs/pages/`,
    )
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))

  const parts: string[] = []
  let next = 0
  for (const { name = '', start, end } of found) {
    const text = (await format((await regions[name]?.()) ?? '')).trim()
    parts.push(...lines.slice(next, start + 1), '', text, '')
    next = end
  }
  return [...parts, ...lines.slice(next)].join('\n')
}

/** A pair of marker lines, or a marker without its counterpart. */
interface FoundRegion {
  /** Undefined for an end marker without a start marker. */
  name: string | undefined
  /** The indexes of the marker lines. */
  start: number
  end: number
  problem?: string
}

function regionsIn(page: string, lines: readonly string[]): FoundRegion[] {
  const found: FoundRegion[] = []
  let open: FoundRegion | undefined
  for (const [index, line] of lines.entries()) {
    const [, name] = startMarker.exec(line) ?? []
    if (name === undefined && line !== endMarker) continue
    const at = `${page}:${index + 1}: '${line}'`
    if (name !== undefined) {
      // Until its end marker is found, a region lacks it.
      const problem = `${at} has no line '${endMarker}' after it: add that line, or delete this one`
      open = { name, start: index, end: index, problem }
      found.push(open)
    } else if (open) {
      open.end = index
      delete open.problem
      open = undefined
    } else {
      const problem = `${at} has no line '<!-- generated: NAME -->' before it: add that line, or delete this one`
      found.push({ name: undefined, start: index, end: index, problem })
    }
  }
  return found
}
