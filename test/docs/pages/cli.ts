import { flagOf, optionNames, optionOf, variableOf } from '../../../src/options.ts'
import { cli } from '../../cli/fake-io.ts'
import { block, code, table } from '../markdown.ts'

/** The help of every verb, and every option. */
export async function cliPage(): Promise<string> {
  const help = async (...verb: string[]): Promise<string> => (await cli([...verb, '--help'])).stdout
  const main = await help()
  const verbs = [...main.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, verb = '']) => verb)
  const pages: string[] = []
  for (const verb of verbs) {
    const text = await help(verb)
    pages.push(`## ${verb}\n\n${block('text', text)}`)
    const commands = /^Commands:\n([\s\S]*)$/m.exec(text)?.[1] ?? ''
    for (const [, inner = ''] of commands.matchAll(/^ {2}([a-z]+)(?: |$)/gm)) {
      pages.push(`### ${verb} ${inner}\n\n${block('text', await help(verb, inner))}`)
    }
  }
  return `# Command line

${block('text', main)}
## Options

A flag wins over its variable, that over \`SANDBOX_OPTIONS\` (a whole line of flags), that over the config file
(\`sandbox.config.yaml\`, \`.yml\` or \`.json\` in the working directory, with the names of the last column), that over a
mounted folder, that over the default. Lists are separated by commas in the environment. A relative path is relative to
the file that names it, on the command line to the working directory.

${table(
  ['flag', 'what it does', 'default', 'environment', 'config and library'],
  optionNames.map((name) => {
    const { placeholder, help: about, default: fallback, commandLineOnly } = optionOf(name)
    return [
      code(`${flagOf(name)}${placeholder ? ` ${placeholder}` : ''}`),
      about,
      fallback === undefined ? '' : code(fallback),
      code(variableOf(name)),
      `${code(name)}${commandLineOnly ? ' (not in the library)' : ''}`,
    ]
  }),
)}
## Exit codes

| exit code    | what it means                                                                             |
| ------------ | ----------------------------------------------------------------------------------------- |
| 0            | fine, also after SIGTERM                                                                  |
| 1            | unexpected                                                                                |
| 2            | wrong usage                                                                               |
| 3            | a fixture, scenario, config, data or results file that cannot be used; nothing changed    |
| 4            | cannot bind                                                                               |
| 5            | \`wait\` ran out of time                                                                    |
| 6            | \`exec\`: a gate failed; \`matrix\`: the suite rests on an assumption                         |
| 70           | a bug of ours                                                                             |
| 74           | the data file cannot be written any more                                                  |
| 126, 127     | \`exec\`, \`matrix\`: the command may not be executed; there is no such command               |
| 130          | stopped: by a second signal; \`matrix\`, and what does not serve yet, by the first one      |
| of the child | \`exec\`, \`matrix\`: the command's own code when it is not 0; 128 + n when a signal ended it |

${pages.join('\n')}`
}
