import { OptionsError } from '../../options/read-options.ts'
import { generatePopulation } from '../../sandbox/generate-population.ts'
import { exitCodes, type Io } from '../io.ts'
import { writeResult } from '../output.ts'
import { readSettings, type FlagValues } from '../settings.ts'

const usualCustomers = 1000

/** Writes a state document with a generated population for the products of the fixtures. */
export async function generate(flags: FlagValues, io: Io): Promise<number> {
  const {
    fixtures,
    seed,
    assume,
    allowAnyPan,
    generate: population,
  } = await readSettings(fromCustomers(flags), io)
  const document = await generatePopulation(
    {
      fixtures,
      assume,
      allowAnyPan,
      generate: population ?? { customers: usualCustomers },
      ...(seed === undefined ? {} : { seed }),
    },
    { onProgress: (line) => io.stderr(`${line}\n`) },
  )
  await writeResult(document, flags['output'], io)
  return exitCodes.fine
}

/** `--customers 50` says the same as `--generate customers=50`. */
function fromCustomers(flags: FlagValues): FlagValues {
  const { customers } = flags
  if (typeof customers !== 'string') return flags
  if (!/^[1-9]\d{0,7}$/.test(customers)) {
    throw new OptionsError(`--customers: '${customers}' must be an integer from 1 to 10000000`, '--customers')
  }
  return { ...flags, generate: `customers=${customers}` }
}
