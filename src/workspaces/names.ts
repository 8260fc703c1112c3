// Names of workspaces and snapshots, and their validation.
import { printable } from '../input/problems.ts'
import { InvalidError } from '../input/refusals.ts'

export { defaultWorkspace } from '../store/sequences.ts'

/** Whether a text can name a workspace or a snapshot: names are part of paths, API keys and request ids. */
export function isName(text: unknown): boolean {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(text)
}

/** @throws {InvalidError} for a text that cannot name a workspace or a snapshot. */
export function requireName(kind: 'workspace' | 'snapshot', text: unknown): void {
  if (isName(text)) return
  // Converting a list to text recurses, and a program may pass one of any depth.
  const shown = typeof text === 'object' && text !== null ? 'an object' : String(text)
  throw new InvalidError(`${kind} '${printable(shown)}': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -`)
}
