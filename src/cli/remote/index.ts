// The verbs that talk to a running sandbox, each a thin caller of its control plane: health, reset, state, clock, …
import { Option } from 'commander'
import { reportFormats } from '../../coverage/reports/index.ts'
import { defaultUrl, optionNames, optionOf } from '../../options/index.ts'
import { collectionNames } from '../../store/rows.ts'
import {
  clockUnits,
  exampleTime,
  fieldOptions,
  requestFilters,
  rowPages,
  transactionFields,
} from './fields.ts'
import { outputFile, textOrJson, type Call, type Route, type Verb } from '../verb.ts'
import type { RemoteWork } from './remote-call.ts'

const snapshot = () => import('./snapshot.ts')
const state = () => import('./state.ts')
const clock = () => import('./clock.ts')
const requests = () => import('./requests.ts')
const workspaces = () => import('./workspaces.ts')
const activeScenarios = () => import('./scenarios.ts')

const collection = ['<collection>', 'such as customers; account and stubs as well'] as const
/** Said where no collection was named. */
const collections = `Collections: ${[...collectionNames, 'account', 'stubs'].join(', ')}.`
const sent = ['[json]', 'JSON, @FILE for what a file holds, or - for stdin (default: stdin)'] as const
const allWorkspaces = {
  workspace: 'accepted for consistency; ignored, as this verb is about all workspaces',
  isAboutAll: true,
} as const

/** A verb that asks a running sandbox. */
interface RemoteVerb extends Omit<Verb, 'run'> {
  /** Its requests go to the first of them, unless its words say otherwise. */
  routes: readonly [Route, ...Route[]]
  /** Which workspace it is about, as help says it. */
  workspace?: string
  /** Its requests are about all workspaces, unless one was named. */
  isAboutAll?: boolean
  /** It only reads, so it must not create the workspace that it names; by default where all its routes are GET, and about one workspace. */
  reads?: boolean
  work(call: Call): Promise<RemoteWork>
}

/** Declares the verb with the options that all of them have: where the sandbox is, workspace, token and format. */
function remote({
  workspace = "the workspace that is meant (default: that of a partner's token, else default)",
  own = [],
  isAboutAll = false,
  work,
  ...verb
}: RemoteVerb): Verb {
  const { routes, reads = !isAboutAll && routes.every((route) => route.startsWith('GET ')) } = verb
  const target = [
    new Option('--url <url>', `where the sandbox is (default: SANDBOX_URL, else ${defaultUrl})`),
    new Option('--port <number>', 'the same by its port, on the configured host'),
    new Option('--workspace <name>', workspace),
    new Option(
      '--admin-token <token>',
      "the token it was started with, or a partner's (default: SANDBOX_ADMIN_TOKEN)",
    ),
  ]
  const format = own.some(({ long }) => long === '--format') ? [] : [textOrJson]
  return {
    ...verb,
    own: [...target, ...own, ...format],
    run: async (call) =>
      (await import('./remote-call.ts')).perform(call, routes[0], await work(call), { isAboutAll, reads }),
  }
}

