// All that opens the workspace of one partner: its API keys, its token, and what its cursors and links are signed with.
import type { Credential } from '../contract/credentials.ts'
import { codeOf } from '../runtime/ids.ts'
import { derived, isSameSecret } from '../runtime/random.ts'
import { Cursors } from '../store/cursors.ts'
import type { ApiKeyRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { Isolation } from './isolation.ts'

/** How much of a key derives from its row's id. What is left derives from that, and tells whether a key was made here. */
const lengthOfFront = 12

const shapeOfKey = /^sk_[a-z]+_([0-9a-z]{24})$/

/**
 * Everything here derives from one secret, so that nothing of it needs to be kept beside the isolation. A row of API
 * keys counts only with the key and the secret that derive from its id: who may write rows, as a partner may in a
 * workspace of its own, can still choose no key.
 */
export class PartnerKeys {
  readonly isolation: Isolation
  readonly cursors: Cursors
  /** What links to statement documents are signed with. */
  readonly links: Buffer
  /** Opens the control plane of the workspace. */
  readonly adminToken: string
  readonly #secret: Buffer
  /** The rows that are known to be as they must be. */
  readonly #own = new WeakSet<ApiKeyRow>()

  /** @param root the secret of the sandbox; empty where the lineage holds all that there is to know. */
  constructor(root: string, isolation: Isolation) {
    const { of, lineage, generation } = isolation
    this.isolation = isolation
    this.#secret = derived(root, of, lineage, generation)
    this.cursors = new Cursors(derived(this.#secret, 'cursors'))
    this.links = derived(this.#secret, 'statement-links')
    this.adminToken = `token_${codeOf(derived(this.#secret, 'admin_token'))}.${of}`
  }

  /** The row with the key and the secret that derive from its id. */
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
   * Whether a credential, without its workspace, was made here for some row; whether there still is one the rows say.
   * Nobody else can make one, so that nothing has to be read for anybody else.
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

  /** Gives all keys of a state, which nobody else has, what derives from their ids. */
  call(state: State): void {
    // Written to while they are gone through.
    const rows = [...state.all('api_keys')]
    for (const row of rows) {
      const own = this.keyed(row)
      if (own !== row) state.put('api_keys', own)
    }
  }
}
