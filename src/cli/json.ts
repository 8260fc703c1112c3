// JSON as verbs print it, and as others wrote it.

/** A value as people read it. */
export function jsonLines(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The value of a text; undefined for one that is no JSON, such as an empty one. */
export function valueOfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
