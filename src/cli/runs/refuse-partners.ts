// A run is one partner's tests of its own client: there is nobody to keep apart from it.
import type { CommandSettings } from '../../options/index.ts'
import { CliError } from '../io.ts'

/** @throws {CliError} where partners are to be kept apart: no key that the command could be given would open anything. */
export function refusePartners({ isolation }: Pick<CommandSettings, 'isolation'>, verb: string): void {
  if (isolation !== 'partner') return
  throw new CliError(
    `error: --isolation: 'partner' is for an instance that several partners share, and ${verb} starts one for a single command: leave it out`,
  )
}
