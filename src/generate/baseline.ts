// The baseline that a sandbox starts with: its fixtures, and the customers that `--generate` makes up beside theirs.
import { loadFixtures, type Baseline, type FixtureOptions } from '../fixtures/load.ts'
import { generateInto, type GenerateOptions } from './generate.ts'

/** What the baseline is made from. */
export interface BaselineOptions extends FixtureOptions, Pick<GenerateOptions, 'progress' | 'elapsed'> {
  /** Customers to make up beside those of the documents. */
  generate?: { customers: number }
}

/** Reads fixtures and adds a population. @throws what `loadFixtures` throws. */
export async function loadBaseline(options: BaselineOptions): Promise<Baseline> {
  const baseline = await loadFixtures(options)
  const { state, sources } = baseline
  if (options.generate) {
    await generateInto(state, {
      ...options,
      customers: options.generate.customers,
      products: [...state.all('products')],
      rounding: options.assumptions.reward_rounding,
    })
    sources.push(`generated (${options.generate.customers} customers)`)
  }
  return baseline
}
