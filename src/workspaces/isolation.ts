// The owner of a workspace (--isolation partner), from which all its keys and links derive.
import { codeOf } from '../runtime/ids.ts'
import { derived } from '../runtime/random.ts'

/** The owner of a workspace. It is persisted with it, in its file or in a store. */
export interface Isolation {
  /** The name of the workspace that was created for a partner; a copy of it has the same. */
  readonly of: string
  /** A value that no earlier workspace of this name had: the whole secret or, with `--isolation-secret`, half of it. */
  readonly lineage: string
  /** How often its keys were rotated, starting at 1. */
  readonly generation: number
}

/** Whether the same keys open both. */
export function isSameIsolation(one: Isolation | undefined, other: Isolation | undefined): boolean {
  return one?.of === other?.of && one?.lineage === other?.lineage && one?.generation === other?.generation
}

/** Whether a workspace is a copy that a replay created from that of a partner. */
export function isCopy(workspace: {
  readonly name: string
  readonly isolation: Isolation | undefined
}): boolean {
  const { name, isolation } = workspace
  return isolation !== undefined && isolation.of !== name
}

/** How many characters of a partner's name are in those of copies, which have at most 64. */
const maxOfName = 48

/** Returns the prefix of the names of a partner's copies, which no other partner's copies have. */
export function beginOfCopies(of: string): string {
  if (of.length <= maxOfName) return `${of}-replay-`
  const code = codeOf(derived('', of)).slice(0, 8)
  return `${of.slice(0, maxOfName - 1 - code.length)}-${code}-replay-`
}

/** Whether a workspace may be that of a partner or a copy of it, by its name. */
export function mayBeOf(of: string, name: string): boolean {
  const begin = beginOfCopies(of)
  return name === of || (name.startsWith(begin) && /^\d+$/.test(name.slice(begin.length)))
}

/** Whether a name looks like that of a partner's copy. */
export const isNameOfCopy = (name: string): boolean => /-replay-\d+$/.test(name)

const tokenOfPartner = /^token_[0-9a-z]{24}\.([A-Za-z0-9_-]{1,64})$/

/** Returns the name of the workspace of a token, by its format; undefined if it is no token of a partner. */
export function ownerOfToken(token: string): string | undefined {
  return tokenOfPartner.exec(token)?.[1]
}
