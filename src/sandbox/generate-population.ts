// Generates a population for `generate` as a state document, without starting a sandbox.
import { defaultSeed, type SandboxOptions } from '../options/index.ts'
import { libraryDefaults, OptionsError } from '../options/read-options.ts'
import { monotonicNow, systemHost } from '../runtime/host.ts'
import { loadFixtures } from '../fixtures/load.ts'
import { assumptionsInForce } from './assumptions-in-force.ts'
import { baselineOptions } from './inputs.ts'
import type { SandboxEvents } from './events.ts'

/**
 * Generates a state document with a population that is the same for the same seed and products. Write it in chunks: the
 * text of a large population exceeds JavaScript's maximum length of a string.
 *
 * @throws {OptionsError} without `generate`. @throws {DocumentError} for fixtures that cannot be used.
 * @example
 * for (const piece of documentText(await generatePopulation({ generate: { customers: 1000 } }))) file.write(piece)
 */
export async function generatePopulation(
  options: SandboxOptions,
  events: SandboxEvents = {},
): Promise<Readonly<Record<string, unknown>>> {
  const settings = libraryDefaults(options)
  if (!settings.generate) throw new OptionsError('generate: expected how many, as in { customers: 1000 }')
  const { values: assumptions } = await assumptionsInForce(settings, events)
  const { state } = await loadFixtures(baselineOptions(settings, assumptions, systemHost().cwd))
  const { generateDocument } = await import('../generate/generate.ts')
  return generateDocument({
    ...settings.generate,
    seed: settings.seed ?? defaultSeed,
    products: [...state.all('products')],
    rounding: assumptions.reward_rounding,
    ...(events.onProgress ? { progress: events.onProgress } : {}),
    elapsed: monotonicNow,
  })
}
