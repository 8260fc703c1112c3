// createSandbox as the package gives it: beside `exec` and `matrix`, a sandbox joins their run.
import { libraryDefaults } from '../../options/read-options.ts'
import type { SandboxOptions } from '../../options/index.ts'
import { systemHost } from '../../runtime/host.ts'
import { createSandbox as createAlone, type Sandbox, type SandboxEvents } from '../index.ts'
import { recordOf } from './call-record.ts'
import { numberInRun, openReport, runVariable, termsOfRun } from './run-folder.ts'

/**
 * Creates a sandbox: loads the fixtures, fills their gaps, and serves the API in process. Opens no port and touches
 * no global.
 *
 * In a program that `exec` or `matrix` runs, it begins with what the run was given (fixtures, scenarios, seed, clock,
 * environment, assumptions) where `options` say nothing else, and its calls count for the run.
 *
 * @throws {DocumentError} for fixtures that are no state document, with every problem in them, and for a data file
 * that cannot be used.
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
  const terms = folder ? termsOfRun(folder) : undefined
  if (!folder || !terms) return createAlone(options, events)
  const report = openReport(folder)
  report({ joined: { process: systemHost().pid } })
  return createAlone(merged(terms.options, options), events, {
    explains: terms.explanations === true,
    firstName: numberInRun(folder) * namesOfSandbox,
    onCall: (call) => report({ call: recordOf(call, terms.journal) }),
    onRules: (rules) => report({ rules }),
    onAction: (workspace, entry) => report({ action: { workspace, entry } }),
  })
}

/** How many generated names each sandbox of a run has for itself. */
const namesOfSandbox = 2 ** 16

/**
 * What a test says wins, option by option; of assumptions one by one. Rows of its own have no generated ones beside
 * them, and a clock of its own moves, unless it says so.
 */
function merged({ generate, frozen, ...run }: SandboxOptions, own: SandboxOptions): SandboxOptions {
  const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  return {
    ...run,
    ...('fixtures' in said || generate === undefined ? {} : { generate }),
    ...('clock' in said || frozen === undefined ? {} : { frozen }),
    ...said,
    assume: { ...run.assume, ...libraryDefaults(own).assume },
  }
}
