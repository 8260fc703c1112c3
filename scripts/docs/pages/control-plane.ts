import { allowOf } from '../../../src/control/resource.ts'
import { aboutPath, resources } from '../../../src/control/index.ts'
import { sandboxMetrics } from '../../../src/metrics/sandbox-metrics.ts'
import { doors } from '../doors.ts'
import { code, table } from '../markdown.ts'

const shownPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** Generates the page of the control plane: the paths below /_sandbox. */
export async function controlPlanePage(): Promise<string> {
  return `# Control plane

Use the paths below \`/_sandbox\` to prepare, inspect and reset a running sandbox. Every path accepts \`?workspace=NAME\` (default \`default\`; another workspace is created on first use).
Requests and answers are JSON, errors \`{"error": {"type", "message", "details"?}}\`. The [command line](cli.md) and the [library](library.md)
can do the same: see [Every door](#every-door). The [log](cli.md#log) lists requests that could change something, as an audit trail.

${table(
  ['path', 'methods', 'what it is'],
  resources.map((resource) => [code(shownPath(resource.path)), allowOf(resource), aboutPath(resource)]),
)}
## Every door

Every operation over HTTP is also available on the [command line](cli.md) and in the [library](library.md).

${table(
  ['over HTTP', 'command line', 'library'],
  (await doors()).map(({ route, verbs, member }) => [
    code(shownPath(route)),
    verbs.map(code).join(', '),
    member === '' ? '' : code(member),
  ]),
)}
## Rules

- **Writes are validated like fixtures**: missing fields are filled in. If a document has problems, nothing changes, and the answer lists the first 100 with line and column, and the number of \`more\`. A row that other rows refer to cannot be deleted (409).
- **Scenarios**: post one as JSON, or as the text of its file, \`{"text": "name: gone…"}\`, in YAML or JSON; problems of a text have its line numbers.
- **Pages of a collection**: \`limit\` (1 to 1,000), \`after\` (an id) and \`id_prefix\` select rows by ascending id. The last page has fewer
  rows than \`limit\`. \`GET /_sandbox/state?counts=true\` returns the number of rows.
- **A reset or restore is atomic.** A request sees all of the old state or all of the new one. If its body arrives during the reset, it is
  re-run with the new keys.
- With \`--data\`, a reset, restore or new state discards writes that still wait for the disk; their requests are answered 503.
- **Reset** restores the initial state of the workspace. **Restore** restores a snapshot: rows and ids, and the clock
  if it was set or frozen; scenarios, their counters and request numbers continue. Otherwise the clock only moves forward.
- **Stop** answers 202; then the process ends as by SIGTERM. A sandbox inside another program closes, as by
  \`sandbox.close()\`.
- **Expensive answers run two at a time**; up to 256 more wait in order, and others are answered 503 (\`UNAVAILABLE\`) with
  \`Retry-After: 1\`. These are the trace, state documents, a collection without \`limit\`, snapshots and their differences, coverage, the
  OpenAPI document, the HAR, and lists of more than 20 requests. A state document releases its slot while the client reads.
- **Sizes**: bodies may have 1 MiB, state documents 64 MiB; load larger ones by \`--fixtures\`. A document may be 100 levels deep.
- **Web pages cannot use it**: an \`Origin\`, an unknown \`Host\` and cross-site requests are refused. Pages of origins that may call the API
  (loopback, and those of \`--cors-origin\`) may read only the OpenAPI document, health and statement documents. Off loopback the control
  plane needs \`--admin-token\` or \`--admin open\`.
- **The sandbox's own page**, \`/_sandbox/ui\`, is the exception. It may change something if its \`Origin\` equals the requested scheme, host and
  port (or the origin of \`--base-url\`), that host is this machine, an IP address or in \`--allowed-hosts\` (also with \`--admin open\`),
  \`Sec-Fetch-Site\` is \`same-origin\`, and a body is \`application/json\`. Over plain http off loopback, browsers send no
  \`Sec-Fetch-Site\`: there the page can only read, unless it has the token. The files of the page contain no data and need no token.

## Journal

| over HTTP                                                                 | in process                       |                                                |
| ------------------------------------------------------------------------- | -------------------------------- | ---------------------------------------------- |
| \`GET /_sandbox/requests?operation=&status=&outcome=&text=&since=&after=&before=&limit=\` | \`sandbox.requests.list(filter)\` | the requests, newest first; see below |
| \`GET /_sandbox/requests?format=har\`                                       | \`sandbox.requests.har(filter)\`   | the same as an HTTP Archive                    |
| \`GET /_sandbox/requests/req_default_1\` | \`sandbox.requests.get(id)\` | one of them, with its \`explanation\` and the rows it \`reads\` |
| \`GET /_sandbox/requests/req_default_1?format=fixture\` | \`sandbox.requests.fixture(id)\` | those rows as they were then, as a fixture |
| \`POST /_sandbox/requests/verify\` \`{"operation":"updateReward","count":1}\` | \`sandbox.requests.verify(expected)\` | whether matching requests were made; if not, the nearest ones |
| \`POST /_sandbox/requests/req_default_1/replay\` \`{"headers":{"x-sandbox-scenario":"slow"}}\` | \`sandbox.requests.replay(id, edits)\` | sends it again, unchanged or edited |
| \`DELETE /_sandbox/requests\`                                               | \`sandbox.requests.clear()\`       | deletes them                                   |

On the command line: \`requests\`, \`requests verify\`, \`requests clear\`, \`explain\`, \`replay\`.

**Replay** sends the stored bytes, including hidden values, to the API:

- Without \`workspace\`, to a copy of the current workspace, \`replay-N\`, so that a running test is not disturbed; the newest 20 copies stay.
  With it, to that workspace, which is created as a copy if it does not exist. The workspace of the key does not matter.
- \`method\`, \`path\` (with its query), \`headers\` (added to the sent ones; null removes one) and \`body\` (JSON, or a text that is sent
  unchanged; null for none) edit the request.
- The answer is 201 with \`{workspace, request_id, status, headers, body}\`, secrets hidden as in the journal;
  \`status\` is null if a scenario corrupted the answer during the transfer. If the journal does not have the whole body, the answer is 409, unless you pass \`body\`.

**Isolated partners** (\`--isolation partner\`): the token of a partner opens the partner's workspace, which is the default of \`?workspace=\`, and its copies; any other name is 403. A replay goes to a copy, \`NAME-replay-N\`, or to a
workspace of the partner. \`POST /_sandbox/workspaces\` answers \`{name, api_key, created_at, api_keys, admin_token}\`, once. So
does \`POST /_sandbox/workspaces/{name}/rotate\`, which revokes all earlier keys (409 without that option). See
[One instance, many partners](partners.md).

**A copy** (\`POST /_sandbox/workspaces\` with \`from\`) begins with the current rows, ids, clock, and registered and active scenarios with
their counters; a reset restores these. Snapshots, journal and coverage are not copied.

**Filters of the list**:

- \`status\` is one status, a class such as \`4xx\`, or \`lost\`. \`text\` is part of a request, ignoring case: method, path, query,
  id, operation, outcome, error type, key id, product, scenario rules, or a body as JSON without spaces; or a whole
  status. Hidden text is never found.
- \`after\` an id returns the requests after that one, or all if the journal does not have it. \`before\` returns the requests before it, or none if the journal does not have it. \`limit\` returns the newest of these; use \`before\` for the next page.
**The rows of a call**:

- \`reads\` names each row that the handler looked up, in order; of a list every row, including the one after the page, which shows whether
  there are more. It omits the API key.
- \`format=fixture\` answers \`{"fixtures", "unknown"}\`: the rows as the call found them, and the rows that they refer to, as a document for
  \`--fixtures\` and \`createSandbox\`. \`unknown\` lists rows whose values at that time the journal does not have: a row that was not looked up
  has its current values, unless a later call changed it; a deleted row has only its id; of a list there are the first 1,000.

## Stream

\`GET /_sandbox/stream?workspace=NAME\` reports the events of a workspace as they happen, as server-sent events
(\`text/event-stream\`): \`curl -N localhost:4010/_sandbox/stream\`, or \`new EventSource(…)\`.

| event     | data                                | when                                                                                                                                                                           |
| --------- | ----------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ |
| \`request\` | \`{"requests": [entry, …]}\`          | calls were answered, oldest first: journal entries without \`request\` and \`response\`; their \`changes\` are \`{collection, id}\`                                                          |
| \`change\`  | \`{"changes": [{collection, id}, …]}\` | rows were changed, but not by a call: by a state verb, a simulation, a scenario, a restored snapshot or a replaced state (of the last two the first 1,000 rows that differ) |
| \`reset\`   | \`{}\`                                | the workspace was reset, also by a reload                                                                                                                                      |
| \`dropped\` | \`{"count": 12}\`                     | this number of calls is missing at this position: the reader was too slow, or the journal no longer has them                                                                    |

- **Each call is either reported or counted as dropped**, in order. At most 10 events are sent in a second, each with everything that waited. Once 256 kB wait for a reader, further calls are only counted, and further changed rows are omitted.
- **It begins now.** With \`Last-Event-ID\` it continues from there, if the journal still has that call; with an id of another process
  or of a deleted workspace, from the oldest entry. Ids are increasing integers, also after a reset, and are never reused. Between
  two resets, changed rows may be reported after later calls.
- **Heartbeat**: a comment every 15 seconds. The stream ends when its workspace is deleted, and when the sandbox closes. A connection that
  reads nothing for 30 seconds is closed.
- **Limit**: 100 concurrent streams; others are answered 429.

## Health and ready

\`GET /_sandbox/health\` needs no token:

| answer | when |
| ------ | ---- |
| 200 \`{"status":"ok","version","uptime_seconds"}\` | everything works |
| 200 with \`degraded\`, and names in \`damaged\` | with a folder of data, a file cannot be read, reached or written; with a store, values of a workspace cannot be read. Other workspaces are served |
| 503 with \`degraded\` | nothing can be saved |
| 503 with \`store: {status: "away", reason, per_replica}\` | the store does not answer; \`per_replica\` lists what each process has for itself |

\`GET /_sandbox/ready\` is for load balancers, and needs no token: 200 \`{"status":"ready"}\`, or 503
\`{"status":"not_ready","reason"}\` until the state is loaded, and as soon as the process begins to end.
It stays 200 while a store is away, as it is away for [all processes](many-machines.md#when-the-engine-is-away).

On SIGTERM the process refuses new connections immediately, answers calls in flight, and ends. Let the balancer remove it first, or calls are
refused until the balancer notices. Kubernetes does both at the same time, so let the container wait before SIGTERM, with
\`lifecycle: {preStop: {sleep: {seconds: 5}}}\` (before Kubernetes 1.30 \`preStop: {exec: {command: [sleep, "5"]}}\`). Inside
another program, call \`sandbox.drain()\` first and \`sandbox.close()\` later.

## Metrics

\`GET /_sandbox/metrics\` is the text format of Prometheus (0.0.4). With \`--admin-token\`, Prometheus must send the token. Each process reports
its own values since its start; a reset does not change them. Calls of the API are counted over HTTP and in process; preflights, favicons and
the control plane are not.

\`\`\`yaml
scrape_configs:
  - job_name: sandbox
    metrics_path: /_sandbox/metrics
    authorization:
      credentials_file: /etc/prometheus/sandbox-admin-token
    static_configs:
      - targets: ['sandbox-1:4010', 'sandbox-2:4010']
\`\`\`

With a bearer token, any \`Host\` is accepted; without one, names other than localhost must be in \`--allowed-hosts\`.

${table(
  ['metric', 'type', 'labels', 'what it is'],
  sandboxMetrics.map(({ name, type, labels = [], help }) => [
    code(name),
    type,
    labels.map(code).join(', '),
    help,
  ]),
)}
Durations have no \`operation\`, which would add 250 series to every process. The event loop is measured from the first request for metrics on.
Its quantiles cover the time since any client last read them.
`
}
