// The baseline that a sandbox starts with: its fixtures, and the customers that `--generate` adds.
import { loadFixtures, type Baseline, type FixtureOptions } from '../fixtures/load.ts'
import { generateInto, type GenerateOptions } from './generate.ts'

/** The inputs of the baseline. */
export interface BaselineOptions extends FixtureOptions, Pick<GenerateOptions, 'progress' | 'elapsed'> {
  /** Customers to generate in addition to those of the documents. */
  generate?: { customers: number }
}

/** Loads fixtures and adds a population. @throws the errors of `loadFixtures`. */
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
