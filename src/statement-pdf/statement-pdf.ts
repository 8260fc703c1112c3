import { formatMinorUnits } from '../contract/currencies.ts'

/**
 * The document behind a statement's `pdf_url`: one page, written as PDF 1.4 without a library.
 *
 * The same statement always gives the same bytes: no clock, no random id, no compression. Every reader has
 * Helvetica built in, so no font is embedded; its widths below are what right-aligning and cutting need.
 */

/** What the page shows. Dates are RFC 3339 and shown as the day they name; amounts are in minimum units. */
export interface PrintedStatement {
  statement_id: string
  program_name: string
  customer_name: string
  customer_id: string
  account_id: string
  period_start_date: string
  period_end_date: string
  due_date: string
  currency: string
  previous_balance: number
  purchases: number
  payments: number
  credits: number
  refunds: number
  interest: number
  fees: number
  statement_balance: number
  minimum_due: number
  overdue_amount?: number
}

/**
 * Renders a statement as the bytes of a PDF file. Any text is safe: one too long is cut with "…", and what
 * Windows-1252 cannot write becomes "?".
 *
 * @example
 * const pdf = renderStatementPdf({ statement_id: 'st_1', program_name: 'Acme Rewards Card', … })
 * new Response(pdf, { headers: { 'content-type': 'application/pdf' } })
 */
