// The createSandbox of the package: under `exec` and `matrix`, a sandbox joins their run.
import { isDeepStrictEqual } from 'node:util'
import { overridden } from '../../input/resolve-assumptions.ts'
import { libraryDefaults } from '../../options/read-options.ts'
import { variableOf, type SandboxOptions } from '../../options/index.ts'
import { systemHost } from '../../runtime/host.ts'
import { createSandbox as createAlone, type Sandbox, type SandboxEvents } from '../index.ts'
import { recordOf } from './call-record.ts'
import { numberInRun, openReport, runVariable, readRunOptions } from './run-folder.ts'

/**
 * Creates a sandbox: loads the fixtures, fills their gaps, and serves the API in process. Opens no port and touches no
 * global.
 *
 * In a program that `exec` or `matrix` runs, the options of the run (fixtures, scenarios, seed, clock, environment,
 * assumptions) are the defaults of `options`, and the calls of the sandbox count for the run.
 *
 * @throws {DocumentError} for fixtures that are no state document, with every problem in them, and for a data file that
 * cannot be used.
 * @throws {OptionsError} for an option that is unknown or has a bad value.
 * @example
 * const sandbox = await createSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })
 * const answer = await sandbox.fetch('/v2/customers', { headers: { authorization: `Bearer ${sandbox.apiKey}` } })
 */
export async function createSandbox(
  options: SandboxOptions = {},
  events: SandboxEvents = {},
): Promise<Sandbox> {
  const folder = systemHost().env[runVariable]
  const runOptions = folder ? readRunOptions(folder) : undefined
  if (!folder || !runOptions) return createAlone(options, events)
  const report = openReport(folder)
  // The sandbox of the run itself is the first.
  const runNumber = numberInRun(folder) + 1
  report({ joined: { process: systemHost().pid, sandbox: runNumber } })
  return createAlone(merged(runOptions.options, options), events, {
    explains: runOptions.explanations === true,
    runNumber,
    onCall: (call) => report({ call: recordOf(call, runOptions.journal) }),
    onRules: (rules) => report({ rules }),
    onReceiver: (receiver) => report({ receiver }),
    onAction: (workspace, entry) => report({ action: { workspace, entry } }),
  })
}

/**
 * Merges the options of the run and of a test. The options of the test win, one by one; so do its assumptions. If the
 * test sets `fixtures`, the run's `generate` does not apply. If it sets `clock`, the run's `frozen` does not apply. If it
 * describes other events, the run's `webhooks` and `webhookSecret` do not apply.
 */
function merged(
  { generate, frozen, webhooks, webhookSecret, ...run }: SandboxOptions,
  own: SandboxOptions,
): SandboxOptions {
  const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const { assume } = libraryDefaults(own)
  const { webhook_events: events = run.assume?.webhook_events } = assume
  // The run exports the secret that signs; its own was ignored if it does not have the form of the events.
  const signing = systemHost().env[variableOf('webhookSecret')] ?? webhookSecret
  const hasOwnEvents =
    events !== run.assume?.webhook_events ||
    (events === 'described' && !isDeepStrictEqual(own.webhooks ?? webhooks, webhooks))
  return {
    ...run,
    ...('fixtures' in said || generate === undefined ? {} : { generate }),
    ...('clock' in said || frozen === undefined ? {} : { frozen }),
    ...(hasOwnEvents || webhooks === undefined ? {} : { webhooks }),
    ...(hasOwnEvents || !webhookSecret || signing !== webhookSecret ? {} : { webhookSecret }),
    ...said,
    assume: overridden(run.assume ?? {}, assume),
  }
}
