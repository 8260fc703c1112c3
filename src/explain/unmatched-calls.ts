// Counts the calls that met no endpoint, by the mistake in them.
import { maskInPath } from '../secrets/mask.ts'
import { nearestEndpoint } from './nearest-endpoint.ts'
import { cut, onOneLine } from './quoted-values.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'

/** Calls that no endpoint has, all with the same mistake. */
export interface UnmatchedCall {
  method: string
  /** The path of the first of them, without what must not be shown. */
  path: string
  /** How many there were. */
  count: number
  /** The endpoint that they most likely meant, such as `GET /v2/rewards/{reward_id}`; null when none is like it. */
  nearest: string | null
  /** Everything in which they differ from it, in words. */
  differs: readonly string[]
}

/** What such calls have in common. */
export type UnmatchedKind = Omit<UnmatchedCall, 'count'>

/** More mistakes than anybody reads; a scan of all paths must not fill the memory. */
const maxKinds = 1_000

/**
 * The calls of all workspaces that met no endpoint, by the mistake in them: a wrong word in a path is one mistake,
 * whatever ids the path holds. Kept apart from the journal, which drops what is old and is emptied by a reset.
 */
export class UnmatchedCalls {
  readonly #secrets: KnownSecrets
  readonly #basePath: string
  readonly #kinds = new Map<string, UnmatchedCall>()
  /** How many calls there were, also of kinds that are not kept. */
  total = 0

  /** @param basePath the path of `--base-url`, which is stripped from those of calls. */
  constructor(secrets: KnownSecrets, basePath: string) {
    this.#secrets = secrets
    this.#basePath = basePath
  }

  add(method: string, path: string): void {
    this.count(this.kindOf(method, path))
  }

  /** What is wrong with a call that no endpoint has, without what must not be shown. */
  kindOf(method: string, path: string): UnmatchedKind {
    const shown = this.#shown(path)
    const near = nearestEndpoint(method, shown)
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

  /** Hidden before it is cut: a part of a secret could not be told. */
  #shown(path: string): string {
    const own = path.startsWith(`${this.#basePath}/`) ? path.slice(this.#basePath.length) : path
    return onOneLine(maskInPath(own, (text) => this.#secrets.hide(text)))
  }
}
