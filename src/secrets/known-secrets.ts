// Every key and secret that any workspace ever held, and the token of the control plane: a record outlives the key it
// shows, as keys go when a state is reset. Those that the sandbox made are left out, as they are known by how they look.
import { isMadeKey, maskCardNumbers, maskMadeKeys } from './mask.ts'

export class KnownSecrets {
  readonly #secrets = new Set<string>()
  #pattern: RegExp | undefined
  readonly #others: KnownSecrets | undefined

  /** @param others secrets that are hidden, too, also those that are noted there later. */
  constructor(others?: KnownSecrets) {
    this.#others = others
  }

  /** Takes the key and the secret out of rows of API keys. */
  note(keys: Iterable<object>): void {
    for (const row of keys) {
      for (const [field, text] of Object.entries(row)) {
        if ((field === 'api_key' || field === 'secret') && typeof text === 'string') this.add(text)
      }
    }
  }

  /** Takes a secret of another kind. */
  add(secret: string): void {
    if (secret === '' || this.#secrets.has(secret) || isMadeKey(secret)) return
    this.#secrets.add(secret)
    this.#pattern = undefined
  }

  /** Hides all of them in a text. */
  mask(text: string): string {
    if (this.#others) return this.#own(this.#others.mask(text))
    return this.#own(text)
  }

  #own(text: string): string {
    if (this.#secrets.size === 0) return text
    this.#pattern ??= patternOf(this.#secrets)
    return text.replace(this.#pattern, '***')
  }

  /** Hides them, every card number and every key that the sandbox made: what is left may stand in a log. */
  hide(text: string): string {
    return maskMadeKeys(maskCardNumbers(this.mask(text)))
  }
}

/** Longest first, so that a part of one never hides it only partly. */
function patternOf(secrets: Iterable<string>): RegExp {
  const spellings = new Set([...secrets].flatMap(spellingsOf))
  const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g')
}

/** A secret as it is, and as it stands in JSON text and in addresses. */
function spellingsOf(secret: string): string[] {
  const text = Buffer.from(secret).toString()
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(text)]
}
