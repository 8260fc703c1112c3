// The verb webhooks presets: lists the presets of webhook events, or prints one as a file to edit.
import { presets } from '../../events/presets/index.ts'
import { didYouMean } from '../../input/did-you-mean.ts'
import { CliError, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import type { FlagValues } from '../settings.ts'

/** The description of each preset in the list. */
const about = {
  standard: 'Standard Webhooks with symmetric keys, and the whole resource',
  thin: 'like standard, with only the id of the resource',
  timestamped_hmac: 'one header with the time and the signature as hex',
  body_hmac: 'one header with the signature of the body alone',
  documented: 'a body for each kind, and one header with the time in ms and the signature',
} as const satisfies Record<keyof typeof presets, string>

export async function webhookPresets(name: string | undefined, flags: FlagValues, io: Io): Promise<void> {
  const isJson = flags['format'] === 'json'
  if (name === undefined) {
    if (isJson) return io.stdout(jsonLines({ presets }))
    for (const [preset, text] of Object.entries(about)) io.stdout(`${preset.padEnd(16)}  ${text}\n`)
    return
  }
  const found = Object.entries(presets).find(([preset]) => preset === name)?.[1]
  if (!found) {
    const hint = didYouMean(name, Object.keys(presets), ', without a name, all are listed')
    throw new CliError(`error: unknown preset '${name}'${hint}`)
  }
  if (isJson) return io.stdout(jsonLines(found))
  const { stringify } = await import('yaml')
  io.stdout(stringify(found, { lineWidth: 0, singleQuote: true }))
}
