// The verb generate: writes a state document with a generated population for the products of the fixtures.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defaultSeed } from '../../options/index.ts'
import { OptionsError } from '../../options/read-options.ts'
import { documentText } from '../../fixtures/dump.ts'
import { isYamlName, mebibyte, maxYaml } from '../../input/source-file.ts'
import { generatePopulation } from '../../sandbox/generate-population.ts'
import type { Io } from '../io.ts'
import { writeResult } from '../output.ts'
import { libraryOptions, readSettings, type FlagValues } from '../settings.ts'

const defaultCustomers = 1000

export async function generate(flags: FlagValues, io: Io): Promise<void> {
  const settings = await readSettings(fromCustomers(flags), io)
  const document = await generatePopulation(
    {
      generate: { customers: defaultCustomers },
      ...libraryOptions(settings, ['generate', 'fixtures', 'seed', 'assume', 'calibrated', 'allowAnyPan']),
    },
    { onProgress: (line) => io.stderr(`${line}\n`) },
  )
  const { output } = flags
  const what = `a state document with seed ${settings.seed ?? defaultSeed}`
  if (typeof output !== 'string' || !isYamlName(output))
    return writeResult(documentText(document), output, io, what)
  const { yamlDocument } = await import('../../fixtures/dump-yaml.ts')
  await writeResult(yamlDocument(document), output, io, what)
  const { size } = await stat(resolve(io.cwd, output))
  if (size <= maxYaml) return
  const [is, may] = [(size / mebibyte).toFixed(1), maxYaml / mebibyte]
  io.stderr(
    `warning: '${output}' has ${is} MiB, and the limit for YAML is ${may} MiB: write .json, or use fewer --customers\n`,
  )
}

/** `--customers 50` is the same as `--generate customers=50`. */
function fromCustomers(flags: FlagValues): FlagValues {
  const { customers } = flags
  if (typeof customers !== 'string') return flags
  if (!/^[1-9]\d{0,7}$/.test(customers)) {
    throw new OptionsError(`--customers: '${customers}' must be an integer from 1 to 10000000`, '--customers')
  }
  return { ...flags, generate: `customers=${customers}` }
}
