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
import { outputFile, textOrJson, type Verb } from '../verb.ts'

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
const allWorkspaces = 'taken as by the other verbs; this one is about all of them'

/** A verb that takes the address, the workspace and the token too; `workspace` says which workspace it is about. */
function remote({
  workspace = "the workspace that is meant (default: that of a partner's token, else default)",
  own = [],
  ...verb
}: Verb & { workspace?: string }): Verb {
  const target = [
    new Option('--url <url>', `where the sandbox is (default: SANDBOX_URL, else ${defaultUrl})`),
    new Option('--workspace <name>', workspace),
    new Option(
      '--admin-token <token>',
      "the token it was started with, or a partner's (default: SANDBOX_ADMIN_TOKEN)",
    ),
  ]
  return { ...verb, own: [...target, ...own] }
}

export const remoteVerbs: readonly Verb[] = [
  remote({
    name: 'health',
    about: 'ask a running sandbox how it is',
    routes: ['GET /_sandbox/health'],
    run: async ({ flags, io }) => (await import('./health.ts')).health(flags, io),
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
    routes: ['GET /_sandbox/coverage'],
    run: async ({ flags, io }) => (await import('./coverage.ts')).coverage(flags, io),
  }),
  remote({
    name: 'explain',
    about: 'say why a running sandbox answered a request as it did',
    workspace: 'the workspace of the request (default: the one that its id names)',
    args: [['<request-id>', 'the x-sandbox-request-id of its answer']],
    own: [textOrJson],
    routes: ['GET /_sandbox/requests/:id'],
    run: async ({ args: [id = ''], flags, io }) => (await import('./explain.ts')).explain(id, flags, io),
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
      textOrJson,
    ],
    routes: ['POST /_sandbox/requests/:id/replay'],
    run: async ({ args: [id = ''], flags, io }) => (await import('./replay.ts')).replay(id, flags, io),
  }),
  remote({
    name: 'wait',
    about: 'wait until a sandbox is well',
    own: [new Option('--timeout <seconds>', 'how long at most').default('30')],
    routes: ['GET /_sandbox/health'],
    run: async ({ flags, io }) => (await import('./wait.ts')).waitUntilWell(flags, io),
  }),
  remote({
    name: 'reset',
    about: 'take a running sandbox back to what it began with',
    routes: ['POST /_sandbox/reset'],
    run: async ({ flags, io }) => (await import('./reset.ts')).reset(flags, io),
  }),
  remote({
    name: 'apply',
    about: 'activate a scenario in a running sandbox, or replace its state',
    args: [['<files...>', 'scenarios, and at most one state document']],
    routes: ['PUT /_sandbox/state', 'POST /_sandbox/scenarios'],
    run: async ({ args, flags, io }) => (await import('./apply.ts')).apply(args, flags, io),
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
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).save(name, flags, io),
      }),
      remote({
        name: 'restore',
        about: 'go back to a snapshot',
        args: [['<name>']],
        routes: ['POST /_sandbox/snapshots/:name/restore'],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).restore(name, flags, io),
      }),
      remote({
        name: 'list',
        about: 'list the snapshots',
        own: [textOrJson],
        routes: ['GET /_sandbox/snapshots'],
        run: async ({ flags, io }) => (await snapshot()).list(flags, io),
      }),
      remote({
        name: 'delete',
        about: 'forget a snapshot',
        args: [['<name>']],
        routes: ['DELETE /_sandbox/snapshots/:name'],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).forget(name, flags, io),
      }),
      remote({
        name: 'diff',
        about: 'show what changed since a snapshot',
        args: [['<name>']],
        own: [new Option('--with <other>', 'up to this snapshot, in place of now'), textOrJson],
        routes: ['GET /_sandbox/snapshots/:name/diff'],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).diff(name, flags, io),
      }),
      remote({
        name: 'dump',
        about: 'print a snapshot as a state document',
        args: [['<name>']],
        own: [outputFile],
        routes: ['GET /_sandbox/snapshots/:name'],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).dump(name, flags, io),
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
        own: [...fieldOptions(rowPages), textOrJson],
        routes: [
          'GET /_sandbox/state/:collection',
          'GET /_sandbox/state/:collection/:id',
          'GET /_sandbox/state/account',
          'GET /_sandbox/state/stubs',
        ],
        run: async ({ args: [name = '', id], flags, io }) => (await state()).get(name, id, flags, io),
      }),
      remote({
        name: 'put',
        about: 'add a row, or replace the one with this id; prints it as it is then',
        hint: collections,
        args: [collection, ['[id]'], sent],
        own: [textOrJson],
        routes: [
          'PUT /_sandbox/state/:collection/:id',
          'PUT /_sandbox/state/account',
          'PUT /_sandbox/state/stubs',
        ],
        run: async ({ args, flags, io }) => (await state()).write('PUT', args, flags, io),
      }),
      remote({
        name: 'patch',
        about: 'lay some fields over a row (JSON Merge Patch: null removes one); prints it as it is then',
        hint: collections,
        args: [collection, ['[id]'], sent],
        own: [textOrJson],
        routes: ['PATCH /_sandbox/state/:collection/:id', 'PATCH /_sandbox/state/account'],
        run: async ({ args, flags, io }) => (await state()).write('PATCH', args, flags, io),
      }),
      remote({
        name: 'delete',
        about: 'remove a row that no other row names',
        hint: collections,
        args: [collection, ['<id>']],
        own: [textOrJson],
        routes: ['DELETE /_sandbox/state/:collection/:id'],
        run: async ({ args: [name = '', id = ''], flags, io }) => (await state()).remove(name, id, flags, io),
      }),
      remote({
        name: 'dump',
        about: 'print the whole state as a document that --fixtures and apply take',
        own: [outputFile],
        routes: ['GET /_sandbox/state'],
        run: async ({ flags, io }) => (await state()).dump('/state', 'the state', flags, io),
      }),
    ],
  },
  remote({
    name: 'clock',
    about: 'read the clock of a running sandbox, or move it',
    own: [textOrJson],
    routes: ['GET /_sandbox/clock'],
    run: async ({ flags, io }) => (await clock()).readClock(flags, io),
    verbs: [
      remote({
        name: 'set',
        about: 'move it to an instant; it only goes forward',
        args: [['<time>', `RFC 3339, such as ${exampleTime}`]],
        own: [textOrJson],
        routes: ['PUT /_sandbox/clock'],
        run: async ({ args: [now = ''], flags, io }) => (await clock()).setClock({ now }, flags, io),
      }),
      remote({
        name: 'freeze',
        about: 'let it stand still where it is',
        own: [textOrJson],
        routes: ['PUT /_sandbox/clock'],
        run: async ({ flags, io }) => (await clock()).setClock({ frozen: true }, flags, io),
      }),
      remote({
        name: 'unfreeze',
        about: 'let it run on from where it stands',
        own: [textOrJson],
        routes: ['PUT /_sandbox/clock'],
        run: async ({ flags, io }) => (await clock()).setClock({ frozen: false }, flags, io),
      }),
      remote({
        name: 'advance',
        about: 'move it forward; the units add up',
        own: [...clockUnits.map((unit) => new Option(`--${unit} <number>`, `how many ${unit}`)), textOrJson],
        hint: 'How far it goes is said by options, such as --days 30.',
        routes: ['POST /_sandbox/clock/advance'],
        run: async ({ flags, io }) => (await clock()).advanceClock(flags, io),
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
        own: [...fieldOptions(transactionFields), textOrJson],
        routes: ['POST /_sandbox/simulate/transaction'],
        run: async ({ flags, io }) => (await import('./simulate.ts')).simulateTransaction(flags, io),
      }),
      remote({
        name: 'statement',
        about: 'the cycle of an account closes and becomes its newest statement',
        args: [['<account-id>']],
        own: [textOrJson],
        routes: ['POST /_sandbox/simulate/statement'],
        run: async ({ args: [account = ''], flags, io }) =>
          (await import('./simulate.ts')).simulateStatement(account, flags, io),
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
    run: async ({ flags, io }) => (await requests()).requests(flags, io),
    help: `
--format json prints what the control plane answers; with --follow a line of JSON for each call.`,
    verbs: [
      remote({
        name: 'verify',
        about:
          'check that calls of a kind were made; exit code 6 when they were not, with those that come nearest',
        args: [sent],
        own: [textOrJson],
        routes: ['POST /_sandbox/requests/verify'],
        run: async ({ args: [input], flags, io }) => (await requests()).verifyRequests(input, flags, io),
        help: `
Asks for an operation, status, params, query, headers, body with a count, at_least or at_most, or for matchers
in_order, as in '{"operation": "updateReward", "body": {"status": "AVAILABLE"}, "count": 1}'.`,
      }),
      remote({
        name: 'clear',
        about: 'forget them',
        own: [textOrJson],
        routes: ['DELETE /_sandbox/requests'],
        run: async ({ flags, io }) => (await requests()).clearRequests(flags, io),
      }),
    ],
  }),
  remote({
    name: 'workspaces',
    about: 'list the workspaces of a running sandbox, each with a key, or make and delete one',
    workspace: allWorkspaces,
    own: [textOrJson],
    routes: ['GET /_sandbox/workspaces', 'GET /_sandbox/workspaces/:name'],
    run: async ({ flags, io }) => (await workspaces()).listWorkspaces(flags, io),
    verbs: [
      remote({
        name: 'create',
        about: 'make one, which a call with its key would make as well; fails when it is there',
        workspace: allWorkspaces,
        args: [['<name>']],
        own: [new Option('--from <name>', 'as a copy of this workspace, as it is now'), textOrJson],
        routes: ['POST /_sandbox/workspaces'],
        run: async ({ args: [name = ''], flags, io }) =>
          (await workspaces()).createWorkspace(name, flags, io),
      }),
      remote({
        name: 'rotate',
        about:
          'end every key and the token of one, with --isolation partner, and print those that it has then',
        workspace: allWorkspaces,
        args: [['<name>']],
        own: [textOrJson],
        routes: ['POST /_sandbox/workspaces/:name/rotate'],
        run: async ({ args: [name = ''], flags, io }) =>
          (await workspaces()).rotateWorkspace(name, flags, io),
      }),
      remote({
        name: 'delete',
        about: 'forget one with all that is in it',
        workspace: allWorkspaces,
        args: [['<name>']],
        own: [textOrJson],
        routes: ['DELETE /_sandbox/workspaces/:name'],
        run: async ({ args: [name = ''], flags, io }) =>
          (await workspaces()).deleteWorkspace(name, flags, io),
      }),
    ],
  }),
  remote({
    name: 'assumptions',
    about: 'list what the contract leaves open, with the values in force in a running sandbox',
    args: [['[id]', 'only this one, with all that is said of it']],
    own: [textOrJson],
    routes: ['GET /_sandbox/assumptions', 'GET /_sandbox/assumptions/:id'],
    run: async ({ args: [id], flags, io }) => (await import('./assumptions.ts')).assumptions(id, flags, io),
  }),
  remote({
    name: 'stop',
    about: 'end a running sandbox as SIGTERM does, and wait until its port is free',
    workspace: allWorkspaces,
    own: [textOrJson],
    routes: ['POST /_sandbox/stop'],
    run: async ({ flags, io }) => (await import('./stop.ts')).stop(flags, io),
  }),
]

/** Below the verb that lists scenarios, which asks no sandbox. */
export const scenarioVerbs: readonly Verb[] = [
  remote({
    name: 'on',
    about: 'let a scenario act in a running sandbox, after those that do',
    args: [['<name>']],
    own: [textOrJson],
    routes: ['PATCH /_sandbox/scenarios/active'],
    run: async ({ args: [name = ''], flags, io }) => (await activeScenarios()).switchOn(name, flags, io),
  }),
  remote({
    name: 'off',
    about: 'let it act no longer',
    args: [['<name>']],
    own: [textOrJson],
    routes: ['PATCH /_sandbox/scenarios/active'],
    run: async ({ args: [name = ''], flags, io }) => (await activeScenarios()).switchOff(name, flags, io),
  }),
  remote({
    name: 'active',
    about: 'list those that act in a running sandbox',
    own: [textOrJson],
    routes: ['GET /_sandbox/scenarios/active'],
    run: async ({ flags, io }) => (await activeScenarios()).listActive(flags, io),
  }),
]
