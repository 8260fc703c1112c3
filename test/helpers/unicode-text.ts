import fc from 'fast-check'

/** Any code point but a half of a surrogate pair, like unit `binary` of fast-check, which takes 1.5 s on first use. */
const codePoint = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800))

/** Texts of any characters. */
export const unicodeText = (constraints: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ ...constraints, unit: codePoint })
