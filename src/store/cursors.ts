// Opaque, tamper-evident page tokens (contract: list statements). A token carries a place and is bound to what it
// was made for: it opens for the same workspace and account only, and not at all when a character of it is changed.
import { isSameSecret, sign } from '../runtime/random.ts'

export class Cursors {
  readonly #key: Buffer

  /** @param key what tokens are signed with. */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** The token for a place in the list named by `boundTo`. */
  seal(boundTo: string, place: string): string {
    const signature = sign(this.#key, `${boundTo}\u0000${place}`)
    return Buffer.from(signature + place).toString('base64url')
  }

  /** The place a token stands for, or undefined when it was not made for this list. */
  open(boundTo: string, token: string): string | undefined {
    if (!/^[A-Za-z0-9_-]{22,1000}$/.test(token)) return undefined
    const place = Buffer.from(token, 'base64url').toString().slice(22)
    // Making the token again compares the signature, and refuses other spellings of the same bytes.
    return isSameSecret(token, this.seal(boundTo, place)) ? place : undefined
  }
}
