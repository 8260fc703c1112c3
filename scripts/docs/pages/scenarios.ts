import { builtIn } from '../built-in-scenarios.ts'
import { anchor, block } from '../markdown.ts'

/** The built-in scenarios, each as its file has it. */
export function scenariosPage(): string {
  const scenarios = builtIn()
  return `# Scenarios

The ${scenarios.length} built-in scenarios. They work on any fixtures. Use one for a single request by the header
\`x-sandbox-scenario: NAME\`, from the start by \`--scenario NAME\`, for one API key by the \`scenarios\` of its row, or in a
running workspace:

\`\`\`sh
npx partner-rewards-sandbox scenarios on slow
\`\`\`

To write your own, start from one of these: \`npx partner-rewards-sandbox scenarios NAME > mine.yaml\`, change its name, and
check it with \`validate mine.yaml\`. What a rule can do is in [Effects](effects.md).

${scenarios.map(({ name, description }) => `- [${name}](#${anchor(name)}): ${description}`).join('\n')}

${scenarios.map(({ name, text }) => `## ${name}\n\n${block('yaml', text)}`).join('\n')}`
}
