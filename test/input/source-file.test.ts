import fc from 'fast-check'
import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findFaults, hidesFaults } from '../../src/json/json-text.ts'
import { locate, readSource, sourceFromObject, sourceFromText } from '../../src/input/source-file.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { errorOf, faultsOf, messageOf, writeFiles, writeFolder } from '../helpers/documents.ts'
import { samples } from '../setup/samples.ts'

/** Lines that read well in a table; a text of several problems is compared whole. */
const lines = (...text: string[]): string => text.join('\n')

describe('JSON that cannot be read', () => {
  it.each([
    ['{"a": 1,}', lines('x.json:1:9: expected a key in double quotes', '{"a": 1,}', '        ^')],
    ['{"a": 1', lines('x.json:1:8: expected a comma or }, but the file ends here', '{"a": 1', '       ^')],
    ['{"a" 1}', lines('x.json:1:6 a: expected a colon after the key', '{"a" 1}', '     ^')],
    ['{a: 1}', lines('x.json:1:2: expected a key in double quotes or }', '{a: 1}', ' ^')],
    ["{'a': 1}", lines('x.json:1:2: expected a key in double quotes or }', "{'a': 1}", ' ^')],
    ['{"a": [1 2]}', lines('x.json:1:10 a: expected a comma or ]', '{"a": [1 2]}', '         ^')],
    ['{"a": [1,]}', lines('x.json:1:10 a[1]: expected a value', '{"a": [1,]}', '         ^')],
    ['{"a": [,]}', lines('x.json:1:8 a[0]: expected a value or ]', '{"a": [,]}', '       ^')],
    ['{"a": 01}', lines('x.json:1:7 a: expected a JSON number', '{"a": 01}', '      ^')],
    ['{"a": .5}', lines('x.json:1:7 a: expected a JSON number', '{"a": .5}', '      ^')],
    ['{"a": \'b\'}', lines('x.json:1:7 a: expected a string in double quotes', '{"a": \'b\'}', '      ^')],
    ['{"a": True}', lines('x.json:1:7 a: expected a value', '{"a": True}', '      ^')],
    [
      '{"a": // one\n1}',
      lines('x.json:1:7 a: expected a value: JSON has no comments', '{"a": // one', '      ^'),
    ],
    [
      '{"a": "x\n"}',
      lines('x.json:1:9 a: expected a double quote before the line ends', '{"a": "x', '        ^'),
    ],
    [
      '{"a": "x\\q"}',
      lines('x.json:1:9 a: expected a JSON escape after the backslash', '{"a": "x\\q"}', '        ^'),
    ],
    [
      '{"a": "x',
      lines('x.json:1:9 a: expected a double quote, but the file ends here', '{"a": "x', '        ^'),
    ],
    ['{} {}', lines('x.json:1:4: expected the end of the file after the document', '{} {}', '   ^')],
    [
      '{"a": 1,\n "b": {"c": 2, "c": 3},\n "a": 4}',
      lines(
        'x.json:2:16 b.c: duplicate key in an object',
        ' "b": {"c": 2, "c": 3},',
        '               ^',
        'x.json:3:2 a: duplicate key in an object',
        ' "a": 4}',
        ' ^',
      ),
    ],
    [
      '{"a": 1, "\\u0061": 2}',
      lines('x.json:1:10 a: duplicate key in an object', '{"a": 1, "\\u0061": 2}', '         ^'),
    ],
  ])('%s', async (text, message) => {
    expect(await faultsOf(text, '.json')).toBe(message)
  })

  it('a file without an extension that starts like JSON is judged as JSON', async () => {
    expect(await faultsOf('{"a": 1,}', '')).toContain('expected a key in double quotes')
  })

  it.each(['', '   \n\t', '\ufeff'])('an empty file: %j', async (text) => {
    expect(await faultsOf(text, '.json')).toBe('x.json: is empty; expected a JSON or YAML document')
    expect(await faultsOf(text, '.yaml')).toBe('x.yaml: is empty; expected a JSON or YAML document')
  })
})

