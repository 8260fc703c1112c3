// The id that stands at one place of a seed's sequence: a prefix and 12 characters that look random and repeat for
// the same seed and place. Different places never collide, as the first 7 characters are a bijection of the place.
//
// @example idAt(1, 0, 'int')   // 'int_' and 12 characters
import { hash32, mix32 } from './random.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export function idAt(seed: number, place: number, prefix: string): string {
  const salt = hash32('ids', seed)
  const first = mix32((place ^ salt) >>> 0)
  const second = mix32(Math.imul(first, 0x9e3779b1) ^ salt)
  return `${prefix}_${base32(first, 7)}${base32(second, 5)}`
}

function base32(value: number, length: number): string {
  let text = ''
  let rest = value >>> 0
  for (let count = 0; count < length; count++) {
    text = (alphabet[rest & 31] ?? '0') + text
    rest >>>= 5
  }
  return text
}
