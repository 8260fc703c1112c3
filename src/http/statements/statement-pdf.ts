// The PDF behind a statement's `pdf_url`: one page, drawn and written as PDF 1.4 without a library.
import { formatMinorUnits } from '../../contract/currencies.ts'
import { statementComponents } from '../../contract/resources/statement.ts'
import type { StatementRow } from '../../store/rows.ts'

/** The contents of the page. Dates are shown as the day they name; amounts are in minimum units. */
export interface PrintedStatement extends StatementRow {
  program_name: string
  customer_name: string
}

/**
 * Renders a statement as the bytes of a PDF file: the same statement always gives the same bytes, without clock,
 * random id or compression. Any text is safe: one too long is cut with "…", and what Windows-1252 cannot write
 * becomes "?".
 *
 * @example
 * const pdf = renderStatementPdf({ ...row, program_name: 'Acme Rewards Card', customer_name: 'Ada Moreno' })
 * new Response(pdf, { headers: { 'content-type': 'application/pdf' } })
 */
export function renderStatementPdf(statement: PrintedStatement): Uint8Array<ArrayBuffer> {
  const content = drawStatement(statement)
  const font = '/Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont'
  const file = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R' +
      ' /Resources << /Font << /Regular 5 0 R /Bold 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< ${font} /Courier >>`,
    `<< ${font} /Courier-Bold >>`,
    '<< /Title (Account statement) >>',
  ])
  return Uint8Array.from(file, (character) => character.charCodeAt(0))
}

// The page. Points, counted from the lower left corner of US Letter.

const [left, right] = [48, 564]
const [chargedEdge, creditedEdge] = [430, 552]
const [ink, grey, navy, pale, white] = [
  '0.13 0.15 0.19',
  '0.4 0.43 0.48',
  '0.1 0.2 0.36',
  '0.93 0.95 0.97',
  '1 1 1',
]

function drawStatement(statement: PrintedStatement): string {
  const { currency, overdue_amount: overdue } = statement
  const money = (amount: number) => formatMinorUnits(amount, currency)
  const period = `${day(statement.period_start_date)} to ${day(statement.period_end_date)}`
  const facts = [
    ['Account holder', statement.customer_name],
    ['Customer', statement.customer_id],
    ['Account', statement.account_id],
    ['Statement', statement.statement_id],
    ['Statement balance', money(statement.statement_balance)],
    ['Minimum due', money(statement.minimum_due)],
    ...(overdue === undefined ? [] : [['Overdue amount', money(overdue)]]),
    ['Payment due date', day(statement.due_date)],
  ]
  const footer = { size: 8, color: grey }
  return [
    box(0, 704, 612, 88, navy),
    text(left, 748, statement.program_name, { size: 16, color: white, bold: true }),
    text(left, 726, 'Account statement', { size: 11, color: white }),
    text(right, 726, period, { size: 11, color: white, toRight: true }),
    ...facts.flatMap(([label = '', value = ''], index) => [
      text(left, 672 - index * 18, label, { color: grey }),
      text(left + 132, 672 - index * 18, value, { bold: index > 3 }),
    ]),

    text(left, 508, 'Summary of this period', { size: 13, color: navy, bold: true }),
    text(right, 508, `Amounts in ${currency}`, { color: grey, toRight: true }),
    box(left, 474, right - left, 22, navy),
    text(left + 12, 481, 'Description', { color: white, bold: true }),
    text(chargedEdge, 481, 'Charged', { color: white, toRight: true }),
    text(creditedEdge, 481, 'Credited', { color: white, toRight: true }),
    box(left, 274, right - left, 25, pale),
    ...[...statementComponents, 'statement_balance' as const].flatMap((name, index) => {
      const [y, bold, amount] = [457 - index * 25, name === 'statement_balance', statement[name]]
      // A zero appears in the column of the usual amounts of its line.
      const credited = amount < 0 || (amount === 0 && /^(payments|credits|refunds)$/.test(name))
      return [
        text(left + 12, y, name.charAt(0).toUpperCase() + name.slice(1).replace('_', ' '), { bold }),
        text(credited ? creditedEdge : chargedEdge, y, money(amount), { bold, toRight: true }),
        box(left, y - 8.5, right - left, 0.5, '0.85 0.87 0.9'),
      ]
    }),
    text(left, 252, 'Charges are positive; amounts credited to you are negative.', { size: 9, color: grey }),

    box(left, 66, right - left, 0.5, grey),
    text(left, 50, 'Sandbox document with test data. Not a bill: no money is owed.', footer),
    text(right, 50, 'Page 1 of 1', { ...footer, toRight: true }),
  ].join('\n')
}

/** The day of an RFC 3339 date-time as written, without converting its offset. */
function day(instant: string): string {
  return instant.slice(0, 10)
}

function box(x: number, y: number, width: number, height: number, color: string): string {
  return `${color} rg ${x} ${y} ${width} ${height} re f`
}

/**
 * A line of text that starts at x or, with `toRight`, ends there. It is cut at the opposite margin. Every PDF reader
 * has Courier built in, and all its characters are 0.6 of the font size wide.
 */
function text(
  x: number,
  y: number,
  value: string,
  { size = 10, color = ink, bold = false, toRight = false },
): string {
  const room = Math.floor((toRight ? x - left : right - x) / (0.6 * size))
  const encoded = winAnsi(value)
  const shown = encoded.length <= room ? encoded : encoded.slice(0, room - 1).trimEnd() + winAnsi('…')
  const start = toRight ? x - shown.length * 0.6 * size : x
  const escaped = shown.replaceAll(/[\\()]/g, '\\$&')
  return `BT ${color} rg ${bold ? '/Bold' : '/Regular'} ${size} Tf ${start.toFixed(2)} ${y} Td (${escaped}) Tj ET`
}

/** The characters of bytes 0x80 to 0x9f in WinAnsi (Windows-1252); "?" marks the five undefined bytes. */
const highControls = '€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ'

/** Encodes a text in WinAnsi, as a string whose characters are the bytes; line breaks and tabs become spaces. */
function winAnsi(value: string): string {
  return Array.from(value.normalize('NFC').replaceAll(/\s+/g, ' '), (character) => {
    if (/[\x20-\x7e\xa1-\xff]/.test(character)) return character
    const index = highControls.indexOf(character)
    return index < 0 ? '?' : String.fromCharCode(0x80 + index)
  }).join('')
}

/** Writes header, numbered objects, offset table and trailer. The first object is the catalog, the last the info. */
function pdfFile(objects: readonly string[]): string {
  // The comment of high bytes marks the file as binary for transfer programs.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  // An entry of the table is exactly 20 bytes, the space before the line feed included.
  let table = '0000000000 65535 f \n'
  for (const [index, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>`
  return `${file}xref\n0 ${size}\n${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`
}
