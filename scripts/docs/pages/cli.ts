import { flagOf, libraryNameOf, optionNames, optionOf, variableOf } from '../../../src/options/index.ts'
import { allVerbs, run } from '../../../src/cli/run.ts'
import type { Verb } from '../../../src/cli/verb.ts'
import { packageRoot } from '../../../src/runtime/host.ts'
import { block, code, codeList, table } from '../markdown.ts'

/** Generates the page of the command line: the help of every verb, and every option. */
export async function cliPage(): Promise<string> {
  const main = await help()
  const remote = (await allVerbs()).filter(isRemote).map(({ name }) => name)
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
Results go to stdout, reports about the verb to stderr. \`start\` prints one line on
stdout, \`Sandbox listening on http://127.0.0.1:4010\`, when it is ready; everything else goes to
stderr. In a checkout, \`npm start\` builds when needed; \`npm start --silent\` omits npm's banner, for scripts that read the first line. Write options after
\`--\`: \`npm start -- --port 0\`.

## Verbs for a running sandbox

${codeList(remote)} and \`scenarios on|off|active\` each call a path of the [control plane](control-plane.md#every-door).

- Options: \`--url\` (\`SANDBOX_URL\`, or \`http://127.0.0.1:4010\`), \`--workspace\` (that of a partner's token, or \`default\`) and \`--admin-token\`
  (\`SANDBOX_ADMIN_TOKEN\`, or the file that \`SANDBOX_ADMIN_TOKEN_FILE\` names). Write them after the whole verb: \`clock advance --days 1\`.
- \`--format json\` prints the answer of the control plane unchanged.
- The control plane creates a workspace on first use. A verb that only reads does not: it exits with 8.

\`\`\`text
state get rewards rwd_ada_pending                           a row; without the id all rows
state patch rewards rwd_ada_pending '{"amount": 500}'       prints the changed row
state dump -o state.json                                    a file for --fixtures and apply
clock advance --days 30                                     2026-12-21T12:00:00.000Z (frozen)
simulate transaction --intent-id int_ada_1                  the transaction, its intent and its reward
scenarios on slow                                           also: off, active
requests --follow --status 404                              until Ctrl-C
replay req_default_3 --header 'x-sandbox-scenario: slow'     in a copy of the workspace; prints the answer
requests verify '{"operation": "updateReward", "count": 1}' exit code 6 if it does not hold
\`\`\`

Pass the body of a request as an argument, as a file (\`@row.json\`, \`@row.yaml\`), or on stdin (\`-\`, or no argument).

## In the background

\`start --detach\` waits until the sandbox serves, prints the first line and \`pid N\` (with \`--log-format json\` the one event),
and exits with 0. If the start fails, it prints the reason and exits with its exit code. The sandbox continues in a session of its own. Its log goes to \`--log-file\`; without it, there is no log. \`stop\` ends it as SIGTERM does, and waits until its port is free.

\`start --stop-with-parent\` ends when its parent process ends, also if that was killed, so that a sandbox never outlives the test runner that started it. With \`npx\` or \`npm run\` the parent is npm, so start the program itself:
\`node_modules/.bin/partner-rewards-sandbox start --stop-with-parent\`. The file of \`--url-file\` exists while the sandbox serves.

## Log

The log has a line for each call on stderr, or in \`--log-file\`: status, method, path with query, workspace and request id, and why it was
refused; for each control-plane request that could change something; and for the end. Secrets are hidden. With \`--log-format json\` these
lines are

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
| 0            | success, also after SIGTERM                                                               |
| 1            | an unexpected error                                                                       |
| 2            | wrong usage; a file cannot be written; the file of a variable such as \`SANDBOX_ADMIN_TOKEN_FILE\` cannot be read; or a running sandbox refused the request (400, 409) |
| 3            | a file does not exist, cannot be read or is invalid: fixtures, scenarios, rows, config, data, target, webhooks, the marker lines of \`init --agents\`; nothing changed |
| 4            | cannot bind                                                                               |
| 5            | \`wait\` ran out of time                                                                    |
| 6            | \`exec\`, \`coverage\`: a gate failed; \`matrix\`: the suite rests on an assumption; \`requests verify\`: it does not hold; \`conform\`: a point is broken; \`calibrate --check\`: a value has changed; \`webhooks check\`: a delivery does not verify |
| 7            | a running sandbox is not reachable or refuses access: a token is missing, wrong, or for another workspace (401, 403, 421); \`conform\`, \`calibrate\`: the service does not answer or refuses the key, or they could check or observe nothing |
| 8            | not found (404), or unhealthy (503): \`health\`, a workspace whose file is damaged, an unavailable store                                 |
| 70           | a bug in the sandbox                                                                             |
| 74           | the data file cannot be written any more, or another sandbox took it over                 |
| 126, 127     | \`exec\`, \`matrix\`: the command may not be executed; there is no such command               |
| 130          | stopped by a second signal; \`matrix\`, and a sandbox that does not serve yet, by the first  |
| of the child | \`exec\`, \`matrix\`: the command's own code if it is not 0; 128 + n if a signal ended it     |

## How exec and matrix run a command

Both start a sandbox on a free port (unless \`--port\`), and run the command with \`SANDBOX_URL\` and \`SANDBOX_API_KEY\`
set. Stdout of \`exec\` is that of the command; its coverage goes to stderr, over all workspaces, including those that were
reset or deleted. \`--report FILE\` (\`.html\`, \`.json\`, \`.txt\`, \`.xml\` for JUnit) may be repeated.

\`matrix\` runs the suite with the assumptions in force, then once for each alternative value of each [assumption](assumptions.md) that its calls rest on
(\`--only\` names some, \`--all\` runs all); for numbers it tries examples. A failing suite must exit with a code other than 0. Each run has its own
sandbox, so \`--data\` has no effect. Stdout gets a line \`assumption=value pass\` or \`fail\` for each, then a table. A run that takes a minute
and ten times as long as the first one counts as failed.

Signals are forwarded to the command. After 8 seconds, or a second SIGTERM or SIGINT, it is killed. At a terminal, Ctrl-C reaches the command directly, and there is no time limit.

${pages.join('\n')}`
}

/** Returns the help of a verb, or without one that of the program. */
async function help(...verb: string[]): Promise<string> {
  let text = ''
  const refuse = (): never => {
    throw new Error('the help starts no program and reads no input')
  }
  await run([...verb, '--help'], {
    stdout: (part) => void (text += part),
    stderr: (part) => void (text += part),
    env: {},
    cwd: packageRoot(),
    pid: 1,
    colour: false,
    terminal: false,
    stopped: new Promise(() => undefined),
    stop: refuse,
    onSignal: () => refuse,
    startProgram: refuse,
    startDetached: refuse,
    parentPid: refuse,
    readStdin: refuse,
    self: ['partner-rewards-sandbox'],
  })
  return text
}

/** Whether a verb, or one nested in it, calls a running sandbox. */
function isRemote({ own = [], verbs = [] }: Verb): boolean {
  return own.some(({ long }) => long === '--url') || verbs.some(isRemote)
}
