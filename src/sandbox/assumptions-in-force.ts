// Resolves the values of the assumptions: the `assume` option, then the calibrated file, then the defaults.
import { resolve } from 'node:path'
import type { Settings } from '../options/index.ts'
import { assumptionsWith, type AssumptionsInForce } from '../input/resolve-assumptions.ts'
import { packageVersion, shownPath, systemHost } from '../runtime/host.ts'
import type { SandboxEvents } from './events.ts'

/**
 * Reads the calibrated file if the options name one. The module that reads it is loaded only then.
 *
 * @throws {DocumentError} for a calibrated file that cannot be used. A file for another version causes a warning.
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
