// Whether the token of a partner still holds, asked again where its request waited: it may be ended at any time.
import type { Bindings } from '../http/context.ts'
import { Refusal } from './refusal.ts'

/** What of a request tells whose it is. */
interface Asker {
  readonly env: Bindings | undefined
}

export function isHeld({ env }: Asker): boolean {
  return env?.partner?.holds() !== false
}

/** The refusal of a partner whose token was ended meanwhile: it is told nothing else, not even what is there now. */
export function endedToken(): Refusal {
  return new Refusal('UNAUTHORIZED', 'This token was ended meanwhile.')
}

/** @throws {Refusal} for a partner whose token was ended meanwhile. */
export function requireHeld(asker: Asker): void {
  if (!isHeld(asker)) throw endedToken()
}
