import fc from 'fast-check'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { type PrintedStatement, renderStatementPdf } from '../../../src/http/statements/statement-pdf.ts'
import { unicodeText } from '../../helpers/unicode-text.ts'

const statement: PrintedStatement = {
  statement_id: 'st_2026_05',
  program_name: 'Harbor Rewards Card',
  customer_name: 'Zoë Müller',
  customer_id: 'cus_1',
  account_id: 'acc_1',
  period_start_date: '2026-05-01T00:00:00Z',
  period_end_date: '2026-05-31T23:30:00-05:00',
  due_date: '2026-06-25T00:00:00Z',
  currency: 'USD',
  previous_balance: 124_550,
  purchases: 238_419,
  payments: -124_550,
  credits: -1_500,
  refunds: 0,
  interest: 0,
  fees: 2_500,
  statement_balance: 239_419,
  minimum_due: 4_000,
}

interface ShownText {
  x: number
  size: number
  text: string
}

const textOperator =
  /^BT (?:[\d.]+ ){3}rg \/(?:Regular|Bold) ([\d.]+) Tf ([\d.]+) [\d.]+ Td \(((?:[^\\()]|\\[\\()])*)\) Tj ET$/
const boxOperator = /^(?:[\d.]+ ){3}rg (?:[\d.]+ ){4}re f$/

/** Reads a file as strictly as we write it and returns the texts it shows. */
function readPdf(bytes: Uint8Array): ShownText[] {
  const file = Buffer.from(bytes).toString('latin1')
  expect(file.startsWith('%PDF-1.4\n')).toBe(true)
  expect(file.endsWith('\n%%EOF\n')).toBe(true)

  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1])
  const [, count] = /^xref\n0 (\d+)\n0000000000 65535 f \n/.exec(file.slice(table)) ?? []
  const size = Number(count)
  expect(size).toBeGreaterThan(1)
  expect(file).toContain(`trailer\n<< /Size ${size} /Root 1 0 R /Info ${size - 1} 0 R >>`)
  const entries = table + `xref\n0 ${size}\n`.length
  for (let number = 1; number < size; number++) {
    const entry = file.slice(entries + number * 20, entries + (number + 1) * 20)
    expect(entry).toMatch(/^\d{10} 00000 n \n$/)
    const offset = Number(entry.slice(0, 10))
    expect(file.slice(offset)).toMatch(new RegExp(`^${number} 0 obj\\n<< [^]*?\\nendobj\\n`))
  }

  const header = /<< \/Length (\d+) >>\nstream\n/.exec(file)
  const start = header ? header.index + header[0].length : Number.NaN
  const end = start + Number(header?.[1])
  expect(file.slice(end)).toMatch(/^\nendstream\nendobj\n/)
  return file
    .slice(start, end)
    .split('\n')
    .flatMap((line) => {
      if (boxOperator.test(line)) return []
      expect(line).toMatch(textOperator)
      const [, fontSize, x, text] = textOperator.exec(line) ?? []
      return [{ x: Number(x), size: Number(fontSize), text: (text ?? '').replaceAll(/\\(.)/g, '$1') }]
    })
}

const textsOf = (changes: Partial<PrintedStatement> = {}) =>
  readPdf(renderStatementPdf({ ...statement, ...changes })).map((shown) => shown.text)

/** Where a text ends: each character of Courier is 0.6 wide. */
const rightEdge = ({ x, size, text }: ShownText) => x + size * 0.6 * text.length

afterEach(() => {
  vi.useRealTimers()
})

