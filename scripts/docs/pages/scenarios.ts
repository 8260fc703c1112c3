import { builtIn } from '../built-in-scenarios.ts'
import { anchor, block } from '../markdown.ts'

/** Generates the page of the built-in scenarios, each with the text of its file. */
export function scenariosPage(): string {
  const scenarios = builtIn()
  return `# Scenarios

The ${scenarios.length} built-in scenarios work on any fixtures. Switch one on for a single request (the header
\`x-sandbox-scenario: NAME\`), from the start (\`--scenario NAME\`), for one API key (the \`scenarios\` of its row), or in a
running workspace:

\`\`\`sh
npx partner-rewards-sandbox scenarios on slow
\`\`\`

To write your own, start from one of these: \`npx partner-rewards-sandbox scenarios NAME > mine.yaml\`, change its name, and
check it with \`validate mine.yaml\`. [Effects](effects.md) lists the effects of rules.

${scenarios.map(({ name, description }) => `- [${name}](#${anchor(name)}): ${description}`).join('\n')}

${scenarios.map(({ name, text }) => `## ${name}\n\n${block('yaml', text)}`).join('\n')}`
}
