// Every key and secret that any workspace ever had, and the token of the control plane. A journal entry may outlive the
// key in it, as a reset removes keys. Generated keys are omitted, as they are recognized by their format.
import { isGeneratedKey, maskCardNumbers, maskMadeKeys } from './mask.ts'

export class KnownSecrets {
  readonly #secrets = new Set<string>()
  #pattern: RegExp | undefined
  readonly #others: KnownSecrets | undefined

  /** @param others secrets that are also masked, including those that are added to it later. */
  constructor(others?: KnownSecrets) {
    this.#others = others
  }

  /** Adds the key and the secret of rows of API keys. */
  note(keys: Iterable<object>): void {
    for (const row of keys) {
      for (const [field, text] of Object.entries(row)) {
        if ((field === 'api_key' || field === 'secret') && typeof text === 'string') this.add(text)
      }
    }
  }

  /** Adds any other secret. */
  add(secret: string): void {
    if (secret === '' || this.#secrets.has(secret) || isGeneratedKey(secret)) return
    this.#secrets.add(secret)
    this.#pattern = undefined
  }

  /** Masks all secrets in a text. */
  mask(text: string): string {
    if (this.#others) return this.#own(this.#others.mask(text))
    return this.#own(text)
  }

  #own(text: string): string {
    if (this.#secrets.size === 0) return text
    this.#pattern ??= patternOf(this.#secrets)
    return text.replace(this.#pattern, '***')
  }

  /** Masks all secrets, every card number and every generated key, so that the text may appear in a log. */
  hide(text: string): string {
    return maskMadeKeys(maskCardNumbers(this.mask(text)))
  }
}

/** Longest first, so that a secret which is part of another does not mask only that part. */
function patternOf(secrets: Iterable<string>): RegExp {
  const spellings = new Set([...secrets].flatMap(spellingsOf))
  const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g')
}

/** Returns a secret as it is, in JSON text and in URLs. */
function spellingsOf(secret: string): string[] {
  const text = Buffer.from(secret).toString()
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(text)]
}
