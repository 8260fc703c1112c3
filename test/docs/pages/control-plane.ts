import { allowOf } from '../../../src/control/define.ts'
import { nouns } from '../../../src/control/index.ts'
import { code, table } from '../markdown.ts'

/** The paths below /_sandbox. */
export function controlPlanePage(): string {
  return `# Control plane

Below \`/_sandbox\` a test arranges, looks and resets while the sandbox runs. Every path takes \`?workspace=NAME\`
(default \`default\`; another one is made on first use). JSON in and out, errors as
\`{"error": {"type", "message", "details"?}}\`. The verbs are those of the [command line](cli.md) and of the
[library](library.md).

${table(
  ['path', 'methods', 'what it is'],
  nouns.map((noun) => [code(noun.path.replace(/:(\w+)/g, '{$1}')), allowOf(noun), noun.about]),
)}`
}
