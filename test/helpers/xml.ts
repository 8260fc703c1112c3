/** Returns why a text is no well-formed XML document; for documents without doctype and comments. */
export function xmlProblems(text: string): string[] {
  const problems: string[] = []
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!text.startsWith(declaration)) problems.push('no declaration')
  const odd = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text)
  if (odd) problems.push(`a character that XML does not have at ${odd.index}`)
  const open: string[] = []
  let roots = 0
  const body = text.slice(declaration.length)
  for (const [token, tag] of body.matchAll(/<([^>]*)>|[^<]+/g)) {
    if (tag === undefined) {
      if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(token))
        problems.push(`a reference in ${token}`)
      if (open.length === 0 && token.trim() !== '') problems.push(`text outside: ${token}`)
      continue
    }
    const closing = /^\/([\w-]+)\s*$/.exec(tag)?.[1]
    if (closing !== undefined) {
      const opened = open.pop()
      if (opened !== closing) problems.push(`</${closing}> closes <${opened}>`)
      continue
    }
    const opening = /^([\w-]+)((?:\s+[\w:-]+="(?:[^"<&]|&(?:amp|lt|gt|quot|apos|#\d+);)*")*)\s*(\/?)$/.exec(
      tag,
    )
    if (!opening) {
      problems.push(`no tag: <${tag}>`)
      continue
    }
    const names = [...(opening[2] ?? '').matchAll(/\s([\w:-]+)="/g)].map(([, name]) => name)
    if (new Set(names).size < names.length) problems.push(`an attribute twice: <${tag}>`)
    if (open.length === 0) roots += 1
    if (opening[3] === '') open.push(opening[1] ?? '')
  }
  if (roots !== 1) problems.push(`${roots} root elements`)
  if (open.length > 0) problems.push(`never closed: ${open.join(', ')}`)
  return problems
}
