// Signed links to statement documents (`pdf_url`): creates, signs, expires and verifies them.
import { isSameSecret, sign } from '../../runtime/random.ts'
import type { StatementRow } from '../../store/rows.ts'
import type { Workspace } from '../../workspaces/workspace.ts'

/** The path prefix of the documents behind `pdf_url`. */
export const statementFilesPath = '/_sandbox/files/statements'

/**
 * Short-lived links to statement documents (contract: Statement). A link is signed and expires by the sandbox clock
 * (assumption `pdf_url_lifetime_seconds`). It carries the id of the request that created it: two reads return two
 * links, while the same sequence of requests returns the same links.
 */
export class StatementLinks {
  readonly #key: Buffer
  readonly #lifetime: number
  readonly #baseUrl: URL | undefined

  /**
   * @param key signs the links to workspaces that have no key of their own.
   * @param lifetime in seconds of the sandbox clock.
   */
  constructor(key: Buffer, lifetime: number, baseUrl: URL | undefined) {
    this.#key = key
    this.#lifetime = lifetime
    this.#baseUrl = baseUrl
  }

  /** @param origin the origin of the request, used if no base URL is set. */
  urlFor(statement: StatementRow, workspace: Workspace, nonce: string, origin: string): string {
    const expires = String(workspace.clock.now() + this.#lifetime * 1000)
    const base = this.#baseUrl ? this.#baseUrl.href.replace(/\/$/, '') : origin
    const path = `${statementFilesPath}/${workspace.name}/${encodeURIComponent(statement.statement_id)}.pdf`
    const signature = this.#sign(workspace.keys, workspace.name, statement.statement_id, expires, nonce)
    return `${base}${path}?expires=${expires}&nonce=${nonce}&signature=${signature}`
  }

  /** Whether this sandbox signed the link and it is unchanged. @param keys the keys of its workspace. */
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