describe('YAML that cannot be read', () => {
  it.each([
    ['a: 1\nb: 2\na: 3\n', lines('x.yaml:3:1: duplicate key in a map', 'a: 3', '^')],
    [
      'a: 1\n---\nb: 2\n',
      lines('x.yaml:2:1: expected the end of the file: it must have only one document', '---', '^'),
    ],
    ['a: *b\n', lines('x.yaml:1:1: has an alias without an anchor before it', 'a: *b', '^')],
    ['a: !thing 1\n', lines('x.yaml:1:4: Unresolved tag', 'a: !thing 1', '   ^')],
    ['? [a]\n: 1\n', lines('x.yaml:1:3: a key must be a string; put it in quotes', '? [a]', '  ^')],
    ['a: .inf\n', lines('x.yaml:1:4 a: must be a finite number', 'a: .inf', '   ^')],
    ...['!!binary aGk=', '!!timestamp 2020-01-01', '!!omap [b: 1]', '!!set {b, c}', '!!pairs [b: 1]'].map(
      (written): [string, string] => [
        `a: ${written}\n`,
        lines(
          `x.yaml:1:${5 + written.indexOf(' ')} a: has a tag whose value JSON cannot hold: write a text, a list or a map`,
          `a: ${written}`,
          `${' '.repeat(4 + written.indexOf(' '))}^`,
        ),
      ],
    ),
    ...Object.entries({
      '007': 7,
      '02139': 2139,
      '-01': -1,
      '0x1F': 31,
      '0o17': 15,
      '+5': 5,
      '.5': 0.5,
      '5.': 5,
    }).map(([written, number]): [string, string] => [
      `a: ${written}\n`,
      lines(
        `x.yaml:1:4 a: ${written} would be read as the number ${number}: put it in quotes, or write ${number}`,
        `a: ${written}`,
        '   ^',
      ),
    ]),
    ['a:\n\tb: 1\n', lines('x.yaml:2:1: Tabs are not allowed as indentation', '\tb: 1', '^')],
  ])('%j', async (text, message) => {
    expect(await faultsOf(text, '.yaml')).toBe(message)
  })

  it('a key that is too long', async () => {
    const message =
      'a key is longer than 1,024 characters; expected a shorter one, with its colon on the same line'
    expect(await faultsOf(`a: 1\n${'k'.repeat(1025)}: 1\n`, '.yaml')).toMatch(`x.yaml:2:1: ${message}\n`)
  })

  it('numbers that JavaScript would change keep their digits in free-form parts, as in JSON', async () => {
    const yaml = 'metadata: { a: 12345678901234567890, b: [-0, 1.5] }\n'
    const json = '{"metadata": {"a": 12345678901234567890, "b": [-0, 1.5]}}'
    const { value } = await sourceFromText(yaml, 'x.yaml', '.yaml')
    expect(value).toEqual((await sourceFromText(json, 'x.json', '.json')).value)
  })

  it.each(['"007"', "'007'", '!!str 007', '1_000', '2020-01-01', '1.2.3'])(
    '%s stays a text',
    async (written) => {
      const { value } = await sourceFromText(`a: ${written}\n`, 'x.yaml', '.yaml')
      expect(value).toEqual({ a: written.replace(/^!!str /, '').replaceAll(/['"]/g, '') })
    },
  )

  it('tags of values that JSON has', async () => {
    const { value } = await sourceFromText(
      '{ a: !!bool true, b: !!float 1.5, c: !!int 2 }\n',
      'x.yaml',
      '.yaml',
    )
    expect(value).toEqual({ a: true, b: 1.5, c: 2 })
  })

  it('a number that is written otherwise and is not finite', async () => {
    expect(await faultsOf(`a: 0${'9'.repeat(400)}\n`, '.yaml')).toContain('a: must be a finite number')
  })

  it('an alias bomb is refused, fast', async () => {
    const levels = 'bcdefghi'.split('')
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
    levels.forEach((name, index) => {
      const before = index === 0 ? 'a' : levels[index - 1]
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`)
    })
    expect(await faultsOf(bomb.join('\n'), '.yaml')).toContain('has too many aliases')
  })

  it('a value that contains itself is refused', async () => {
    expect(await faultsOf('a: &a [*a]\n', '.yaml')).toContain('is nested too deeply, or contains itself')
  })

  it.each<[string, string, unknown]>([
    ['an alias', 'x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\n', { a: 1, b: 3 }],
    ['its own members win, wherever they stand', 'x: &x {a: 1, b: 2}\ny: {b: 3, <<: *x}\n', { a: 1, b: 3 }],
    ['a map', 'y: {<<: {a: 1}, b: 2}\n', { a: 1, b: 2 }],
    [
      'a list, of which the first wins',
      'x: [&x {a: 1}, &z {a: 2, b: 3}]\ny: {<<: [*x, *z]}\n',
      { a: 1, b: 3 },
    ],
    ['one that merges', 'w: &w {a: 1}\nx: &x {<<: *w, b: 2}\ny: {<<: *x, c: 3}\n', { a: 1, b: 2, c: 3 }],
    ['values are whole', 'x: &x {a: {b: 1, c: 2}}\ny: {<<: *x, a: {b: 3}}\n', { a: { b: 3 } }],
    ['in quotes it is a key like any other', 'y: {"<<": {a: 1}}\n', { '<<': { a: 1 } }],
  ])('a merge key takes in %s', async (_what, text, y) => {
    const { value } = await sourceFromText(text, 'x', '.yaml')
    expect((value as { y: unknown }).y).toEqual(y)
  })

  it('what was merged is found where it was written', async () => {
    const source = await sourceFromText('x: &x\n  a: 1\ny:\n  <<: [*x]\n  b: 2\n', 'x.yaml', '.yaml')
    expect(locate(source, ['y', 'a'])).toMatchObject({ line: 2, column: 6 })
    expect(locate(source, ['y', 'b'])).toMatchObject({ line: 5, column: 6 })
    expect(locate(source, ['y', 'c'])).toMatchObject({ line: 4 })
  })

  const notMerged = 'must be a map, or a list of maps: << copies their members into its own map'
  it.each([
    ['y: {<<: 1}\n', `x.yaml:1:9 y.<<: ${notMerged}`],
    ['y:\n  <<:\n  a: 1\n', `x.yaml:2:6 y.<<: ${notMerged}`],
    ['x: &x 1\ny: {<<: [*x]}\n', `x.yaml:2:10 y.<<: ${notMerged}`],
    ['y: {<<: *x}\n', 'x.yaml:1:1: has an alias without an anchor before it'],
    ['y: &y {<<: *y}\n', 'x.yaml:1:12 y.<<: is nested too deeply, or contains itself'],
    ['y: {<<: {}, <<: {}}\n', 'x.yaml:1:13: duplicate key in a map'],
  ])('%j -> refused', async (text, message) => {
    expect((await faultsOf(text, '.yaml')).split('\n')[0]).toBe(message)
  })

  it('merging without end is refused, fast', async () => {
    const maps = Array.from({ length: 1_000 }, (_, n) => `k${n}: &k${n} {<<: *k${n - 1}, m${n}: 1}`)
    const text = ['k-1: &k-1 {}', ...maps].join('\n')
    expect(await faultsOf(text, '.yaml')).toContain('x.yaml:1:1: has too many merge keys')
  })

  it('a few aliases are fine', async () => {
    const source = await sourceFromText('a: &x {n: 1}\nb: *x\n', 'x.yaml', '.yaml')
    expect(source.value).toEqual({ a: { n: 1 }, b: { n: 1 } })
    expect(locate(source, ['b', 'n'])).toMatchObject({ line: 1, column: 11 })
  })
})

describe('too deep', () => {
  it.each([
    ['.json', '['.repeat(5000) + ']'.repeat(5000)],
    ['.json', '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000)],
    ['.yaml', '['.repeat(5000) + ']'.repeat(5000)],
    ['.yaml', Array.from({ length: 1500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['.yaml', '- '.repeat(5000) + 'x'],
  ])('%s is refused, not crashed on', async (extension, text) => {
    expect(await faultsOf(text, extension)).toMatch(/is nested deeper than 100 levels/)
  })

  it('100 levels are read', async () => {
    const text = '['.repeat(100) + ']'.repeat(100)
    await expect(sourceFromText(text, 'x', '.json')).resolves.toBeDefined()
    await expect(sourceFromText(text, 'x', '.yaml')).resolves.toBeDefined()
  })
})

describe('files', () => {
  it('JSON, YAML, and JSON called YAML give the same value', async () => {
    const folder = writeFolder({
      'a.json': '{"a": [1, "x"]}',
      'b.yaml': 'a: [1, x]\n',
      'c.yml': '{"a": [1, "x"]}',
      d: '\ufeff{"a": [1, "x"]}',
      e: 'a:\n  - 1\n  - x\n',
    })
    for (const name of ['a.json', 'b.yaml', 'c.yml', 'd', 'e']) {
      const source = await readSource(join(folder, name), name)
      expect(source.value).toEqual({ a: [1, 'x'] })
      expect(source.name).toBe(name)
    }
  })

  it('YAML 1.2: no surprises of YAML 1.1', async () => {
    const text = 'country: NO\nanswer: yes\nday: 2026-01-01\ntime: 12:30:45\n'
    const { value } = await sourceFromText(text, 'x', '.yaml')
    expect(value).toEqual({
      country: 'NO',
      answer: 'yes',
      day: '2026-01-01',
      time: '12:30:45',
    })
  })

  it('a missing file, a folder and bytes that are no text are named', async () => {
    const folder = writeFolder({ 'a.json': Uint8Array.of(0xff, 0xfe, 0x7b, 0x00) })
    mkdirSync(join(folder, 'sub'))
    expect(await messageOf(readSource(join(folder, 'none.json'), 'none.json'))).toBe(
      'none.json: there is no such file',
    )
    expect(await messageOf(readSource(join(folder, 'a.json', 'x'), 'x'))).toBe('x: there is no such file')
    expect(await messageOf(readSource(join(folder, 'sub'), 'sub'))).toBe('sub: is a folder; expected a file')
    expect(await messageOf(readSource(join(folder, 'a.json'), 'a.json'))).toBe(
      'a.json:1: must be text in UTF-8; it has an invalid byte at 0',
    )
  })

  it('a file that is longer than a text can be is refused before it is read', async () => {
    const path = writeFiles({ 'a.json': '{}' })
    // Nothing of it is on the disk.
    truncateSync(path, 3 * 2 ** 30 + 1)
    expect(await messageOf(readSource(path, 'a.json'))).toBe(
      'a.json: is too large to be read (3073 MiB, at most 500): use --generate for large populations',
    )
  })

  it('a YAML file that would keep everybody waiting is refused before it is parsed', async () => {
    const path = writeFiles({ 'a.yaml': `a: ${'x'.repeat(2 ** 21)}` })
    expect(await messageOf(readSource(path, 'a.yaml'))).toBe(
      'a.yaml: is too long for YAML (at most 2 MiB): write it as JSON',
    )
  })

  it.each([
    ['as long as it may be', 16, undefined],
    [
      'one byte longer',
      15,
      'a.json: is too large to be read (1 MiB, at most 0): use --generate for large populations',
    ],
  ])('%s', async (_title, most, message) => {
    const reading = readSource(writeFiles({ 'a.json': '{"a": [1, "xy"]}' }), 'a.json', most)
    if (message === undefined) await expect(reading).resolves.toBeDefined()
    else expect(await messageOf(reading)).toBe(message)
  })

  it('without a name, the path is one', async () => {
    const path = writeFiles({ 'a.json': '{' })
    expect((await errorOf(readSource(path))).problems[0]?.source).toBe(path)
  })
})

describe('excerpts', () => {
  it('mask what could be a card number and stay aligned', async () => {
    const source = await sourceFromText('{"pan": "5212345678901234", "b": 1}', 'x', '.json')
    expect(locate(source, ['b'])?.excerpt).toBe(
      lines('{"pan": "************1234", "b": 1}', '                                 ^'),
    )
  })

  it.each([
    ['one piece', '4539578763621486'],
    ['spaces', '4539 5787 6362 1486'],
    ['dashes', '4539-5787-6362-1486'],
  ])('mask a card number in %s wherever the cut falls', async (_title, pan) => {
    for (let gap = 0; gap < 90; gap++) {
      const space = 'x'.repeat(gap)
      const text = `{"a": "${'y'.repeat(200)} ${pan} ${space}", "b": 1, "c": "${space} ${pan} ${'y'.repeat(200)}"}`
      const excerpt = locate(await sourceFromText(text, 'x', '.json'), ['b'])?.excerpt ?? ''
      expect(excerpt.replaceAll(/\D/g, '')).toMatch(/^(1486|486|86|6)?1(1|14|148|1486)?$/)
      const [line = '', caret = ''] = excerpt.split('\n')
      expect(line[caret.length - 1]).toBe('1')
    }
  })

  it('mask what is secret by its name wherever the cut falls', async () => {
    for (let gap = 0; gap < 90; gap++) {
      const space = 'x'.repeat(gap)
      const fields = '"cvv":"739","ssn4": "7391","secret":"7a39","api_key":"sk_739"'
      const text = `{"a":{${fields},"z":"${space}"},"b": 1,"c":{"z":"${space}",${fields}}}`
      const excerpt = locate(await sourceFromText(text, 'x', '.json'), ['b'])?.excerpt ?? ''
      expect(excerpt).not.toMatch(/[739]/)
      const [line = '', caret = ''] = excerpt.split('\n')
      expect(line[caret.length - 1]).toBe('1')
    }
  })

  it('cut long lines around the place', async () => {
    const source = await sourceFromText(
      `{"a": "${'x'.repeat(500)}", "b": 1, "c": "${'y'.repeat(500)}"}`,
      'x',
      '.json',
    )
    const [line = '', caret = ''] = locate(source, ['b'])?.excerpt.split('\n') ?? []
    expect(line.length).toBeLessThan(130)
    expect(line).toMatch(/^…x.*y…$/)
    expect(line[caret.length - 1]).toBe('1')
  })

  it('keep tabs under tabs and obey no terminal codes', async () => {
    const source = await sourceFromText('{\n\t\t"a\\u001b": 1,\t"b": 2}', 'x', '.json')
    expect(locate(source, ['b'])?.excerpt).toBe('\t\t"a\\u001b": 1,\t"b": 2}\n\t\t             \t     ^')
    const escape = await sourceFromText('a: "\u001b[31m"\nb: 1\n', 'x', '.yaml').catch(
      (error: unknown) => error,
    )
    const shown = escape instanceof DocumentError ? escape.message : JSON.stringify(escape)
    expect(shown).not.toContain('\u001b')
  })

  it('Windows line ends are no part of the line', async () => {
    const source = await sourceFromText('{\r\n  "a": 1\r\n}\r\n', 'x', '.json')
    expect(locate(source, ['a'])).toEqual({ line: 2, column: 8, excerpt: '  "a": 1\n       ^' })
  })
})

describe('objects from memory', () => {
  it('are copied, undefined fields left out, __proto__ kept as a field', () => {
    const value = { a: { b: [1] }, gone: undefined, m: JSON.parse('{"__proto__": {"x": 1}}') as object }
    const source = sourceFromObject(value, 'fixtures')
    value.a.b.push(2)
    expect(JSON.stringify(source.value)).toBe('{"a":{"b":[1]},"m":{"__proto__":{"x":1}}}')
    expect(locate(source, ['a'])).toBeUndefined()
  })

  it('what JSON cannot write is refused with its place', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const value = {
      f: () => 1,
      d: new Date(0),
      n: [Number.NaN],
      big: 1n,
      s: Symbol('s'),
      m: new Map(),
      circle,
    }
    const refuse = (): unknown => sourceFromObject(value, 'fixtures')
    expect(refuse).toThrow(DocumentError)
    expect(refuse).toThrow('fixtures f: must be JSON, not a function')
    expect(refuse).toThrow('fixtures d: must be plain JSON data')
    expect(refuse).toThrow('fixtures n[0]: must be a finite number')
    expect(refuse).toThrow('fixtures big: must be JSON, not a bigint')
    expect(refuse).toThrow('fixtures m: must be plain JSON data')
    expect(refuse).toThrow('is nested too deeply, or contains itself')
  })
})

describe('properties', () => {
  it('JSON.parse and findFaults agree on what is JSON', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '\\',
        '1',
        '-',
        '0',
        '.5',
        'e3',
        'true',
        'null',
        ' ',
        '\n',
        '\u0001',
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((all) => all.join('')),
          fc.json(),
          fc.tuple(fc.json(), fc.nat(), fc.string()).map(([text, at, more]) => {
            const place = at % (text.length + 1)
            return text.slice(0, place) + more + text.slice(place)
          }),
        ),
        (text) => {
          let value: unknown
          let isJson = true
          try {
            value = JSON.parse(text)
          } catch {
            isJson = false
          }
          const faults = findFaults(text, 100)
          if (isJson) {
            const doubtful = faults.every(({ message }) => /stands twice|can hold/.test(message))
            expect(doubtful).toBe(true)
            expect(hidesFaults(text, value, 100)).toBe(faults.length > 0)
          } else {
            expect(faults.length).toBeGreaterThan(0)
          }
        },
      ),
      { numRuns: samples(2000) },
    )
  })

  it.each([
    ['.json', (value: unknown) => JSON.stringify(value, null, 2)],
    ['.json', (value: unknown) => JSON.stringify(value)],
    ['.yaml', (value: unknown) => JSON.stringify(value, null, 1).replaceAll('\t', ' ')],
  ])('every value of a %s file is found at its place', async (extension, write) => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })),
        async (value) => {
          const text = write(value)
          const source = await sourceFromText(text, 'x', extension === '.yaml' ? '.yaml' : '.json')
          const check = (inner: unknown, path: (string | number)[]): void => {
            const { line = 0, column = 0 } = locate(source, path) ?? {}
            const rest = text
              .split('\n')
              .slice(line - 1)
              .join('\n')
              .slice(column - 1)
            const start =
              typeof inner === 'object' && inner !== null
                ? Array.isArray(inner)
                  ? '['
                  : '{'
                : JSON.stringify(inner)
            expect(rest.startsWith(start)).toBe(true)
            if (typeof inner !== 'object' || inner === null) return
            for (const [name, field] of Object.entries(inner)) {
              check(field, [...path, Array.isArray(inner) ? Number(name) : name])
            }
          }
          check(value, [])
        },
      ),
      { numRuns: samples(150) },
    )
  })
})

describe('what is no regular file', () => {
  const why = 'is not a regular file: a pipe or device may never end'

  it('a device without an end -> refused', async () => {
    await expect(readSource('/dev/zero')).rejects.toThrow(`/dev/zero: ${why}`)
  })
})
