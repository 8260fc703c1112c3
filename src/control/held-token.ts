// Checks again whether the token of a partner is valid after its request waited: it may be revoked at any time.
import type { Bindings } from '../http/context.ts'
import { Refusal } from './refusal.ts'

/** The parts of a request that identify the caller. */
interface Asker {
  readonly env: Bindings | undefined
}

export function isHeld({ env }: Asker): boolean {
  return env?.partner?.holds() !== false
}

/** The refusal of a partner whose token was revoked meanwhile: it reveals nothing else. */
export function endedToken(): Refusal {
  return new Refusal('UNAUTHORIZED', 'This token was revoked meanwhile.')
}

/** @throws {Refusal} for a partner whose token was revoked meanwhile. */
export function requireHeld(asker: Asker): void {
  if (!isHeld(asker)) throw endedToken()
}
