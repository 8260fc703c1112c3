/** A fenced block of a page. */
export interface Block {
  /** The heading that it stands under. */
  heading: string
  /** The line in italics right above it. */
  label: string | undefined
  language: string
  code: string
}

/** The fenced blocks of a page, in their order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let above = ''
  let open: Block | undefined
  for (const line of markdown.split('\n')) {
    if (open) {
      if (line === '```') open = undefined
      else open.code += `${line}\n`
      continue
    }
    const fence = /^```(\w*)$/.exec(line)
    if (fence) {
      open = { heading, label: /^_(.+)_$/.exec(above)?.[1], language: fence[1] ?? '', code: '' }
      blocks.push(open)
    }
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
    if (line.trim() !== '') above = line
  }
  if (open) throw new Error(`a block under '${heading}' is not closed`)
  return blocks
}
