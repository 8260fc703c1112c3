import { assumptionCatalogue, assumptionIds, valuesOf } from '../../../src/contract/assumptions.ts'
import { metFirst } from '../../../src/contract/assumptions/met-first.ts'
import type { AssumptionEntry } from '../../../src/contract/assumptions/assumption-entry.ts'
import { tieOf } from '../../../src/contract/tied-assumptions.ts'
import { code, codeList, table } from '../markdown.ts'

/** Generates the page of the assumptions: those that nearly every partner meets, then all of them. */
export function assumptionsPage(): string {
  return `# Assumptions

The contract leaves some questions open. For each, the sandbox assumes a plausible answer, which you can change:
\`--assume not_found_status=400\`, \`SANDBOX_ASSUME\`, \`assume:\` in the config file, or \`assume\` of \`createSandbox\`.

## Check these first

Nearly every integration meets these assumptions, the first ones most often. Compare them with your service.

${table(
  ['id', 'question', 'default'],
  Object.entries<AssumptionEntry>(metFirst).map(([id, entry]) => [
    code(id),
    entry.question,
    code(entry.default),
  ]),
)}
## How answers and tools show them

- \`x-sandbox-assumptions\` lists the assumptions whose alternatives would have changed this answer; for numbers, one of the values in
  the table counts.
- \`GET /_sandbox/assumptions\` lists all assumptions with their current values.
- The header does not list two of them when the sandbox cannot know: \`intent_network_id_reuse\` while it accepts, and
  \`reward_rounding\` of a reward that was computed earlier.
- What only bytes could notice is fixed, and no assumption: see [Limits](limits.md#fixed-behaviour).

**All versions answer alike** (\`version_differences\`): the contract shows no difference between them. A test that passes
under two versions here does not show that an upgrade is safe.

[\`calibrate\`](is-it-true.md) observes which values a service has, and writes a file. With \`--calibrated FILE\`, a sandbox assumes the observed values; an explicit \`--assume\` wins. \`GET /_sandbox/assumptions\` shows for each
its \`provenance\` (\`default\`, \`set\` or \`calibrated\`, with host and date), which tied one it \`follows\`, and whether it is \`observable\`, as the last column does.

[\`matrix\`](coverage.md#matrix) runs your tests with each other value, and so finds the tests that depend on an assumption. A part of the API that the sandbox does not serve is an assumption without alternatives.

## Tied assumptions

${tiedAssumptions()}

## All assumptions

The order is the same everywhere: assumptions that you probably meet first come first. *Evidence* says whether public documentation of a
service of this family shows the default; it is no promise of yours.

${table(
  ['id', 'question', 'default', 'alternatives', 'evidence', 'observable'],
  assumptionIds.map((id) => {
    const entry: AssumptionEntry = assumptionCatalogue[id]
    const { question, range, alternatives, unobservable, documented } = entry
    const others = range ? `any integer from ${range[0]} to ${range[1]}` : codeList(alternatives)
    const observable = unobservable === undefined ? 'yes' : `no: ${unobservable}`
    const evidence = documented ? 'documented' : 'none'
    return [code(id), question, code(entry.default), others, evidence, observable]
  }),
)}`
}

/** Generates the tie of two assumptions, seen from both: each value with those of the other one that fit. */
function tiedAssumptions(): string {
  const assigned = (id: string, values: readonly (string | number)[]): string =>
    codeList(values.map((value) => `${id}=${value}`))
  const tied = assumptionIds.flatMap((id) => {
    const tie = tieOf(id)
    return tie ? [{ id, tie }] : []
  })
  const reasons = new Set(tied.map(({ tie: { because } }) => because))
  const rows = tied.flatMap(({ id, tie }) =>
    valuesOf(id).map((value) => [assigned(id, [value]), assigned(tie.other, tie.fitting(value))]),
  )
  return `With values that do not fit each other, ${[...reasons].join('; ')}. If you set one of two tied assumptions, the other one follows: it
gets the first value that fits. If you set both to values that do not fit, the sandbox does not start (exit 2). An observed value yields to
one that you set.

${table(['value', 'fits'], rows)}`
}
