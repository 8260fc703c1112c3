// Excerpts of refused files: no secret value is in them, also where the text cannot be parsed.
import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../src/input/problems.ts'
import { problemAt, sourceFromText } from '../../src/input/source-file.ts'
import { sourceWithVariables } from '../../src/probe/variables.ts'

/** The excerpts of every line of a text that can be parsed, or those of its problems. */
async function excerptsOf(text: string, extension = '.yaml'): Promise<string> {
  const lines = text.split('\n')
  const read = await sourceWithVariables(text, 'x', extension).catch((error: unknown) => error)
  if (read instanceof DocumentError) return read.message
  const source = await sourceFromText(text, 'x', extension)
  const paths = [
    [],
    ['url'],
    ['keys'],
    ['keys', 'full'],
    ['keys', 'without'],
    ['keys', 'without', 'ORDER_WRITE'],
    ['ids'],
  ]
  expect(lines.length).toBeGreaterThan(0)
  return paths.map((path) => problemAt(source, path, '').excerpt ?? '').join('\n')
}

const secret = 'l1ve-V4lue,of:no{known}look'

describe('an excerpt of a file that is read', () => {
  it.each<[string, string]>([
    ['a key of a target', `url: 7\nkeys:\n  full: ${secret}\n`],
    ['a key in quotes', `url: 7\nkeys: { full: "${secret}", x: 1 }\n`],
    ['a key of a scope', `keys:\n  without:\n    ORDER_WRITE: ${secret}\n`],
    ['a key of a scope in braces', `keys:\n  without: { ORDER_WRITE: '${secret}' }\n`],
    ['a block of text', `keys:\n  full: |\n    ${secret}\n    ${secret}\n`],
    ['a text in quotes over two lines', `keys:\n  full: "${secret}\n    ${secret}"\n`],
    ['a text without quotes over two lines', `keys:\n  full: first\n    ${secret}\n`],
    ['an anchor elsewhere', `x-key: &key ${secret}\nkeys: { full: *key }\nurl: 7\n`],
  ])('holds nothing of %s', async (_, text) => {
    const excerpts = await excerptsOf(text)
    expect(excerpts).toMatch(/keys|full|without/)
    expect(excerpts).not.toMatch(/l1ve|V4lue|known|look/)
  })

  it.each<[string, string]>([
    ['in one line', `{"url":7,"keys":{"full":"${secret}","without":{"ORDER_WRITE":"${secret}"}},"ids":{}}`],
    [
      'in several',
      `{\n  "url": 7,\n  "keys": {\n    "full":\n      "${secret}",\n    "without": {"ORDER_WRITE": "${secret}"}\n  },\n  "ids": {}}`,
    ],
  ])('holds nothing of the keys of JSON %s', async (_, text) => {
    const excerpts = await excerptsOf(text, '.json')
    expect(excerpts).toContain('"ids"')
    expect(excerpts).not.toMatch(/l1ve|V4lue|known|look/)
  })

  it('shows names, what is beside secrets, and variables', async () => {
    const source = await sourceWithVariables(
      'url: 7\nkeys: { full: "${A}", without: { ORDER_WRITE: ${B}, multi: abc } }\nids: { customer: c }\n',
      'x',
      '.yaml',
    )
    expect(problemAt(source, ['keys'], '').excerpt?.split('\n')[0]).toBe(
      'keys: { full: "${A}", without: { ORDER_WRITE: ${B}, multi: *** } }',
    )
    expect(problemAt(source, ['ids'], '').excerpt?.split('\n')[0]).toBe('ids: { customer: c }')
  })

  it.each(['token', 'password', 'client_secret', 'access_token', 'isolation_secret', 'Authorization'])(
    'holds nothing of a field %s',
    async (name) => {
      const source = await sourceFromText(`a:\n  - b: 1\n    ${name}: ${secret}\n    c: 2\n`, 'x', '.yaml')
      const [excerpt, after] = [name, 'c'].map(
        (field) => problemAt(source, ['a', 0, field], '').excerpt ?? '',
      )
      expect(excerpt).toMatch(new RegExp(`^    ${name}: \\*+\\n`))
      expect(after).toMatch(/^ {4}c: 2\n/)
    },
  )

  it('holds no API key, wherever it is', async () => {
    const source = await sourceFromText(
      'a: see sk_live_1234-5, or Bearer abcd.efgh # sk_x1y2\nb: 1\n',
      'x',
      '.yaml',
    )
    expect(problemAt(source, ['a'], '').excerpt).toBe(
      'a: see **************, or Bearer ********* # *******\n   ^',
    )
  })
})

describe('an excerpt of a file that cannot be parsed', () => {
  it.each<[string, string, string]>([
    ['a quote that is not closed', '.yaml', `keys:\n  full: "${secret}\nids: { customer: c }\n`],
    ['a single quote that is not closed', '.yaml', `keys: { full: '${secret} }\n`],
    ['a bracket that is not closed', '.yaml', `keys: { full: ${secret.replaceAll(/[{}]/g, '')}\nids: 1\n`],
    ['a colon too many', '.yaml', `keys:\n  full: ${secret}: x\n`],
    ['an indentation that does not fit', '.yaml', `keys:\n  full:\n    - a\n   ${secret}\n`],
    ['a tab', '.yaml', `keys:\n\tfull: ${secret}\n`],
    ['a name twice', '.yaml', `keys:\n  full: x\n  full: ${secret}\n`],
    ['a tag', '.yaml', 'keys:\n  full: !sk_l1ve_V4lue x\n'],
    ['no colon after keys', '.yaml', `keys\n  full: ${secret}\n`],
    ['a quote that is not closed', '.json', `{"keys": {"full": "${secret}\n}, "ids": {}}`],
    ['no comma', '.json', `{"keys": {"full": "${secret}" "multi": "${secret}"}}`],
    ['no quotes', '.json', `{"keys": {"full": ${secret}}}`],
    ['text behind the end', '.json', `{"keys": {"full": "x"}} "token": "${secret}"`],
  ])('%s (%s): holds nothing of the key', async (_, extension, text) => {
    const read = sourceWithVariables(text, `x${extension}`, extension)
    await expect(read).rejects.toThrow(DocumentError)
    const { message } = (await read.catch((error: unknown) => error)) as DocumentError
    expect(message).not.toMatch(/l1ve|V4lue|known|look/)
    expect(message.split('\n').length).toBeGreaterThan(2)
  })
})

it('a problem that quotes an API key in its message or path shows none', () => {
  const { message, problems } = new DocumentError([
    { source: 'x', path: 'keys.sk_live_1234', message: "expected a variable, got 'sk_live_1234'" },
  ])
  expect(message).toBe("x keys.sk_***: expected a variable, got 'sk_***'")
  expect(problems).toEqual([
    { source: 'x', path: 'keys.sk_***', message: "expected a variable, got 'sk_***'" },
  ])
})
