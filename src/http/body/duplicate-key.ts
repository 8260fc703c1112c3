/**
 * Whether a key stands twice in one object of a JSON text, which JSON.parse cannot tell. The text must be valid
 * JSON, so that strings and brackets are all there is to follow. Walked by hand: on a very long string a regular
 * expression runs out of stack.
 */
export function duplicateKey(text: string): boolean {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{') open.push(new Set())
    else if (char === '[') open.push(undefined)
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const start = at
      at = endOfString(text, start)
      const keys = open.at(-1)
      if (!keys || !isKey(text, at)) continue
      // Two spellings of one key, such as "a" and "\u0061", are the same key.
      const key = String(JSON.parse(text.slice(start, at + 1)))
      if (keys.has(key)) return true
      keys.add(key)
    }
  }
  return false
}

/** Where the string ends that starts here. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** Whether a colon follows the string that ends here. */
function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return text[at] === ':'
}
