// The owner of a workspace (--isolation partner), from which all its keys and links derive.
import { codeOf } from '../runtime/ids.ts'
import { derived } from '../runtime/random.ts'

/** Whose a workspace is. Kept with it, in its file and in a shared store. */
export interface Isolation {
  /** The name of the workspace that was made for a partner; a copy of it has the same. */
  readonly of: string
  /** What no earlier workspace of this name had: all there is to know, or, with `--isolation-secret`, half of it. */
  readonly lineage: string
  /** How often its keys were made anew, from 1 on. */
  readonly generation: number
}

/** Whether the same keys open both. */
export function isSameIsolation(one: Isolation | undefined, other: Isolation | undefined): boolean {
  return one?.of === other?.of && one?.lineage === other?.lineage && one?.generation === other?.generation
}

/** Whether a workspace is a copy that a replay made of that of a partner. */
export function isCopy(workspace: {
  readonly name: string
  readonly isolation: Isolation | undefined
}): boolean {
  const { name, isolation } = workspace
  return isolation !== undefined && isolation.of !== name
}

/** How much of a partner's name stands in those of copies, which have 64 characters at most. */
const maxOfName = 48

/** What the names of a partner's copies begin with, and those of no other partner. */
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

/** The name of the workspace that a token is for, by how it looks; undefined for one that is none of a partner. */
export function ownerOfToken(token: string): string | undefined {
  return tokenOfPartner.exec(token)?.[1]
}
