import { allowOf } from '../../../src/control/define.ts'
import { nouns } from '../../../src/control/index.ts'
import { doors } from '../doors.ts'
import { code, table } from '../markdown.ts'

const shownPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** The paths below /_sandbox. */
export function controlPlanePage(): string {
  return `# Control plane

Below \`/_sandbox\` a test arranges, looks and resets while the sandbox runs. Every path takes \`?workspace=NAME\`
(default \`default\`; another one is made on first use). JSON in and out, errors as
\`{"error": {"type", "message", "details"?}}\`. The verbs are those of the [command line](cli.md) and of the
[library](library.md): see [Every door](#every-door). Calls that are to change something are in the
[log](cli.md#log), as an audit trail.

${table(
  ['path', 'methods', 'what it is'],
  nouns.map((noun) => [code(shownPath(noun.path)), allowOf(noun), noun.about]),
)}
## Every door

What can be asked over HTTP can be asked on the [command line](cli.md) and in the [library](library.md) as well.

${table(
  ['over HTTP', 'command line', 'library'],
  doors().map(({ path, method, verbs, noVerb, library = '', noLibrary }) => [
    code(`${method} ${shownPath(path)}`),
    noVerb === undefined ? verbs.map(code).join(', ') : `none: ${noVerb}`,
    noLibrary === undefined ? code(library) : `none: ${noLibrary}`,
  ]),
)}
## Rules

- **What is written is checked like a fixture**: gaps are filled, and the problems of a document are told at once, with
  line and column: the first 100, and how many \`more\` there are; then nothing changes. A row that others name cannot be
  deleted (409).
- **A reset or restore is one step.** A request sees all of the old state or all of the new one, also when its body was
  still on its way: it is then judged again, by the new keys.
- With \`--data\`, writes that still wait for the disk when a reset, restore or new state comes are gone with the old state,
  and answered 503.
- **Reset** goes back to what the workspace began with. **Restore** goes back to a snapshot: rows and ids, and the clock
  if it was set or frozen; scenarios, their counts and request numbers go on. The clock else only goes forward.
- **Stop** answers 202; then the process ends as by SIGTERM. A sandbox inside another program closes, as by
  \`sandbox.close()\`, and the program goes on.
- Bodies may have 1 MiB, state documents 64 MiB; larger ones are for \`--fixtures\`. A document may be 100 levels deep.
- Web pages cannot reach it: an \`Origin\`, a foreign \`Host\` and cross-site requests are refused. Pages of the origins that
  may call the API (loopback ones, and those of \`--cors-origin\`) may read the OpenAPI document, health and statement
  documents, and nothing else. Off loopback it needs \`--admin-token\` or \`--admin open\`.
- The sandbox's own page, \`/_sandbox/ui\`, is the exception. A request with \`Origin\` or \`Sec-Fetch-Site\` is a page's; one
  that is to change something passes where \`Origin\` is the scheme, host and port that are asked (or the origin of
  \`--base-url\`), that host is this machine, an IP address or in \`--allowed-hosts\`, also under \`--admin open\`,
  \`Sec-Fetch-Site\` is \`same-origin\`, and a body is \`application/json\`. Over plain http off loopback browsers send no
  \`Sec-Fetch-Site\`: there the page can only read, unless it has the token. Its files hold no data and need no token.

## Journal

| over HTTP                                                                 | in process                       |                                                |
| ------------------------------------------------------------------------- | -------------------------------- | ---------------------------------------------- |
| \`GET /_sandbox/requests?operation=&status=&outcome=&since=&after=&limit=\`        | \`sandbox.requests.list(filter)\`  | the requests, newest first; \`after\` an id only those that came after it |
| \`GET /_sandbox/requests?format=har\`                                       | \`sandbox.requests.har(filter)\`   | the same as an HTTP Archive                    |
| \`GET /_sandbox/requests/req_default_1\`                                    | \`sandbox.requests.get(id)\`       | one of them, with its \`explanation\`            |
| \`POST /_sandbox/requests/verify\` \`{"operation":"updateReward","count":1}\` | \`sandbox.requests.verify(asked)\` | whether they were made; else what came nearest |
| \`POST /_sandbox/requests/req_default_1/replay\` \`{"headers":{"x-sandbox-scenario":"slow"}}\` | \`sandbox.requests.replay(id, edits)\` | sends it once more, as it was or edited |
| \`DELETE /_sandbox/requests\`                                               | \`sandbox.requests.clear()\`       | forgets them                                   |

On the command line: \`requests\`, \`requests verify\`, \`requests clear\`, \`explain\`, \`replay\`.

**Replay** sends the stored bytes, and not what is shown, straight to the API. Without \`workspace\` it goes into a copy of
the workspace as it is now, \`replay-N\`, so that a running test is not disturbed; the newest 20 of these stay. With it, it goes
into that one, made as a copy where it is not there. It goes there whatever workspace its key names. \`method\`, \`path\` (with
its query), \`headers\` (over those that were sent; null leaves one out) and \`body\` (JSON, or a text that is sent as it is; null
for none) edit it. The answer is 201 with \`{workspace, request_id, status, headers, body}\`, secrets hidden as in the journal;
\`status\` is null where a scenario spoiled the answer on its way. A body that the journal did not keep whole is 409, unless
\`body\` gives one.

**A copy** (\`POST /_sandbox/workspaces\` with \`from\`) begins with rows, ids, clock, and registered and active scenarios with
their counts, as they are now, and a reset goes back to that; snapshots, journal and coverage are its own.

\`?workspace=w3\` is for another workspace than \`default\`, as is \`sandbox.workspace('w3').requests\`.
`
}
