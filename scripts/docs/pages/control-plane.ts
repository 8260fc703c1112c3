import { allowOf } from '../../../src/control/define.ts'
import { nouns } from '../../../src/control/index.ts'
import { sandboxMetrics } from '../../../src/metrics/sandbox-metrics.ts'
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
- **A scenario is posted** as JSON, or as the text of its file, \`{"text": "name: gone…"}\`, in YAML or JSON; the problems of a
  text are told at its lines.
- **A collection comes by page** with \`limit\` (1 to 1,000), \`after\` an id and \`id_prefix\`: by ascending id, and a page of fewer
  rows than \`limit\` is the last one. \`GET /_sandbox/state?counts=true\` says how many rows there are.
- **A reset or restore is one step.** A request sees all of the old state or all of the new one, also when its body was
  still on its way: it then runs again, with the new keys.
- With \`--data\`, writes that still wait for the disk when a reset, restore or new state comes are gone with the old state,
  and answered 503.
- **Reset** goes back to what the workspace began with. **Restore** goes back to a snapshot: rows and ids, and the clock
  if it was set or frozen; scenarios, their counts and request numbers go on. The clock else only goes forward.
- **Stop** answers 202; then the process ends as by SIGTERM. A sandbox inside another program closes, as by
  \`sandbox.close()\`, and the program goes on.
- **Expensive answers are produced a few at a time**: one of each client, two in all, in slices of 8 ms, so that calls of
  the API and health are answered in between. They are the trace, state documents, a collection without \`limit\`, snapshots and
  their differences, coverage, the OpenAPI document, the HAR, and lists of more than 20 requests. A client is a token, or the
  address of its connection where no token is configured. Of each client 64 wait, and 256 in all; one more is answered 503
  (\`UNAVAILABLE\`) with \`Retry-After: 1\`. Calls in process (\`sandbox.fetch\`) are one client, and wait without this limit.
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
| \`GET /_sandbox/requests?operation=&status=&outcome=&text=&since=&after=&before=&limit=\` | \`sandbox.requests.list(filter)\` | the requests, newest first; see below |
| \`GET /_sandbox/requests?format=har\`                                       | \`sandbox.requests.har(filter)\`   | the same as an HTTP Archive                    |
| \`GET /_sandbox/requests/req_default_1\` | \`sandbox.requests.get(id)\` | one of them, with its \`explanation\` and the rows it \`reads\` |
| \`GET /_sandbox/requests/req_default_1?format=fixture\` | \`sandbox.requests.fixture(id)\` | those rows as they were then, as a fixture |
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

**Partners apart** (\`--isolation partner\`): the token of a partner opens its own workspace, which is also meant where
\`?workspace=\` is left out, and its copies; any other name is 403. A replay then goes into a copy, \`NAME-replay-N\`, or into a
workspace of the partner. \`POST /_sandbox/workspaces\` answers \`{name, api_key, created_at, api_keys, admin_token}\`, once, and so
does \`POST /_sandbox/workspaces/{name}/rotate\`, which ends all keys of before (409 without that option). See
[One instance, many partners](partners.md).

**A copy** (\`POST /_sandbox/workspaces\` with \`from\`) begins with rows, ids, clock, and registered and active scenarios with
their counts, as they are now, and a reset goes back to that; snapshots, journal and coverage are its own.

- \`status\` is one, or a class such as \`4xx\`. \`text\` is part of what is shown of a request, in any case: method, path, query,
  id, operation, outcome, type of the error, key id, product, scenario rules, or a body, JSON without spaces; or a whole
  status. What is hidden is not found.
- \`after\` an id gives only the requests that came after that one, and all where the journal does not hold it; \`before\` those
  that came before it, and none where it does not. \`limit\` gives the newest of them, so that \`before\` goes on with the next page.
- \`reads\` names each row that the handler looked up, once, in order; of a list every row, also the one behind the page that
  tells whether there is more. The API key is not among them.
- \`format=fixture\` answers \`{"fixtures", "unknown"}\`: the rows as the call found them, whole as in every state document, and
  the rows that they name, so that \`--fixtures\` and \`createSandbox\` load it, with the built-in API keys. \`unknown\` says of
  which rows the journal does not know what they were then: one that was named and not looked up is as it is now, unless a
  later call changed it; one that is gone has its id alone; and of a list the first 1,000 are kept.

\`?workspace=w3\` is for another workspace than \`default\`, as is \`sandbox.workspace('w3').requests\`.

## Stream

\`GET /_sandbox/stream?workspace=NAME\` tells what happens in a workspace as it happens, as server-sent events
(\`text/event-stream\`): \`curl -N localhost:4010/_sandbox/stream\`, or \`new EventSource(…)\`.

| event     | data                                | when                                                                                                                                                                           |
| --------- | ----------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ |
| \`request\` | \`{"requests": [entry, …]}\`          | calls were answered, oldest first: journal entries without \`request\` and \`response\`; their \`changes\` are \`{collection, id}\`                                                          |
| \`change\`  | \`{"changes": [{collection, id}, …]}\` | rows were changed by something else than a call: a state verb, a simulation, a scenario, a restored snapshot or a replaced state (of these two the first 1,000 rows that differ) |
| \`reset\`   | \`{}\`                                | the workspace was reset, also by a reload                                                                                                                                      |
| \`dropped\` | \`{"count": 12}\`                     | so many calls are not told, here in their order: the reader was too slow, or the journal no longer has them                                                                    |

- **Calls told and calls dropped are always all of them**, in order. At most 10 events leave in a second, each with all that
  waited; once 256 kB wait for a reader, further calls are counted, and further changed rows left out.
- **It begins now.** With \`Last-Event-ID\` it goes on from there, as far as the journal reaches; with an id of another process,
  or of a workspace that was deleted, from the oldest entry. Ids are whole numbers that rise, also over a reset, and never come
  again. Between two resets, changed rows may be told after calls that came later.
- A comment comes every 15 seconds. The stream ends when its workspace is deleted and when the sandbox closes, which does not
  wait for it. A connection that takes nothing for 30 seconds is closed.
- A sandbox has 100 streams at once; one more is answered 429.

## Health and ready

\`GET /_sandbox/health\` is 200 with \`{"status":"ok","version","uptime_seconds"}\`, and 503 with \`degraded\` while nothing can be
saved. With a folder of data, a workspace whose file is damaged or cannot be reached or written makes it
\`degraded\`, too, with its name in \`damaged\`; it stays 200, as the others are served, also where a full disk names all
that were written to. With a store that several processes share it has \`store: {status, reason?, per_replica}\`, too, and is 503 while that is
\`away\`; \`per_replica\` names what each process has for itself. \`damaged\` then names the workspaces whose values in the store
this replica could not read.

\`GET /_sandbox/ready\` is for balancers, and open like health: 200 \`{"status":"ready"}\`, or 503
\`{"status":"not_ready","reason"}\` until the state is there, and from the moment on in which the process is asked to end.
It stays 200 while a store is away, which it is for [all replicas](many-machines.md#when-the-engine-is-away).

On SIGTERM new connections are refused at once, calls in flight are answered, and the process ends. A balancer needs a
moment to notice, in which its calls would be refused: let it take the process out first. Kubernetes does both at the same
time, so a container waits before it is told, with \`lifecycle: {preStop: {sleep: {seconds: 5}}}\` (before Kubernetes 1.30
\`preStop: {exec: {command: [sleep, "5"]}}\`); the 30 seconds of \`terminationGracePeriodSeconds\` are enough for both. Inside
another program, \`sandbox.drain()\` says so to balancers, and \`sandbox.close()\` ends it later.

## Metrics

\`GET /_sandbox/metrics\` is the text format of Prometheus (0.0.4), guarded as the rest is: with \`--admin-token\` Prometheus
sends the token. Each process tells of itself alone, from its start on; a reset takes nothing back. Calls of the API are
counted over HTTP and in process, as the journal has them; what browsers send by themselves and the control plane are not.

\`\`\`yaml
scrape_configs:
  - job_name: sandbox
    metrics_path: /_sandbox/metrics
    authorization:
      credentials_file: /etc/prometheus/sandbox-admin-token
    static_configs:
      - targets: ['sandbox-1:4010', 'sandbox-2:4010']
\`\`\`

A bearer token lets it in whatever the \`Host\` is; without one, a name beside localhost has to be in \`--allowed-hosts\`.

${table(
  ['metric', 'type', 'labels', 'what it is'],
  sandboxMetrics.map(({ name, type, labels = [], help }) => [
    code(name),
    type,
    labels.map(code).join(', '),
    help,
  ]),
)}
Durations have no \`operation\`: with 18 buckets for each of 13 it would be 250 series more for every process. The event loop
is watched from the first time on that this is asked, so that who does not ask pays nothing for it; its quantiles are of
the time since they were last read, by whomever.
`
}
