import { exitCodes, type Io } from './io.ts'
import type { FlagValues } from './settings.ts'

export async function generate(_flags: FlagValues, _io: Io): Promise<number> {
  return exitCodes.fine
}
