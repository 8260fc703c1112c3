// Everything that opens the workspace of one partner: its API keys, its token, and the secrets that sign its cursors
// and links.
import type { Credential } from '../contract/credentials.ts'
import { codeOf } from '../runtime/ids.ts'
import { derived, isSameSecret } from '../runtime/random.ts'
import { Cursors } from '../store/cursors.ts'
import type { ApiKeyRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { Isolation } from './isolation.ts'

/**
 * Length of the part of a key that derives from its row's id. The rest derives from that part, and shows whether a key
 * was created here.
 */
const lengthOfFront = 12

const shapeOfKey = /^sk_[a-z]+_([0-9a-z]{24})$/

/**
 * Derives everything from one secret, so that only the isolation must be persisted. A row of API keys is valid only
 * with the key and the secret that derive from its id: a client that may write rows, as a partner may in its own
 * workspace, still cannot choose a key.
 */
export class PartnerKeys {
  readonly isolation: Isolation
  readonly cursors: Cursors
  /** Signs links to statement documents. */
  readonly links: Buffer
  /** The secret from which those of webhook endpoints derive. */
  readonly webhooks: Buffer
  /** Opens the control plane of the workspace. */
  readonly adminToken: string
  readonly #secret: Buffer
  /** Rows that were already verified. */
  readonly #own = new WeakSet<ApiKeyRow>()

  /** @param root the secret of the sandbox; empty if the lineage is the whole secret. */
  constructor(root: string, isolation: Isolation) {
    const { of, lineage, generation } = isolation
    this.isolation = isolation
    this.#secret = derived(root, of, lineage, generation)
    this.cursors = new Cursors(derived(this.#secret, 'cursors'))
    this.links = derived(this.#secret, 'statement-links')
    this.webhooks = derived(this.#secret, 'webhooks')
    this.adminToken = `token_${codeOf(derived(this.#secret, 'admin_token'))}.${of}`
  }

  /** Returns the row with the key and the secret that derive from its id. */
  keyed(row: ApiKeyRow): ApiKeyRow {
    if (this.#own.has(row)) return row
    const apiKey = `sk_${row.environment}_${this.#whole(this.#code('api_key', row.id))}`
    const secret = this.#secretOf(row.id)
    const own = row.api_key === apiKey && row.secret === secret ? row : { ...row, api_key: apiKey, secret }
    this.#own.add(own)
    return own
  }

  /** Whether a row has the key and the secret that derive from its id. */
  isOwn(row: ApiKeyRow): boolean {
    return this.keyed(row) === row
  }

  /**
   * Whether a credential, without its workspace, was created here for some row; the rows say whether it still exists.
   * No other party can create one, so rows need not be read for other credentials.
   */
  made(credential: Credential): boolean {
    const text = credential.scheme === 'bearer' ? credential.token : credential.user
    const [, code] = shapeOfKey.exec(text) ?? []
    if (code !== undefined && isSameSecret(this.#whole(code), code)) return true
    return credential.scheme === 'basic' && isSameSecret(this.#secretOf(text), credential.password)
  }

  #code(purpose: string, of: string): string {
    return codeOf(derived(this.#secret, purpose, of))
  }

  #whole(code: string): string {
    const front = code.slice(0, lengthOfFront)
    return front + this.#code('end_of_api_key', front).slice(lengthOfFront)
  }

  #secretOf(id: string): string {
    return `secret_${this.#code('secret', id)}`
  }

  /** Replaces all keys of a state, which are secret, by those that derive from their ids. */
  replaceKeys(state: State): void {
    // Modified during the iteration.
    const rows = [...state.all('api_keys')]
    for (const row of rows) {
      const own = this.keyed(row)
      if (own !== row) state.put('api_keys', own)
    }
  }
}
