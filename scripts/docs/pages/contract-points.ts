import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { PointCatalogue } from '../../../src/coverage/points/catalogue.ts'
import { anchor, code, table } from '../markdown.ts'

/** Everything that coverage counts. */
export function contractPointsPage(): string {
  const points = new PointCatalogue({ values: resolveAssumptions(), environment: 'sandbox' }).list()
  const sections = endpoints.map(({ id }) => {
    const rows = points
      .filter(({ operation }) => operation === id)
      .map((point) => [code(point.id.slice(id.length + 1)), point.sentence, point.section])
    return `## ${id}\n\n${table(['point', 'what a test exercises', 'section of the contract'], rows)}`
  })
  return `# Contract points

What the contract promises and a partner's tests can exercise: ${points.length} points under the default assumptions in
environment \`sandbox\`. An id is \`OPERATION/POINT\`. \`GET /_sandbox/contract\` and \`sandbox.contract()\` list those of a
running sandbox; \`coverage\` tells which of them your tests met, as text, JSON, Markdown, one HTML file that loads nothing,
or JUnit (a missing point is a skipped test). \`?workspace=NAME\` or \`--workspace\` narrows it, \`DELETE\` starts again.

- [What counts](#what-counts)
${endpoints.map(({ id }) => `- [${id}](#${anchor(id)})`).join('\n')}

## What counts

What a client **sent** counts wherever the sandbox came to look at it. What it was **answered** counts only when the
answer is the sandbox's own. An answer that a scenario ended (\`error\`, \`not_found\`, \`respond\`, \`transport\`, …) or
rewrote, or that is off contract, counts for its request alone, however true to the contract it looks: it shows that a
client survives the answer, not that its requests bring it about. HEAD, whose answer has no body to look at, counts for
its request alone as well. What a scenario only changes around a call counts in full: rows (\`change\`), scopes (\`missing_scope\`), pages within the contract, latency.

${sections.join('\n')}`
}
