import { flagOf, libraryNameOf, optionNames, optionOf, variableOf } from '../../../src/options/index.ts'
import { remoteVerbs } from '../../../src/cli/remote/index.ts'
import { cli } from '../../../test/helpers/fake-io.ts'
import { block, code, codeList, table } from '../markdown.ts'

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
Results go to stdout, what was done to stderr. \`start\` prints one line on
stdout, \`Sandbox listening on http://127.0.0.1:4010\`, once everything is loaded and the port is bound; all else goes to
stderr. In a checkout, \`npm start\` builds when needed, \`npm start --silent\` leaves npm's banner out, for scripts that read the first line; options go after
\`--\`, as in \`npm start -- --port 0\`.

## Verbs that ask a running sandbox

${codeList(remoteVerbs.map(({ name }) => name))} and \`scenarios on|off|active\` are each a path of the [control plane](control-plane.md#every-door).
They take \`--url\` (\`SANDBOX_URL\`, else \`http://127.0.0.1:4010\`), \`--workspace\` (that of a partner's token, else \`default\`) and \`--admin-token\`
(\`SANDBOX_ADMIN_TOKEN\`, or the file that \`SANDBOX_ADMIN_TOKEN_FILE\` names). With \`--format json\` they print what the control
plane answers, as it is. Options stand behind the whole verb: \`clock advance --days 1\`.
The control plane makes a workspace when it is first named; a verb that only reads ends with 8 in place of that.

\`\`\`text
state get rewards rwd_ada_pending                           a row; without the id all rows
state patch rewards rwd_ada_pending '{"amount": 500}'       prints the row as it is then
state dump -o state.json                                    what --fixtures and apply take
clock advance --days 30                                     2026-12-21T12:00:00.000Z (frozen)
simulate transaction --intent-id int_ada_1                  the transaction, its intent, what it earned
scenarios on slow                                           and off, and active
requests --follow --status 404                              until Ctrl-C
replay req_default_3 --header 'x-sandbox-scenario: slow'     in a copy of the workspace; prints the answer
requests verify '{"operation": "updateReward", "count": 1}' exit code 6 when it does not hold
\`\`\`

What a verb sends is written as a word, in a file (\`@row.json\`, \`@row.yaml\`), or on stdin (\`-\`, or nothing).

## In the background

\`start --detach\` waits until the sandbox serves, prints the first line and \`pid N\` (with \`--log-format json\` the one event),
and ends with 0; a start that fails says why and ends with its exit code. The sandbox goes on in a session of its own; its log goes to
\`--log-file\`, else nowhere. \`stop\` ends it as SIGTERM does, and waits until its port is free.

\`start --stop-with-parent\` ends when the process is gone that started it, also when that was killed: a sandbox that a test
runner starts leaves nothing behind. Behind \`npx\` or \`npm run\` that process is npm, so start the program itself:
\`node_modules/.bin/partner-rewards-sandbox start --stop-with-parent\`. The file of \`--url-file\` is there as long as the sandbox serves.

## Log

A line for each call on stderr, or in \`--log-file\`: status, method, path with query, workspace and request id, and why it was refused.
Calls of the control plane that were to change something are logged too, and the end. Secrets are hidden. With
\`--log-format json\` these lines are

\`\`\`text
{time, level, event: "request" | "control" | "stop", id, workspace, key_id, method, path, query, operation, status, duration_ms, outcome, reason?}
\`\`\`

Fields that do not apply are null. All other lines have \`time\`, \`level\` and their own \`event\` (\`ready\`, \`notice\`, \`warning\`,
\`problem\`, …). Every verb prints a \`warning\` for a variable that looks like a misspelling of one in the table below.

## Options

Precedence, highest first:

1. the flag
2. its variable
3. \`SANDBOX_OPTIONS\`, a whole line of flags
4. the config file: \`sandbox.config.yaml\`, \`.yml\` or \`.json\` in the working directory, with the names of the table or of the flags
5. a mounted folder
6. the default

- In the environment, separate the items of a list by commas.
- A relative path is relative to the file that names it; on the command line, to the working directory.
- A \`SANDBOX_PORT\` that is a URL, such as \`tcp://10.0.0.1:4010\`, is ignored: Kubernetes and Docker links set it for a service named
  \`sandbox\`.
- \`SANDBOX_ADMIN_TOKEN_FILE=/run/secrets/token\` and \`SANDBOX_ISOLATION_SECRET_FILE\` read the token and the isolation secret from a
  file. One line end at the end of the file is ignored.
- \`--fixtures default\` names the built-in rows, so \`--fixtures default --fixtures mine.yaml\` loads both; \`./default\` is a path.

${table(
  ['flag', 'what it does', 'default', 'environment', 'config file', 'library'],
  optionNames.map((name) => {
    const { placeholder, help: about, default: fallback, commandLineOnly } = optionOf(name)
    return [
      code(`${flagOf(name)}${placeholder ? ` ${placeholder}` : ''}`),
      about,
      fallback === undefined ? '' : code(fallback),
      code(variableOf(name)),
      code(name),
      commandLineOnly ? '' : code(libraryNameOf(name)),
    ]
  }),
)}
## Exit codes

| exit code    | what it means                                                                             |
| ------------ | ----------------------------------------------------------------------------------------- |
| 0            | fine, also after SIGTERM                                                                  |
| 1            | unexpected                                                                                |
| 2            | wrong usage; or a running sandbox refuses it (400, 409)                                   |
| 3            | a fixture, scenario, row, config, data or results file that cannot be used; nothing changed |
| 4            | cannot bind                                                                               |
| 5            | \`wait\` ran out of time                                                                    |
| 6            | \`exec\`: a gate failed; \`matrix\`: the suite rests on an assumption; \`requests verify\`: it does not hold |
| 7            | a running sandbox could not be asked: nothing answers there, or it does not let us in: a token is missing or wrong, or a partner's is for another workspace (401, 403, 421) |
| 8            | it has no such thing (404), or is not well: \`health\`, a workspace whose file is damaged, a store that is away (503)                                 |
| 70           | a bug of ours                                                                             |
| 74           | the data file cannot be written any more, or another sandbox took it over                 |
| 126, 127     | \`exec\`, \`matrix\`: the command may not be executed; there is no such command               |
| 130          | stopped: by a second signal; \`matrix\`, and what does not serve yet, by the first one      |
| of the child | \`exec\`, \`matrix\`: the command's own code when it is not 0; 128 + n when a signal ended it |

## How exec and matrix run a command

Both start a sandbox on a free port (unless \`--port\`), and run the command with \`SANDBOX_URL\` and \`SANDBOX_API_KEY\`
set. Stdout of \`exec\` belongs to the command; what it exercised goes to stderr, over all workspaces, those that were
reset or deleted too. \`--report FILE\` (\`.html\`, \`.md\`, \`.json\`, \`.txt\`, \`.xml\` for JUnit) can be given several times.

\`matrix\` runs the suite as it is, then once for each other value of each [assumption](assumptions.md), or of
those of \`--only\`; of a number it tries examples. The suite must fail with a code other than 0. Each run has a sandbox of
its own, so \`--data\` does not count. Stdout gets a line \`assumption=value pass\` or \`fail\` for each, then a table.
\`--resume FILE\` keeps the results of this command with these options, and goes on from them; the suite as it is always
runs again. A suite that takes a minute, and ten times as long as usual, has failed.

Signals are handed on to the command. After 8 seconds, or a second SIGTERM or SIGINT, it is killed; at a terminal Ctrl-C
reaches it anyway, and it may take its time.

${pages.join('\n')}`
}
