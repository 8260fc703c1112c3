// The partners of a sandbox that keeps them apart: what a new workspace of one gets, and the keys that this gives.
import type { Isolation } from './isolation.ts'
import { PartnerKeys } from './partner-keys.ts'

/** What tells workspaces of one name from each other that follow each other. */
interface Lineages {
  /** `--isolation-secret`; without it all that there is to know is in the lineages. */
  readonly secret: string | undefined
  /** Another one each time. @param earlier how many workspaces had this name in this process. */
  next(earlier: number): string
}

export class Partners {
  readonly #lineages: Lineages
  readonly #begun = new Map<string, number>()
  readonly #known = new WeakMap<Isolation, PartnerKeys>()

  constructor(lineages: Lineages) {
    this.#lineages = lineages
  }

  /** What a workspace that is made for a partner is known by. */
  begin(of: string): Isolation {
    const earlier = this.#begun.get(of) ?? 0
    this.#begun.set(of, earlier + 1)
    return { of, lineage: this.#lineages.next(earlier), generation: 1 }
  }

  keysOf(isolation: Isolation): PartnerKeys {
    const known = this.#known.get(isolation)
    if (known) return known
    const keys = new PartnerKeys(this.#lineages.secret ?? '', isolation)
    this.#known.set(isolation, keys)
    return keys
  }
}
