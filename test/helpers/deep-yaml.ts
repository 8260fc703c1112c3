// Generates YAML texts that nest deeply, in each way that YAML has, whole and broken.
import fc from 'fast-check'

/** The position at which the next construct begins. */
interface Open {
  text: string
  /** The indentation of the current line, in spaces. */
  indent: number
  count: number
}

type Construct = (open: Open) => string

const newLine =
  (before: string, step = 1): Construct =>
  (open) =>
    `${before}\n${' '.repeat((open.indent += step))}`

/** Each opens at least one level, or stands between two that do. */
const constructs: Readonly<Record<string, Construct>> = {
  item: () => '- ',
  'explicit key': () => '? ',
  'empty key': () => ': ',
  'item after a tab': () => '-\t',
  'list in brackets': () => '[',
  'map in braces': () => '{',
  'member in braces': () => '{a: ',
  'quoted member in braces': () => '{"[{": ',
  'key in brackets': () => '[? ',
  'pair in brackets': () => '[a: ',
  'key that is a list': () => '? [a]: ',
  'value of a list as key': () => '[a]: ',
  'value of a map as key': () => '{a: b}: ',
  anchor: (open) => `&a${open.count++} `,
  'tagged item': () => '!!seq - ',
  'tag and new line': newLine('!!map'),
  'anchor and new line': (open) => newLine(`&b${open.count++}`)(open),
  'key and new line': newLine('a:'),
  'key and same line': () => 'a: ',
  'key and Windows line end': newLine('a:\r'),
  'item and new line': newLine('-'),
  'item and wide line': newLine('-', 3),
  'question mark and new line': newLine('?'),
  'bracket and new line': newLine('['),
  comment: newLine('a: # - - [[[ {{{'),
  'empty line': newLine('a:\n'),
  'quoted key': newLine('"- - [": '),
}

/** Things that close nothing, or are broken. */
const noise = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '\n---\n',
      '\n...\n',
      '\n',
      '\r\n',
      '\t',
      '\n\t',
      ',',
      '*a0 ',
      '"',
      "'",
      ']',
      '}',
      ': ',
      ' # ',
      '|\n',
      '>-\n',
      '%TAG ! x\n',
      '<<: ',
      '\ufeff',
      'a: |\n  - - - [[[\n',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
)

const segments = fc.record({
  cycle: fc.array(fc.constantFrom(...Object.keys(constructs)), { minLength: 1, maxLength: 4 }),
  repeats: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 3, arbitrary: fc.integer({ min: 90, max: 110 }) },
    { weight: 2, arbitrary: fc.integer({ min: 111, max: 1500 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1501, max: 60_000 }) },
  ),
  noise,
})

interface Segment {
  cycle: string[]
  repeats: number
  noise: string
}

/** No text is longer than this, so that it may enter as the text of a scenario. */
const maxLength = 60_000

function written(list: readonly Segment[], end: string, isClosed: boolean): string {
  const open: Open = { text: '', indent: 0, count: 0 }
  for (const { cycle, repeats, noise: between } of list) {
    const parts: string[] = []
    let length = open.text.length
    for (let at = 0; at < repeats && length < maxLength; at++) {
      const part = constructs[cycle[at % cycle.length] ?? '']?.(open) ?? ''
      parts.push(part)
      length += part.length
    }
    open.text += parts.join('') + between
    if (between.includes('\n')) open.indent = 0
  }
  const text = open.text.slice(0, maxLength) + end
  return isClosed ? text + closing(text) : text
}

/** Returns the closing brackets and braces of a text. */
function closing(text: string): string {
  const open = Array.from(text.slice(0, maxLength / 2)).filter((sign) => sign === '[' || sign === '{')
  return open
    .toReversed()
    .map((sign) => (sign === '[' ? ']' : '}'))
    .join('')
}

/** Texts of up to tens of thousands of levels. */
export const deepYaml = fc
  .tuple(
    fc.array(segments, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', 'x', 'x: 1\n', '\n'),
    fc.boolean(),
  )
  .map(([list, end, isClosed]) => written(list, end, isClosed))

/** Each construct alone, so many times. */
export const alone = (repeats: number): Record<string, string> =>
  Object.fromEntries(
    Object.keys(constructs).map((name) => [
      name,
      written([{ cycle: [name], repeats, noise: '' }], 'x', false),
    ]),
  )
