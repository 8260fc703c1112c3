import { resolveAssumptions } from '../../../src/contract/assumptions.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { PointCatalogue } from '../../../src/journal/points/catalogue.ts'
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
environment \`sandbox\`. An id is \`OPERATION/POINT\`. \`GET /_sandbox/contract\` lists those of a running sandbox, and
\`coverage\` tells which of them your tests met.

${endpoints.map(({ id }) => `- [${id}](#${anchor(id)})`).join('\n')}

${sections.join('\n')}`
}
