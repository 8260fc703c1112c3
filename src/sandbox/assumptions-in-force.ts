// The assumptions in force, as the options have them: what is set, over what a calibrated file says, over the defaults.
import { resolve } from 'node:path'
import type { Settings } from '../options/index.ts'
import { assumptionsWith, type AssumptionsInForce } from '../input/resolve-assumptions.ts'
import { packageVersion, shownPath, systemHost } from '../runtime/host.ts'
import type { SandboxEvents } from './events.ts'

/**
 * Reads the calibrated file, where the options name one; what that needs is loaded for nobody else.
 *
 * @throws {DocumentError} for a calibrated file that cannot be used. One of another version is told as a warning.
 */
export async function assumptionsInForce(
  { assume, calibrated }: Pick<Settings, 'assume' | 'calibrated'>,
  { onWarning }: Pick<SandboxEvents, 'onWarning'>,
): Promise<AssumptionsInForce> {
  if (calibrated === undefined) return assumptionsWith(assume)
  const { readCalibrated, otherVersion } = await import('../input/calibrated-file.ts')
  const { cwd } = systemHost()
  const path = resolve(cwd, calibrated)
  const file = await readCalibrated(path, shownPath(path, cwd))
  const warning = otherVersion(file, packageVersion())
  if (warning) onWarning?.(warning)
  return assumptionsWith(assume, file)
}
