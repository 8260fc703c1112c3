// Refuses `--isolation partner` for a run: a run has the tests of one partner.
import type { CommandSettings } from '../../options/index.ts'
import { CliError } from '../io.ts'

/** @throws {CliError} with `--isolation partner`: no key that the command could get would open anything. */
export function refusePartners({ isolation }: Pick<CommandSettings, 'isolation'>, verb: string): void {
  if (isolation !== 'partner') return
  throw new CliError(
    `error: --isolation: 'partner' is for an instance that several partners share, and ${verb} starts one for a single command: omit it`,
  )
}
