// Signed links to statement documents (`pdf_url`): making one, its signature, its expiry.
import { isSameSecret, sign } from '../../runtime/random.ts'
import type { StatementRow } from '../../store/rows.ts'
import type { Workspace } from '../../workspaces/workspace.ts'

/** Where the documents behind `pdf_url` are. */
export const statementFilesPath = '/_sandbox/files/statements'

/**
 * Short-lived links to statement documents (contract: Statement). A link is signed, runs out by the sandbox clock
 * (assumption `pdf_url_lifetime_seconds`), and carries the id of the request that made it, so that two reads give
 * two links while the same requests give the same ones again.
 */
export class StatementLinks {
  readonly #key: Buffer
  readonly #lifetime: number
  readonly #baseUrl: URL | undefined

  /**
   * @param key what links to the workspaces are signed with that have no key of their own.
   * @param lifetime in seconds of the sandbox clock.
   */
  constructor(key: Buffer, lifetime: number, baseUrl: URL | undefined) {
    this.#key = key
    this.#lifetime = lifetime
    this.#baseUrl = baseUrl
  }

  /** @param origin how the client reached the sandbox, for when no base address is set. */
  urlFor(statement: StatementRow, workspace: Workspace, nonce: string, origin: string): string {
    const expires = String(workspace.clock.now() + this.#lifetime * 1000)
    const base = this.#baseUrl ? this.#baseUrl.href.replace(/\/$/, '') : origin
    const path = `${statementFilesPath}/${workspace.name}/${encodeURIComponent(statement.statement_id)}.pdf`
    const signature = this.#sign(workspace.keys, workspace.name, statement.statement_id, expires, nonce)
    return `${base}${path}?expires=${expires}&nonce=${nonce}&signature=${signature}`
  }

  /** Whether a link is one that was made here, and unchanged. @param keys what opens its workspace. */
  isGenuine(
    statementId: string,
    workspaceName: string,
    keys: Workspace['keys'],
    query: URLSearchParams,
  ): boolean {
    const [expires = '', nonce = '', signature = ''] = ['expires', 'nonce', 'signature'].map(
      (name) => query.get(name) ?? '',
    )
    return isSameSecret(signature, this.#sign(keys, workspaceName, statementId, expires, nonce))
  }

  #sign(keys: Workspace['keys'], ...parts: string[]): string {
    return sign(keys?.links ?? this.#key, parts.join('\u0000'))
  }
}
