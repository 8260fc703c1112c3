// The preset that is nearest to a provider, which decides what one delivery cannot show.
import type { WebhookDescription } from '../description-type.ts'
import { presets } from '../presets/index.ts'

/** The name of a preset. */
export type PresetName = keyof typeof presets

/** The parts that every preset decides, without those of one delivery. */
export type PresetParts = Pick<WebhookDescription, 'retries' | 'success' | 'disable_on' | 'timeout'>

/**
 * Returns the preset with the most similar signature.
 *
 * @param signed the template of the signed text.
 * @param isThin whether the body has only the id of the resource.
 */
export function nearestPreset(signed: string, isThin: boolean): PresetName {
  if (signed === '{body}') return 'body_hmac'
  if (!signed.includes('{event.id}') && /[.]time[:}]/.test(signed)) return 'timestamped_hmac'
  return isThin ? 'thin' : 'standard'
}

/** Returns the parts of a preset that one delivery cannot show. */
export function partsOfPreset(name: PresetName): PresetParts & { join: string } {
  const { retries, success, disable_on, timeout, signing } = presets[name]
  return { retries, success, disable_on, timeout, join: signing.join }
}
