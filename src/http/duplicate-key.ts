/**
 * Whether a key stands twice in one object of a JSON text, which JSON.parse cannot tell. The text must be valid
 * JSON, so that strings and brackets are all there is to follow.
 */
export function duplicateKey(text: string): boolean {
  const open: (Set<string> | undefined)[] = []
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found, colon] = match
    if (found === '{') open.push(new Set())
    else if (found === '[') open.push(undefined)
    else if (found === '}' || found === ']') open.pop()
    else if (colon !== undefined) {
      const keys = open.at(-1)
      // Two spellings of one key, such as "a" and "\u0061", are the same key.
      const key: unknown = JSON.parse(found.slice(0, found.length - colon.length))
      if (keys?.has(String(key))) return true
      keys?.add(String(key))
    }
  }
  return false
}
