// The owners of persisted workspaces (--isolation partner): the same as when they were written, and with the same keys.
import { mayBeOf, type Isolation } from '../../workspaces/isolation.ts'
import type { Owners } from '../../workspaces/owners.ts'
import { checkOf } from './workspace-part.ts'

/** Thrown for storage that was written with other options. */
export class MismatchError extends Error {}

/** Thrown for the files of a workspace that were copied to the name of another one. */
export class ForeignError extends Error {}

/** An owner as it is persisted. `check` tells whether keys derive from it, without revealing it. */
type PersistedIsolation = Isolation & { readonly check: string }

export class OwnersOfWorkspaces {
  readonly #keysOf: Owners['keysOf']
  readonly #known = new Map<string, Isolation>()

  constructor({ keysOf }: Pick<Owners, 'keysOf'>) {
    this.#keysOf = keysOf
  }

  /**
   * Returns the same object for all workspaces of one partner, so that their keys are derived once.
   * @throws {ForeignError} for one of another name, which its partner could neither rotate nor tell from a copy.
   * @throws {MismatchError} if its keys would differ from those that its partner has.
   */
  ownerOf(name: string, { of, lineage, generation, check }: PersistedIsolation): Isolation {
    if (!mayBeOf(of, name)) {
      throw new ForeignError(
        `its file is that of '${of}', which no replay copied here: move it away, or put it back under its own name while no sandbox runs`,
      )
    }
    const id = JSON.stringify([of, lineage, generation])
    const known = this.#known.get(id) ?? { of, lineage, generation }
    this.#known.set(id, known)
    const keys = this.#keysOf(known)
    if (!keys) throw new MismatchError('its workspaces belong to partners: start with --isolation partner')
    if (checkOf(keys) !== check) {
      throw new MismatchError(
        'its keys derive from another --isolation-secret: start with that one, or with none if there was none',
      )
    }
    return known
  }
}
