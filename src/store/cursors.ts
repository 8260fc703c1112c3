// Opaque, tamper-evident page tokens (contract: list statements). A token has a position and is bound to its workspace
// and account: it is invalid for any other list, and after a change of any character.
import { isSameSecret, sign } from '../runtime/random.ts'

export class Cursors {
  readonly #key: Buffer

  /** @param key the key that signs tokens. */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** Returns the token for a position in the list named by `boundTo`. */
  seal(boundTo: string, place: string): string {
    const signature = sign(this.#key, `${boundTo}\u0000${place}`)
    return Buffer.from(signature + place).toString('base64url')
  }

  /** Returns the position of a token, or undefined if it was not created for this list. */
  open(boundTo: string, token: string): string | undefined {
    if (!/^[A-Za-z0-9_-]{22,1000}$/.test(token)) return undefined
    const place = Buffer.from(token, 'base64url').toString().slice(22)
    // Creating the token again compares the signature, and refuses other spellings of the same bytes.
    return isSameSecret(token, this.seal(boundTo, place)) ? place : undefined
  }
}
