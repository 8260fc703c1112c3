// The verbs for a running sandbox, each a thin client of its control plane: health, reset, state, clock, …
import { Option } from 'commander'
import { reportFormats } from '../../coverage/reports/index.ts'
import { optionNames, optionOf } from '../../options/index.ts'
import { collectionNames } from '../../store/rows.ts'
import {
  endpointFields,
  endpointTypes,
  eventFields,
  fieldOptions,
  requestFilters,
  rowPages,
  waitFields,
} from './fields.ts'
import { outputFile, type LazyVerb, type Verb } from '../verb.ts'
import type { Operation } from '../../operations/declare.ts'
import type { Target } from '../../operations/index.ts'
import { verbsOf } from './operation-verbs.ts'
import { ofAllWorkspaces, remote } from './remote-verb.ts'

const state = () => import('./state.ts')
const requests = () => import('./requests.ts')
const events = () => import('./events.ts')
const endpoints = () => import('./webhooks.ts')
const workspaces = () => import('./workspaces.ts')
const activeScenarios = () => import('./scenarios.ts')

const collection = ['<collection>', 'such as customers, or account or stubs'] as const
/** The message if no collection was named. */
const collections = `Collections: ${[...collectionNames, 'account', 'stubs'].join(', ')}.`
const sent = ['[json]', 'JSON, @FILE to read it from a file, or - for stdin (default: stdin)'] as const
/** The workspace of the verbs that name an event. */
const ofEvent = "the workspace (default: the one that the id names, that of a partner's token, or default)"
const allWorkspaces = {
  workspace: ofAllWorkspaces,
  isAboutAll: true,
} as const

/** A verb whose operations are loaded when it is called. @param about of the group, if no operation has its name. */
function lazy(
  name: string,
  load: () => Promise<readonly Operation<Target>[]>,
  about?: string,
  others: readonly Verb[] = [],
): LazyVerb {
  return {
    name,
    load: async () => {
      const { own, nested } = verbsOf(name, await load())
      const verbs = [...nested, ...others]
      return {
        name,
        about: '',
        ...own,
        ...(about !== undefined && { about }),
        ...(verbs.length > 0 && { verbs }),
      }
    },
  }
}