describe('the statement document', () => {
  it('is a well-formed PDF 1.4 file with exact offsets and lengths', () => {
    expect(readPdf(renderStatementPdf(statement)).length).toBeGreaterThan(30)
  })

  it('has the same bytes at any time', () => {
    vi.useFakeTimers({ now: new Date('2001-01-01T00:00:00Z') })
    const before = renderStatementPdf(statement)
    vi.setSystemTime(new Date('2044-06-30T12:00:00Z'))
    expect(renderStatementPdf(structuredClone(statement))).toEqual(before)
  })

  it('shows every line with its amount, the days as written, and what it is', () => {
    const texts = textsOf()
    const after = (label: string) => texts[texts.lastIndexOf(label) + 1]
    expect(after('Previous balance')).toBe('1,245.50')
    expect(after('Purchases')).toBe('2,384.19')
    expect(after('Payments')).toBe('-1,245.50')
    expect(after('Credits')).toBe('-15.00')
    expect(after('Refunds')).toBe('0.00')
    expect(after('Interest')).toBe('0.00')
    expect(after('Fees')).toBe('25.00')
    expect(after('Statement balance')).toBe('2,394.19')
    expect(after('Minimum due')).toBe('40.00')
    expect(after('Payment due date')).toBe('2026-06-25')
    expect(after('Customer')).toBe('cus_1')
    expect(after('Account')).toBe('acc_1')
    expect(after('Statement')).toBe('st_2026_05')
    expect(texts).toContain('2026-05-01 to 2026-05-31')
    expect(texts).toContain('Harbor Rewards Card')
    expect(texts).toContain('Amounts in USD')
    expect(texts).toContain('Charges are positive; amounts credited to you are negative.')
    expect(texts.join('\n')).toContain('Sandbox document with test data.')
  })

  it('shows an overdue amount when there is one', () => {
    expect(textsOf()).not.toContain('Overdue amount')
    expect(textsOf({ overdue_amount: 1_999 })).toEqual(expect.arrayContaining(['Overdue amount', '19.99']))
  })

  it('counts in the minor digits of the currency', () => {
    expect(textsOf({ currency: 'JPY' })).toContain('238,419')
    expect(textsOf({ currency: 'KWD' })).toContain('238.419')
  })

  it('aligns charged and credited amounts in two columns', () => {
    const shown = readPdf(renderStatementPdf(statement))
    const table = shown.slice(shown.findIndex(({ text }) => text === 'Previous balance'))
    const amounts = table.filter(({ text }) => /^-?[\d,.]+$/.test(text))
    expect(amounts).toHaveLength(8)
    const edges = amounts.map((amount) => Math.round(rightEdge(amount) * 10) / 10)
    expect(edges).toEqual([430, 430, 552, 552, 552, 430, 430, 430])
  })

  it('never shortens an amount', () => {
    const most = {
      currency: 'JPY',
      purchases: Number.MAX_SAFE_INTEGER,
      overdue_amount: Number.MAX_SAFE_INTEGER,
    }
    const texts = textsOf({ ...most, statement_balance: Number.MIN_SAFE_INTEGER })
    expect(texts.filter((text) => text === '9,007,199,254,740,991')).toHaveLength(2)
    expect(texts.filter((text) => text === '-9,007,199,254,740,991')).toHaveLength(2)
  })
})

describe('text that does not behave', () => {
  // Bytes of Windows-1252, read here as Latin-1.
  test.each([
    ['parentheses and backslash', '(a)) \\ (', '(a)) \\ ('],
    ['line breaks and tabs', 'a\r\n\tb\u2028c', 'a b c'],
    ['control characters', 'a\u0000\u0007b\u0090', 'a??b?'],
    ['PDF syntax', ') Tj ET\nendstream endobj', ') Tj ET endstream endobj'],
    ['Latin-1', 'é ü ß ñ', 'é ü ß ñ'],
    ['Windows-1252', '€ “x” – Š', '\x80 \x93x\x94 \x96 \x8a'],
    ['a combining accent', 'e\u0301', 'é'],
    ['emoji, one mark each', 'a 😀 b', 'a ? b'],
    ['other scripts', 'Ω 王', '? ?'],
    ['a lone surrogate', 'a\ud800b', 'a?b'],
    ['nothing', '', ''],
  ])('%s', (_, name, shown) => {
    const texts = textsOf({ customer_name: name })
    expect(texts[texts.indexOf('Account holder') + 1]).toBe(shown)
  })

  test.each(['i', 'M', '(', '\\', '😀', 'a b '])('5,000 times %j is cut to its place', (piece) => {
    const long = piece.repeat(5_000)
    const names = { program_name: long, customer_name: long, customer_id: long, account_id: long }
    const bytes = renderStatementPdf({ ...statement, ...names, statement_id: long })
    const shown = readPdf(bytes)
    expect(shown.filter(({ text }) => text.endsWith('\x85'))).toHaveLength(5)
    for (const text of shown) expect(rightEdge(text)).toBeLessThan(564.01)
    expect(bytes.length).toBeLessThan(6_000)
  })

  it('gives a well-formed file whatever the texts are', () => {
    const text = unicodeText({ maxLength: 200 })
    const texts = fc.record({
      program_name: text,
      customer_name: text,
      customer_id: text,
      account_id: text,
      statement_id: text,
      currency: text,
      period_start_date: text,
      due_date: text,
    })
    fc.assert(fc.property(texts, (hostile) => void readPdf(renderStatementPdf({ ...statement, ...hostile }))))
  })
})
