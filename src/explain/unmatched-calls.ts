// Counts calls that matched no endpoint, by their mistake.
import type { Endpoint } from '../endpoints/define.ts'
import { endpoints } from '../endpoints/index.ts'
import { maskInPath } from '../secrets/mask.ts'
import { nearestEndpoint } from './nearest-endpoint.ts'
import { cut, onOneLine } from './quoted-values.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'

/** Calls that match no endpoint, all with the same mistake. */
export interface UnmatchedCall {
  method: string
  /** The path of the first of them, with secrets hidden. */
  path: string
  /** Their number. */
  count: number
  /** The endpoint that they probably meant, such as `GET /v2/rewards/{reward_id}`; null if none is similar. */
  nearest: string | null
  /** Every difference from it, in words. */
  differs: readonly string[]
}

/** The common properties of such calls. */
export type UnmatchedKind = Omit<UnmatchedCall, 'count'>

/** Maximum number of kinds: a scan of all paths must not fill the memory. */
const maxKinds = 1_000

/**
 * The calls of all workspaces that matched no endpoint, by their mistake: a wrong word in a path is one mistake,
 * whatever ids the path has. Separate from the journal, which drops old calls and is cleared by a reset.
 */
export class UnmatchedCalls {
  readonly #secrets: KnownSecrets
  readonly #basePath: string
  readonly #endpoints: readonly Endpoint[]
  readonly #kinds = new Map<string, UnmatchedCall>()
  /** The number of calls, including those of kinds that are not stored. */
  total = 0

  /**
   * @param basePath the path of `--base-url`, which is stripped from those of calls.
   * @param served the endpoints that a call may have meant.
   */
  constructor(secrets: KnownSecrets, basePath: string, served: readonly Endpoint[] = endpoints) {
    this.#secrets = secrets
    this.#basePath = basePath
    this.#endpoints = served
  }

  add(method: string, path: string): void {
    this.count(this.kindOf(method, path))
  }

  /** Returns the mistake of a call that no endpoint matches, with secrets hidden. */
  kindOf(method: string, path: string): UnmatchedKind {
    const shown = this.#shown(path)
    const near = nearestEndpoint(method, shown, this.#endpoints)
    const nearest = near ? `${near.endpoint.method} ${near.endpoint.path}` : null
    return {
      method: cut(onOneLine(method)),
      path: cut(shown),
      nearest,
      differs: near?.differs.map(cut) ?? [],
    }
  }

  count(kind: UnmatchedKind): void {
    this.total += 1
    const { method, path, nearest, differs } = kind
    const key = JSON.stringify([method, nearest, differs.length > 0 ? differs : path])
    const same = this.#kinds.get(key)
    if (same) same.count += 1
    else if (this.#kinds.size < maxKinds) this.#kinds.set(key, { method, path, count: 1, nearest, differs })
  }

  /** The kinds, in the order of their first calls. */
  list(): UnmatchedCall[] {
    return [...this.#kinds.values()].map((call) => ({ ...call }))
  }

  /** Secrets are hidden before it is shortened: a part of a secret could not be recognized. */
  #shown(path: string): string {
    const own = path.startsWith(`${this.#basePath}/`) ? path.slice(this.#basePath.length) : path
    return onOneLine(maskInPath(own, (text) => this.#secrets.hide(text)))
  }
}