export const remoteVerbs: readonly (Verb | LazyVerb)[] = [
  remote({
    name: 'health',
    about: 'print the health of a running sandbox',
    reads: false,
    routes: ['GET /_sandbox/health'],
    work: async (call) => (await import('./health.ts')).health(call),
  }),
  remote({
    name: 'coverage',
    about: 'print the contract points that calls to a running sandbox exercised',
    workspace: 'only the calls in this workspace (default: those in all workspaces)',
    options: optionNames.filter((name) => optionOf(name).verbs?.includes('coverage')),
    own: [
      new Option('--format <format>', 'the output format').choices(reportFormats).default('text'),
      outputFile,
    ],
    isAboutAll: true,
    reads: true,
    routes: ['GET /_sandbox/coverage'],
    work: async (call) => (await import('./coverage.ts')).coverage(call),
  }),
  remote({
    name: 'explain',
    about: 'explain why a running sandbox gave an answer',
    workspace: 'the workspace of the request or event (default: the one that its id names)',
    args: [['<request-id>', 'the x-sandbox-request-id of its answer, or a webhook event such as evt_1']],
    routes: ['GET /_sandbox/requests/:id', 'GET /_sandbox/events/:id'],
    work: async (call) => (await import('./explain.ts')).explain(call),
  }),
  remote({
    name: 'replay',
    about: 'send an earlier request again, unchanged or edited, and print the answer',
    workspace:
      'the workspace to send it to, created as a copy if it does not exist (default: a new copy, replay-N)',
    args: [['<request-id>', 'the x-sandbox-request-id of its answer']],
    own: [
      new Option('--method <method>', 'the method in place of the original'),
      new Option('--path <path>', 'the path, with its query, in place of the original'),
      new Option(
        '--header <line>',
        "a header such as 'x-service-version: latest', repeatable; a header without a value is removed",
      ).argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]),
      new Option(
        '--body <body>',
        'the body in place of the original; @FILE to read it from a file, or - for stdin',
      ),
    ],
    reads: true,
    routes: ['POST /_sandbox/requests/:id/replay'],
    work: async (call) => (await import('./replay.ts')).replay(call),
  }),
  remote({
    name: 'wait',
    about: 'wait until a sandbox is ready',
    own: [new Option('--timeout <seconds>', 'timeout').default('30')],
    reads: false,
    routes: ['GET /_sandbox/health'],
    work: async (call) => (await import('./health.ts')).waitUntilReady(call),
  }),
  lazy('reset', async () => (await import('../../operations/reset.ts')).resetOperations),
  remote({
    name: 'apply',
    about: 'activate a scenario in a running sandbox, or replace its state',
    args: [['<files...>', 'scenarios, and at most one state document']],
    routes: ['PUT /_sandbox/state', 'POST /_sandbox/scenarios'],
    work: async (call) => (await import('./apply.ts')).apply(call),
  }),
  lazy(
    'snapshot',
    async () => (await import('../../operations/snapshots.ts')).snapshotOperations,
    'save, compare and restore the rows of a running sandbox',
  ),
  {
    name: 'state',
    about: 'read and write the rows of a running sandbox',
    help: `
A write is validated like a fixture, and missing fields are filled in. account is one row and stubs are one list: neither
takes an id. apply replaces the whole state by a document.`,
    verbs: [
      remote({
        name: 'get',
        about: 'print a row, or all rows of a collection',
        hint: collections,
        args: [collection, ['[id]']],
        own: fieldOptions(rowPages),
        routes: [
          'GET /_sandbox/state/:collection',
          'GET /_sandbox/state/:collection/:id',
          'GET /_sandbox/state/account',
          'GET /_sandbox/state/stubs',
        ],
        work: async (call) => (await state()).get(call),
      }),
      remote({
        name: 'put',
        about: 'add a row, or replace the one with this id, and print it',
        hint: collections,
        args: [collection, ['[id]'], sent],
        routes: [
          'PUT /_sandbox/state/:collection/:id',
          'PUT /_sandbox/state/account',
          'PUT /_sandbox/state/stubs',
        ],
        work: async (call) => (await state()).write(call),
      }),
      remote({
        name: 'patch',
        about: 'change some fields of a row (JSON Merge Patch: null removes a field), and print it',
        hint: collections,
        args: [collection, ['[id]'], sent],
        routes: ['PATCH /_sandbox/state/:collection/:id', 'PATCH /_sandbox/state/account'],
        work: async (call) => (await state()).write(call),
      }),
      remote({
        name: 'delete',
        about: 'delete a row that no other row refers to',
        hint: collections,
        args: [collection, ['<id>']],
        routes: ['DELETE /_sandbox/state/:collection/:id'],
        work: async (call) => (await state()).remove(call),
      }),
      remote({
        name: 'dump',
        about: 'print the whole state as a document for --fixtures and apply',
        own: [outputFile],
        routes: ['GET /_sandbox/state'],
        work: async (call) => (await state()).dump(call),
      }),
    ],
  },
  lazy(
    'clock',
    async () => (await import('../../operations/clock.ts')).clockOperations,
    'print or move the clock of a running sandbox',
  ),
  lazy(
    'simulate',
    async () => (await import('../../operations/simulation.ts')).simulationOperations,
    'simulate events that no API call causes: a transaction arrives, a statement closes',
  ),
  {
    name: 'events',
    about: 'the webhook events of a running sandbox that serves them (--webhooks)',
    verbs: [
      remote({
        name: 'list',
        about: 'list the events, oldest first',
        own: fieldOptions(eventFields),
        routes: ['GET /_sandbox/events'],
        work: async (call) => (await events()).listEvents(call),
      }),
      remote({
        name: 'show',
        about: 'print one event with its attempts, or the signed request that delivers it',
        workspace: ofEvent,
        args: [['<id>', 'such as evt_1']],
        own: [
          new Option('--request', 'print the signed request: headers and body'),
          new Option('--at <time>', 'the signed time of the request: sandbox, or an instant (RFC 3339)'),
          new Option(
            '--endpoint <id>',
            'sign with the secret of this endpoint (default: that of the workspace)',
          ),
        ],
        routes: ['GET /_sandbox/events/:id', 'GET /_sandbox/events/:id/request'],
        work: async (call) => (await events()).showEvent(call),
      }),
      remote({
        name: 'trigger',
        about: 'create an event of an existing resource, without a write',
        args: [['<type>', 'such as reward.updated']],
        own: [
          new Option('--id <id>', 'the id of the resource'),
          new Option(
            '--data <json>',
            'fields that replace those of the resource: JSON, @FILE, or - for stdin',
          ),
        ],
        routes: ['POST /_sandbox/events/trigger'],
        work: async (call) => (await events()).triggerEvent(call),
      }),
      remote({
        name: 'resend',
        about: 'deliver an event again',
        workspace: ofEvent,
        args: [['<id>', 'such as evt_1']],
        routes: ['POST /_sandbox/events/:id/resend'],
        work: async (call) => (await events()).resendEvent(call),
      }),
      remote({
        name: 'drain',
        about: 'make all attempts that are due',
        routes: ['POST /_sandbox/events/drain'],
        work: async (call) => (await events()).drainEvents(call),
      }),
      remote({
        name: 'wait',
        about: 'wait until there are as many events, and print them; exits with code 5 after the timeout',
        own: [...fieldOptions(waitFields), new Option('--timeout <seconds>', 'timeout').default('5')],
        reads: true,
        routes: ['POST /_sandbox/events/wait'],
        work: async (call) => (await events()).waitForEvents(call),
      }),
      remote({
        name: 'listen',
        about: 'send webhook events to a URL of this machine, wherever the sandbox is, until Ctrl-C',
        own: [
          new Option('--forward-to <url>', 'the URL of the receiver'),
          ...fieldOptions(endpointTypes),
          new Option('--format <format>', 'the output format').choices(['text', 'json']).default('text'),
        ],
        endsItself: true,
        routes: [
          'GET /_sandbox/stream',
          'POST /_sandbox/webhook_endpoints',
          'POST /_sandbox/events/:id/deliveries/:n',
          'DELETE /_sandbox/webhook_endpoints/:id',
        ],
        reads: false,
        work: async (call) => (await import('./listen.ts')).listen(call),
        help: `
--format json prints one line of JSON for each delivery: {"event_id", "n", "type", "status", "duration_ms", "location"?, "body"?, "retry_after"?, "error"?}.`,
      }),
    ],
  },
  remote({
    name: 'requests',
    about: 'list or follow the calls to a running sandbox, oldest first',
    workspace: "the workspace (default: that of the id of --before, that of a partner's token, or default)",
    own: [
      ...fieldOptions(requestFilters),
      new Option('--follow', 'then print each new call, until Ctrl-C'),
      new Option('--format <format>', 'the output format').choices(['text', 'json', 'har']).default('text'),
    ],
    endsItself: true,
    routes: ['GET /_sandbox/requests'],
    work: async (call) => (await requests()).requests(call),
    help: `
--format json prints the answer of the control plane; with --follow, one line of JSON for each call.`,
    verbs: [
      remote({
        name: 'verify',
        about: 'check that matching calls were made; if not, print the nearest calls and exit with code 6',
        args: [sent],
        reads: true,
        routes: ['POST /_sandbox/requests/verify'],
        work: async (call) => (await requests()).verifyRequests(call),
        help: `
Matches operation, status, params, query, headers and body, with count, at_least or at_most; or takes matchers
in_order, as in '{"operation": "updateReward", "body": {"status": "AVAILABLE"}, "count": 1}'.`,
      }),
      remote({
        name: 'clear',
        about: 'forget them',
        routes: ['DELETE /_sandbox/requests'],
        work: async (call) => (await requests()).clearRequests(call),
      }),
    ],
  }),
  remote({
    name: 'workspaces',
    about: 'list, create and delete the workspaces of a running sandbox, each with a key',
    ...allWorkspaces,
    routes: ['GET /_sandbox/workspaces', 'GET /_sandbox/workspaces/:name'],
    work: async (call) => (await workspaces()).listWorkspaces(call),
    verbs: [
      remote({
        name: 'create',
        about: 'create a workspace; fails if it exists',
        ...allWorkspaces,
        args: [['<name>']],
        own: [new Option('--from <name>', 'copy this workspace in its current state')],
        routes: ['POST /_sandbox/workspaces'],
        work: async (call) => (await workspaces()).createWorkspace(call),
      }),
      remote({
        name: 'rotate',
        about:
          'revoke all keys and the token of a workspace (with --isolation partner), and print the new ones',
        ...allWorkspaces,
        args: [['<name>']],
        routes: ['POST /_sandbox/workspaces/:name/rotate'],
        work: async (call) => (await workspaces()).rotateWorkspace(call),
      }),
      remote({
        name: 'delete',
        about: 'delete a workspace with everything in it',
        ...allWorkspaces,
        args: [['<name>']],
        routes: ['DELETE /_sandbox/workspaces/:name'],
        work: async (call) => (await workspaces()).deleteWorkspace(call),
      }),
    ],
  }),
  lazy('assumptions', async () => (await import('../../operations/assumptions.ts')).assumptionsOperations),
  remote({
    name: 'stop',
    about: 'stop a running sandbox like SIGTERM, and wait until its port is free',
    ...allWorkspaces,
    routes: ['POST /_sandbox/stop'],
    work: async (call) => (await import('./stop.ts')).stop(call),
  }),
]

