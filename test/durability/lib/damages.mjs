// Ways in which a file is damaged on a disk or by hand, each with a place that chance decides.

/**
 * @typedef {(below: number) => number} Random
 * @typedef {Readonly<Record<string, Buffer>>} Files by their names.
 * @typedef {(bytes: Buffer, random: Random) => Buffer} Change
 */

/** @param {Buffer} bytes @returns {number[]} where each line begins, and where the file ends. */
function lineStarts(bytes) {
  const starts = [0]
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== bytes.length) starts.push(bytes.length)
  return starts
}

/** @param {Buffer} bytes @param {Random} random @returns {[number, number]} one of its lines. */
function someLine(bytes, random) {
  const starts = lineStarts(bytes)
  const at = random(starts.length - 1)
  return [starts[at] ?? 0, starts[at + 1] ?? 0]
}

/** @type {Change} */
function flipBit(bytes, random) {
  const changed = Buffer.from(bytes)
  const at = random(bytes.length)
  changed[at] = (bytes[at] ?? 0) ^ (1 << random(8))
  return changed
}

/** @type {Change} */
function changeByte(bytes, random) {
  const changed = Buffer.from(bytes)
  const at = random(bytes.length)
  changed[at] = (bytes[at] ?? 0) + 1 + random(255)
  return changed
}

/** A digit of a number becomes another one: what stays a valid document. @type {Change} */
function changeDigit(bytes, random) {
  const digits = [...bytes.keys()].filter((at) => /\d/.test(String.fromCharCode(bytes[at] ?? 0)))
  const at = digits[random(digits.length)] ?? 0
  const changed = Buffer.from(bytes)
  changed[at] = 48 + (((bytes[at] ?? 48) - 48 + 1 + random(9)) % 10)
  return changed
}

/** @type {Change} */
function cutAtLine(bytes, random) {
  const starts = lineStarts(bytes)
  return bytes.subarray(0, starts[random(starts.length - 1)])
}

/** @type {Change} */
function cutWithin(bytes, random) {
  const [start, end] = someLine(bytes, random)
  return bytes.subarray(0, start + 1 + random(Math.max(1, end - start - 2)))
}

/** @type {Change} */
function zero(bytes, random) {
  const changed = Buffer.from(bytes)
  const sizes = [1, 16, 512, 4096, bytes.length]
  const size = sizes[random(sizes.length)] ?? 1
  const at = random(Math.max(1, bytes.length - size))
  return changed.fill(0, at, Math.min(at + size, bytes.length))
}

/** @type {Change} */
function double(bytes, random) {
  if (random(3) === 0) return Buffer.concat([bytes, bytes])
  const [start, end] = someLine(bytes, random)
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
}

/** @type {Change} */
function deleteLine(bytes, random) {
  const [start, end] = someLine(bytes, random)
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
}

/** Changes of the bytes of a file. @type {Readonly<Record<string, Change>>} */
const changes = {
  'bit flipped': flipBit,
  'byte changed': changeByte,
  'digit changed': changeDigit,
  'cut at a line': cutAtLine,
  'cut within a line': cutWithin,
  zeroed: zero,
  doubled: double,
  'line deleted': deleteLine,
}

export const kinds = [...Object.keys(changes), 'deleted', 'swapped']

/**
 * @param {string} kind one of `kinds`.
 * @param {Files} files those of a data file.
 * @param {Files} others those of another data file.
 * @param {string} name which of them is damaged.
 * @param {Random} random
 * @returns {Files | undefined} undefined when that changes nothing.
 */
export function damaged(kind, files, others, name, random) {
  const bytes = files[name] ?? Buffer.alloc(0)
  const { [name]: _gone, ...rest } = files
  if (kind === 'deleted') return rest
  const changed = kind === 'swapped' ? others[name] : changes[kind]?.(bytes, random)
  if (kind === 'swapped' && changed === undefined) return rest
  return changed === undefined || changed.equals(bytes) ? undefined : { ...rest, [name]: changed }
}