export const remoteVerbs: readonly Verb[] = [
  remote({
    name: 'health',
    about: 'ask a running sandbox how it is',
    reads: false,
    routes: ['GET /_sandbox/health'],
    work: async (call) => (await import('./health.ts')).health(call),
  }),
  remote({
    name: 'coverage',
    about: 'print which contract points a running sandbox saw exercised',
    workspace: 'only the calls in this workspace (default: those in all workspaces)',
    options: optionNames.filter((name) => optionOf(name).verbs?.includes('coverage')),
    own: [
      new Option('--format <format>', 'how it is written').choices(reportFormats).default('text'),
      outputFile,
    ],
    isAboutAll: true,
    reads: true,
    routes: ['GET /_sandbox/coverage'],
    work: async (call) => (await import('./coverage.ts')).coverage(call),
  }),
  remote({
    name: 'explain',
    about: 'say why a running sandbox answered a request as it did',
    workspace: 'the workspace of the request (default: the one that its id names)',
    args: [['<request-id>', 'the x-sandbox-request-id of its answer']],
    routes: ['GET /_sandbox/requests/:id'],
    work: async (call) => (await import('./explain.ts')).explain(call),
  }),
  remote({
    name: 'replay',
    about: 'send a request of a running sandbox once more, as it was or edited, and print the answer',
    workspace: 'where it is sent, made as a copy where it is not there (default: a new copy, replay-N)',
    args: [['<request-id>', 'the x-sandbox-request-id of its answer']],
    own: [
      new Option('--method <method>', 'in place of the one that was sent'),
      new Option('--path <path>', 'in place of the one that was sent, with its query'),
      new Option(
        '--header <line>',
        "such as 'x-service-version: latest', again for more; without a value it is left out",
      ).argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]),
      new Option(
        '--body <body>',
        'in place of the one that was sent; @FILE for what a file holds, or - for stdin',
      ),
    ],
    reads: true,
    routes: ['POST /_sandbox/requests/:id/replay'],
    work: async (call) => (await import('./replay.ts')).replay(call),
  }),
  remote({
    name: 'wait',
    about: 'wait until a sandbox is well',
    own: [new Option('--timeout <seconds>', 'how long at most').default('30')],
    reads: false,
    routes: ['GET /_sandbox/health'],
    work: async (call) => (await import('./health.ts')).waitUntilReady(call),
  }),
  remote({
    name: 'reset',
    about: 'take a running sandbox back to what it began with',
    routes: ['POST /_sandbox/reset'],
    work: async (call) => (await state()).reset(call),
  }),
  remote({
    name: 'apply',
    about: 'activate a scenario in a running sandbox, or replace its state',
    args: [['<files...>', 'scenarios, and at most one state document']],
    routes: ['PUT /_sandbox/state', 'POST /_sandbox/scenarios'],
    work: async (call) => (await import('./apply.ts')).apply(call),
  }),
  {
    name: 'snapshot',
    about: 'keep the state of a running sandbox, and go back to it',
    verbs: [
      remote({
        name: 'save',
        about: 'take a snapshot, also in place of an earlier one',
        args: [['<name>']],
        routes: ['PUT /_sandbox/snapshots/:name'],
        work: async (call) => (await snapshot()).save(call),
      }),
      remote({
        name: 'restore',
        about: 'go back to a snapshot',
        args: [['<name>']],
        routes: ['POST /_sandbox/snapshots/:name/restore'],
        work: async (call) => (await snapshot()).restore(call),
      }),
      remote({
        name: 'list',
        about: 'list the snapshots',
        routes: ['GET /_sandbox/snapshots'],
        work: async (call) => (await snapshot()).list(call),
      }),
      remote({
        name: 'delete',
        about: 'forget a snapshot',
        args: [['<name>']],
        routes: ['DELETE /_sandbox/snapshots/:name'],
        work: async (call) => (await snapshot()).remove(call),
      }),
      remote({
        name: 'diff',
        about: 'show what changed since a snapshot',
        args: [['<name>']],
        own: [new Option('--with <other>', 'up to this snapshot, in place of now')],
        routes: ['GET /_sandbox/snapshots/:name/diff'],
        work: async (call) => (await snapshot()).diff(call),
      }),
      remote({
        name: 'dump',
        about: 'print a snapshot as a state document',
        args: [['<name>']],
        own: [outputFile],
        routes: ['GET /_sandbox/snapshots/:name'],
        work: async (call) => (await snapshot()).dump(call),
      }),
    ],
  },
  {
    name: 'state',
    about: 'read and write the rows of a running sandbox',
    help: `
A write is checked like a fixture, and gaps are filled. account is one row and stubs are one list: neither
takes an id. A state document is put as a whole by apply.`,
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
        about: 'add a row, or replace the one with this id; prints it as it is then',
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
        about: 'lay some fields over a row (JSON Merge Patch: null removes one); prints it as it is then',
        hint: collections,
        args: [collection, ['[id]'], sent],
        routes: ['PATCH /_sandbox/state/:collection/:id', 'PATCH /_sandbox/state/account'],
        work: async (call) => (await state()).write(call),
      }),
      remote({
        name: 'delete',
        about: 'remove a row that no other row names',
        hint: collections,
        args: [collection, ['<id>']],
        routes: ['DELETE /_sandbox/state/:collection/:id'],
        work: async (call) => (await state()).remove(call),
      }),
      remote({
        name: 'dump',
        about: 'print the whole state as a document that --fixtures and apply take',
        own: [outputFile],
        routes: ['GET /_sandbox/state'],
        work: async (call) => (await state()).dump(call),
      }),
    ],
  },
  remote({
    name: 'clock',
    about: 'read the clock of a running sandbox, or move it',
    routes: ['GET /_sandbox/clock'],
    work: async (call) => (await clock()).readClock(call),
    verbs: [
      remote({
        name: 'set',
        about: 'move it to an instant; it only goes forward',
        args: [['<time>', `RFC 3339, such as ${exampleTime}`]],
        routes: ['PUT /_sandbox/clock'],
        work: async (call) => (await clock()).setClock(call),
      }),
      remote({
        name: 'freeze',
        about: 'let it stand still where it is',
        routes: ['PUT /_sandbox/clock'],
        work: async (call) => (await clock()).freezeClock(call, true),
      }),
      remote({
        name: 'unfreeze',
        about: 'let it run on from where it stands',
        routes: ['PUT /_sandbox/clock'],
        work: async (call) => (await clock()).freezeClock(call, false),
      }),
      remote({
        name: 'advance',
        about: 'move it forward; the units add up',
        own: clockUnits.map((unit) => new Option(`--${unit} <number>`, `how many ${unit}`)),
        hint: 'How far it goes is said by options, such as --days 30.',
        routes: ['POST /_sandbox/clock/advance'],
        work: async (call) => (await clock()).advanceClock(call),
      }),
    ],
  }),
  {
    name: 'simulate',
    about:
      'let happen in a running sandbox what partners cannot do: a transaction arrives, a statement closes',
    verbs: [
      remote({
        name: 'transaction',
        about: 'a network transaction arrives: it is matched to its intent and earns a reward',
        own: fieldOptions(transactionFields),
        routes: ['POST /_sandbox/simulate/transaction'],
        work: async (call) => (await import('./simulate.ts')).simulateTransaction(call),
      }),
      remote({
        name: 'statement',
        about: 'the cycle of an account closes and becomes its newest statement',
        args: [['<account-id>']],
        routes: ['POST /_sandbox/simulate/statement'],
        work: async (call) => (await import('./simulate.ts')).simulateStatement(call),
      }),
    ],
  },
  remote({
    name: 'requests',
    about: 'list the calls that a running sandbox answered, oldest first, or follow them',
    workspace:
      "the workspace that is meant (default: the one that the id of --before names, else that of a partner's token, else default)",
    own: [
      ...fieldOptions(requestFilters),
      new Option('--follow', 'go on with each call that comes, until Ctrl-C'),
      new Option('--format <format>', 'how they are printed')
        .choices(['text', 'json', 'har'])
        .default('text'),
    ],
    endsItself: true,
    routes: ['GET /_sandbox/requests'],
    work: async (call) => (await requests()).requests(call),
    help: `
--format json prints what the control plane answers; with --follow a line of JSON for each call.`,
    verbs: [
      remote({
        name: 'verify',
        about:
          'check that calls of a kind were made; exit code 6 when they were not, with those that come nearest',
        args: [sent],
        reads: true,
        routes: ['POST /_sandbox/requests/verify'],
        work: async (call) => (await requests()).verifyRequests(call),
        help: `
Asks for an operation, status, params, query, headers, body with a count, at_least or at_most, or for matchers
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
    about: 'list the workspaces of a running sandbox, each with a key, or make and delete one',
    ...allWorkspaces,
    routes: ['GET /_sandbox/workspaces', 'GET /_sandbox/workspaces/:name'],
    work: async (call) => (await workspaces()).listWorkspaces(call),
    verbs: [
      remote({
        name: 'create',
        about: 'make one, which a call with its key would make as well; fails when it is there',
        ...allWorkspaces,
        args: [['<name>']],
        own: [new Option('--from <name>', 'as a copy of this workspace, as it is now')],
        routes: ['POST /_sandbox/workspaces'],
        work: async (call) => (await workspaces()).createWorkspace(call),
      }),
      remote({
        name: 'rotate',
        about:
          'end every key and the token of one, with --isolation partner, and print those that it has then',
        ...allWorkspaces,
        args: [['<name>']],
        routes: ['POST /_sandbox/workspaces/:name/rotate'],
        work: async (call) => (await workspaces()).rotateWorkspace(call),
      }),
      remote({
        name: 'delete',
        about: 'forget one with all that is in it',
        ...allWorkspaces,
        args: [['<name>']],
        routes: ['DELETE /_sandbox/workspaces/:name'],
        work: async (call) => (await workspaces()).deleteWorkspace(call),
      }),
    ],
  }),
  remote({
    name: 'assumptions',
    about: 'list what the contract leaves open, with the values in force in a running sandbox',
    args: [['[id]', 'only this one, with all that is said of it']],
    routes: ['GET /_sandbox/assumptions', 'GET /_sandbox/assumptions/:id'],
    work: async (call) => (await import('./assumptions.ts')).assumptions(call),
  }),
  remote({
    name: 'stop',
    about: 'end a running sandbox as SIGTERM does, and wait until its port is free',
    ...allWorkspaces,
    routes: ['POST /_sandbox/stop'],
    work: async (call) => (await import('./stop.ts')).stop(call),
  }),
]

/** Below the verb that lists scenarios, which asks no sandbox. */
export const scenarioVerbs: readonly Verb[] = [
  remote({
    name: 'on',
    about: 'let a scenario act in a running sandbox, after those that do',
    args: [['<name>']],
    routes: ['PATCH /_sandbox/scenarios/active'],
    work: async (call) => (await activeScenarios()).switchScenario(call, 'on'),
  }),
  remote({
    name: 'off',
    about: 'let it act no longer',
    args: [['<name>']],
    routes: ['PATCH /_sandbox/scenarios/active'],
    work: async (call) => (await activeScenarios()).switchScenario(call, 'off'),
  }),
  remote({
    name: 'restart',
    about: 'set its counters to zero, as if it had been switched on just now',
    args: [['<name>']],
    routes: ['POST /_sandbox/scenarios/:name/restart'],
    work: async (call) => (await activeScenarios()).restartScenario(call),
  }),
  remote({
    name: 'active',
    about: 'list those that act in a running sandbox',
    routes: ['GET /_sandbox/scenarios/active'],
    work: async (call) => (await activeScenarios()).listActive(call),
  }),
]
