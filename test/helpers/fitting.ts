// Values of many assumptions at once, for tests that draw each on its own.
import { overridden, type UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'

/** Omits a setting that does not fit an earlier one that it is tied to, so that it follows. */
export function fitting(settings: UnvalidatedSettings): UnvalidatedSettings {
  return Object.entries(settings).reduceRight<UnvalidatedSettings>(
    (later, [id, value]) => overridden(later, { [id]: value }),
    {},
  )
}
