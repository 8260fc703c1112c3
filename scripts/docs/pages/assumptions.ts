import { assumptionCatalogue, assumptionIds } from '../../../src/contract/assumptions.ts'
import { code, codeList, table } from '../markdown.ts'

/** What the contract does not show, in the order of the catalogue. */
export function assumptionsPage(): string {
  return `# Assumptions

What the contract does not show is an assumption: the sandbox does something plausible, and says so. Each has a default;
each that has alternatives can be switched: \`--assume not_found_status=400\`, \`SANDBOX_ASSUME\`, \`assume:\` in the config
file, or \`assume\` of \`createSandbox\`. An answer names those in \`x-sandbox-assumptions\` of
which an alternative would have changed it; \`GET /_sandbox/assumptions\` lists all with the values in force.

[\`matrix\`](coverage.md#matrix) runs your tests with each other value, and so finds those that rest on one. What the sandbox
does not serve at all is an assumption without alternatives.

${table(
  ['id', 'question', 'default', 'alternatives'],
  assumptionIds.map((id) => {
    const entry = assumptionCatalogue[id]
    const range = 'range' in entry ? `any integer from ${entry.range?.[0]} to ${entry.range?.[1]}` : undefined
    return [code(id), entry.question, code(entry.default), range ?? codeList(entry.alternatives)]
  }),
)}`
}
