import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { PointCatalogue } from '../../../src/coverage/points/catalogue.ts'
import { anchor, code, table } from '../markdown.ts'

/** Generates the page of the contract points, which coverage counts. */
export function contractPointsPage(): string {
  const points = new PointCatalogue({ values: resolveAssumptions(), environment: 'sandbox' }).list()
  const sections = endpoints.map(({ id }) => {
    const rows = points
      .filter(({ operation }) => operation === id)
      .map((point) => [code(point.id.slice(id.length + 1)), point.sentence, point.section])
    return `## ${id}\n\n${table(['point', 'what a test exercises', 'section of the contract'], rows)}`
  })
  return `# Contract points

The promises of the contract that a partner's tests can exercise: ${points.length} points under the default assumptions in
environment \`sandbox\`. An id is \`OPERATION/POINT\`.

- \`GET /_sandbox/contract\` and \`sandbox.contract()\` list the points of a running sandbox.
- \`coverage\` prints which points your tests exercised, as text, JSON, a single HTML file, or JUnit (a missing point is a skipped
  test). \`--workspace NAME\` (\`?workspace=NAME\`) limits it to a workspace; \`DELETE /_sandbox/coverage\` clears it.

- [What counts](#what-counts)
${endpoints.map(({ id }) => `- [${id}](#${anchor(id)})`).join('\n')}

## What counts

- A **request** counts for every part that the sandbox validated.
- A **response** counts only if the sandbox itself produced it. If a scenario produced or rewrote the answer (\`error\`, \`not_found\`,
  \`respond\`, \`transport\`, …), or the answer is off contract, only the request counts: the test shows that a client handles this answer, not
  that its request causes it. HEAD has no body in its answer, so only its request counts, too.
- A call counts in full if a scenario only changes its context: rows (\`change\`), scopes (\`missing_scope\`), pages within the contract, latency.

${sections.join('\n')}`
}