export function renderStatementPdf(statement: PrintedStatement): Uint8Array<ArrayBuffer> {
  const file = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents 4 0 R` +
      ' /Resources << /Font << /Regular 5 0 R /Bold 6 0 R >> >> >>',
    stream(drawStatement(statement)),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    '<< /Title (Account statement) >>',
  ])
  return Uint8Array.from(file, (character) => character.charCodeAt(0))
}

// The page. Points, counted from the lower left corner of US Letter.

const [pageWidth, pageHeight] = [612, 792]
const [left, right] = [48, pageWidth - 48]
const [chargedEdge, creditedEdge] = [430, right - 12]

const [ink, grey, navy, pale, white] = [
  '0.13 0.15 0.19',
  '0.42 0.45 0.5',
  '0.1 0.2 0.36',
  '0.95 0.96 0.98',
  '1 1 1',
]

function drawStatement(statement: PrintedStatement): string {
  const { currency, overdue_amount: overdue } = statement
  const money = (amount: number) => formatMinorUnits(amount, currency)
  const period = `${day(statement.period_start_date)} to ${day(statement.period_end_date)}`

  // A zero stands in the column where its line's amounts usually do.
  const lines: [label: string, amount: number, zeroIsCredit?: boolean][] = [
    ['Previous balance', statement.previous_balance],
    ['Purchases', statement.purchases],
    ['Payments', statement.payments, true],
    ['Credits', statement.credits, true],
    ['Refunds', statement.refunds, true],
    ['Interest', statement.interest],
    ['Fees', statement.fees],
  ]
  const amountAt = (y: number, amount: number, style: TextStyle, zeroIsCredit = false) =>
    text(amount < 0 || (amount === 0 && zeroIsCredit) ? creditedEdge : chargedEdge, y, money(amount), {
      ...style,
      align: 'right',
      room: 124,
    })

  const summary: [label: string, value: string][] = [
    ['Statement balance', money(statement.statement_balance)],
    ['Minimum due', money(statement.minimum_due)],
    ...(overdue === undefined ? [] : [['Overdue amount', money(overdue)] satisfies [string, string]]),
    ['Payment due date', day(statement.due_date)],
  ]
  const cell = (right - left) / summary.length

  return [
    box(0, 704, pageWidth, 88, navy),
    text(left, 748, statement.program_name, { size: 20, color: white }),
    text(left, 726, 'Account statement', { size: 11, color: white }),
    text(right, 726, period, { size: 11, color: white, align: 'right', room: 240 }),

    ...labelled(left, 672, 'Account holder', statement.customer_name, 270),
    ...labelled(left, 636, 'Customer', statement.customer_id, 270),
    ...labelled(342, 672, 'Statement', statement.statement_id, right - 342),
    ...labelled(342, 636, 'Account', statement.account_id, right - 342),

    box(left, 546, right - left, 58, pale),
    ...summary.flatMap(([label, value], index) => {
      const [x, room] = [left + index * cell + 12, cell - 20]
      // An amount must not lose digits, so a long one is set smaller instead of cut.
      const size = Math.min(14, Math.floor((room / widthOf(value)) * 10) / 10)
      return [
        text(x, 584, label, { size: 8.5, color: grey, room }),
        text(x, 562, value, { size, color: navy, bold: true, room }),
      ]
    }),

    text(left, 508, 'Summary of this period', { size: 13, color: navy, bold: true }),
    text(right, 508, `Amounts in ${currency}`, { size: 9, color: grey, align: 'right', room: 240 }),
    box(left, 474, right - left, 22, navy),
    text(left + 12, 481, 'Description', { size: 9, color: white, bold: true }),
    text(chargedEdge, 481, 'Charged', { size: 9, color: white, align: 'right' }),
    text(creditedEdge, 481, 'Credited', { size: 9, color: white, align: 'right' }),
    ...lines.flatMap(([label, amount, zeroIsCredit], index) => {
      const y = 457 - index * 25
      return [
        text(left + 12, y, label),
        amountAt(y, amount, {}, zeroIsCredit),
        box(left, y - 9, right - left, 0.5, '0.85 0.87 0.9'),
      ]
    }),
    box(left, 272, right - left, 26, pale),
    text(left + 12, 281, 'Statement balance', { size: 11, bold: true }),
    amountAt(281, statement.statement_balance, { size: 11, bold: true }),
    text(left, 252, 'Charges are positive; amounts credited to you are negative.', { size: 9, color: grey }),

    box(left, 66, right - left, 0.5, grey),
    text(left, 50, 'Sandbox document with test data. Not a bill: nobody owes or is owed this money.', {
      size: 8.5,
      color: grey,
    }),
    text(right, 50, 'Page 1 of 1', { size: 8.5, color: grey, align: 'right' }),
  ].join('\n')
}

/** The day of an RFC 3339 date-time as it is written, whatever its offset. */
function day(instant: string): string {
  return instant.slice(0, 10)
}

function labelled(x: number, y: number, label: string, value: string, room: number): string[] {
  return [text(x, y, label, { size: 8.5, color: grey, room }), text(x, y - 14, value, { size: 11, room })]
}

// Drawing operators.

interface TextStyle {
  size?: number
  color?: string
  /** For labels, amounts and days only: digits, "," "." and "-" are as wide in bold, letters are not. */
  bold?: boolean
  /** With `right`, x is where the text ends. */
  align?: 'left' | 'right'
  /** The width beyond which a text is cut; by default what is left to the margin. */
  room?: number
}

function text(x: number, y: number, value: string, style: TextStyle = {}): string {
  const { size = 10, color = ink, bold = false, align = 'left' } = style
  const shown = cut(winAnsi(value), (style.room ?? (align === 'left' ? right - x : x - left)) / size)
  const start = align === 'left' ? x : x - widthOf(shown) * size
  const font = bold ? '/Bold' : '/Regular'
  return `BT ${color} rg ${font} ${size} Tf ${start.toFixed(2)} ${y} Td (${escaped(shown)}) Tj ET`
}

function box(x: number, y: number, width: number, height: number, color: string): string {
  return `${color} rg ${x} ${y} ${width} ${height} re f`
}

function escaped(encoded: string): string {
  return encoded.replaceAll(/[\\()]/g, '\\$&')
}

// Text in WinAnsi (Windows-1252), as a string whose characters are the bytes.

/** What bytes 0x80 to 0x9f stand for; "?" marks the five without a meaning. */
const highControls = '€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ'

function winAnsi(value: string): string {
  // Line breaks and tabs are spaces here; a page of fixed lines has no other use for them.
  return Array.from(value.normalize('NFC').replaceAll(/\s+/g, ' '), (character) => {
    if (/[\x20-\x7e\xa1-\xff]/.test(character)) return character
    const index = highControls.indexOf(character)
    return index < 0 ? '?' : String.fromCharCode(0x80 + index)
  }).join('')
}

/** The characters of Helvetica by width in thousandths of the font size, from Adobe's metrics of the font. */
const charactersByWidth: Readonly<Record<number, string>> = {
  191: "'",
  222: 'ijl‘’‚',
  260: '|¦',
  278: ' !,./:;I[\\]ft·ÌÍÎÏìíîï',
  333: '()-`r¡¨¯²³´¸¹\u00adˆ˜“”„‹›',
  334: '{}',
  350: '•',
  355: '"',
  365: 'º',
  370: 'ª',
  389: '*',
  400: '°',
  469: '^',
  500: 'Jcksvxyzçýÿšž',
  537: '¶',
  556: '#$0123456789?L_abdeghnopqu¢£¤¥§«µ»àáâãäåèéêëðñòóôõöùúûüþƒ–†‡€',
  584: '+<=>~¬±×÷',
  611: 'FTZ¿ßøŽ',
  667: '&ABEKPSVXYÀÁÂÃÄÅÈÉÊËÝÞŠŸ',
  722: 'CDHNRUwÇÐÑÙÚÛÜ',
  737: '©®',
  778: 'GOQÒÓÔÕÖØ',
  833: 'Mm',
  834: '¼½¾',
  889: '%æ',
  944: 'Wœ',
  1000: 'ÆŒ—…‰™',
  1015: '@',
}

const widths: ReadonlyMap<string, number> = new Map(
  Object.entries(charactersByWidth).flatMap(([width, characters]) =>
    Array.from(winAnsi(characters), (character) => [character, Number(width) / 1000] as const),
  ),
)

/** How wide an encoded text is at font size 1. */
function widthOf(encoded: string): number {
  let width = 0
  for (const character of encoded) width += widths.get(character) ?? 1
  return width
}

/** Shortens an encoded text to a width at font size 1, ending it in "…". */
function cut(encoded: string, room: number): string {
  if (widthOf(encoded) <= room) return encoded
  const ellipsis = winAnsi('…')
  let width = widthOf(ellipsis)
  let end = 0
  for (const character of encoded) {
    width += widths.get(character) ?? 1
    if (width > room) break
    end += 1
  }
  return encoded.slice(0, end).trimEnd() + ellipsis
}

// The file: header, numbered objects, the table of their offsets, trailer.

function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** Builds a file, its characters standing for bytes. The first object is the catalog, the last the info. */
function pdfFile(objects: readonly string[]): string {
  // The comment of high bytes tells transfer programs that the file is binary.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const size = objects.length + 1
  // An entry is exactly 20 bytes, the space before the line feed included.
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return (
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${entries}` +
    `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  )
}
