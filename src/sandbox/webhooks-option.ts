// The description of webhook events that the options choose: a preset, a file or an object.
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import { secretProblem } from '../events/endpoints.ts'
import { presets } from '../events/presets/index.ts'
import { didYouMean } from '../input/did-you-mean.ts'
import { DocumentError } from '../input/problems.ts'
import { flagOf, variableOf, type Settings } from '../options/index.ts'
import { OptionsError } from '../options/read-options.ts'
import { shownPath, systemHost } from '../runtime/host.ts'

/**
 * Returns the description of the events that are served; undefined if none are. The module that reads a file is loaded
 * only then.
 *
 * @throws {DocumentError} for a description that cannot be used, with every problem.
 * @throws {OptionsError} for a secret that does not have the form of the description.
 */
export async function webhooksOf(
  settings: Pick<Settings, 'webhooks' | 'webhookSecret'>,
  { webhook_events: value }: Pick<Assumptions, 'webhook_events'>,
): Promise<WebhookDescription | undefined> {
  if (value === 'not_served') return undefined
  const description = await described(settings, value)
  const problem = secretProblem({ secret: settings.webhookSecret }, description)
  if (problem === undefined || isOfRun(settings.webhookSecret)) return description
  const next = `set ${flagOf('webhookSecret')} to such a secret, or omit it`
  throw new OptionsError(`webhookSecret: ${problem} in the description of the events: ${next}`)
}

/**
 * Whether `exec` or `matrix` exported the secret, for events that may have another description: endpoints ignore it then.
 * The variable of a run has its name here, too, as the module of runs needs this one.
 */
function isOfRun(secret: string | undefined): boolean {
  const { env } = systemHost()
  return Boolean(env['SANDBOX_RUN']) && env[variableOf('webhookSecret')] === secret
}

async function described(
  { webhooks }: Pick<Settings, 'webhooks'>,
  value: Exclude<Assumptions['webhook_events'], 'not_served'>,
): Promise<WebhookDescription> {
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
