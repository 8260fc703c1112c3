// The description of webhook events that the options choose: a preset, a file or an object.
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import { presets } from '../events/presets/index.ts'
import { didYouMean } from '../input/did-you-mean.ts'
import { DocumentError } from '../input/problems.ts'
import type { Settings } from '../options/index.ts'
import { shownPath, systemHost } from '../runtime/host.ts'

/**
 * Returns the description of the events that are served; undefined if none are. The module that reads a file is loaded
 * only then.
 *
 * @throws {DocumentError} for a description that cannot be used, with every problem.
 */
export async function webhooksOf(
  { webhooks }: Pick<Settings, 'webhooks'>,
  { webhook_events: value }: Pick<Assumptions, 'webhook_events'>,
): Promise<WebhookDescription | undefined> {
  if (value === 'not_served') return undefined
  if (value !== 'described') return presets[value]
  const { readDescription } = await import('../events/read-description.ts')
  const { readSource, sourceFromObject } = await import('../input/source-file.ts')
  if (typeof webhooks !== 'string') return readDescription(sourceFromObject(webhooks, 'webhooks'))
  const { cwd } = systemHost()
  const path = resolve(cwd, webhooks)
  const shown = shownPath(path, cwd)
  // A word without a dot or a slash is probably a misspelt preset.
  if (/^\w+$/.test(basename(path)) && !existsSync(path)) {
    const message = `no preset and no file is called '${basename(path)}'${didYouMean(basename(path), Object.keys(presets))}`
    throw new DocumentError([{ source: shown, path: '', message }])
  }
  return readDescription(await readSource(path, shown))
}