/** Below the verb that lists scenarios, which needs no running sandbox. */
export const scenarioVerbs: readonly Verb[] = [
  remote({
    name: 'on',
    about: 'switch a scenario on in a running sandbox, after those that are on',
    args: [['<name>']],
    routes: ['PATCH /_sandbox/scenarios/active'],
    work: async (call) => (await activeScenarios()).switchScenario(call, 'on'),
  }),
  remote({
    name: 'off',
    about: 'switch a scenario off',
    args: [['<name>']],
    routes: ['PATCH /_sandbox/scenarios/active'],
    work: async (call) => (await activeScenarios()).switchScenario(call, 'off'),
  }),
  remote({
    name: 'restart',
    about: 'restart a scenario: its counters begin at zero',
    args: [['<name>']],
    routes: ['POST /_sandbox/scenarios/:name/restart'],
    work: async (call) => (await activeScenarios()).restartScenario(call),
  }),
  remote({
    name: 'active',
    about: 'list the active scenarios of a running sandbox',
    routes: ['GET /_sandbox/scenarios/active'],
    work: async (call) => (await activeScenarios()).listActive(call),
  }),
]

/** The verbs for the endpoints of a running sandbox. */
export const webhookVerbs: readonly Verb[] = [
  remote({
    name: 'add',
    about: 'send webhook events to a URL from now on, and print the secret that signs them',
    args: [['<url>', 'a loopback address, or a host of --webhook-allow of the sandbox']],
    own: [
      ...fieldOptions(endpointTypes),
      new Option(
        '--secret <text>',
        'the secret that your receiver has (default: one that derives from the seed)',
      ),
    ],
    routes: ['POST /_sandbox/webhook_endpoints'],
    work: async (call) => (await endpoints()).addEndpoint(call),
  }),
  remote({
    name: 'list',
    about: 'list the endpoints',
    own: [new Option('--show-secrets', 'print the secret that signs the deliveries of each')],
    routes: ['GET /_sandbox/webhook_endpoints'],
    work: async (call) => (await endpoints()).listEndpoints(call),
  }),
  remote({
    name: 'update',
    about: 'change an endpoint: its URL, its types, or whether it receives events',
    args: [['<id>', 'such as we_1']],
    own: fieldOptions(endpointFields),
    routes: ['PATCH /_sandbox/webhook_endpoints/:id'],
    work: async (call) => (await endpoints()).updateEndpoint(call),
  }),
  remote({
    name: 'remove',
    about: 'remove an endpoint',
    args: [['<id>', 'such as we_1']],
    routes: ['DELETE /_sandbox/webhook_endpoints/:id'],
    work: async (call) => (await endpoints()).removeEndpoint(call),
  }),
  remote({
    name: 'rotate',
    about: 'replace the secret of an endpoint; the old one signs too for 24 hours',
    args: [['<id>', 'such as we_1']],
    routes: ['POST /_sandbox/webhook_endpoints/:id/rotate'],
    work: async (call) => (await endpoints()).rotateEndpoint(call),
  }),
]
