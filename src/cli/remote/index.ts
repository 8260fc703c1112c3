// The verbs that talk to a running sandbox: health, coverage, explain, wait, reset, apply, snapshot.
import { Option } from 'commander'
import { reportFormats } from '../../coverage/reports/index.ts'
import { defaultUrl, optionNames, optionOf } from '../../options/index.ts'
import { outputFile, textOrJson, type Verb } from '../verb.ts'

const snapshot = () => import('./snapshot.ts')

/** A verb that takes the address, the workspace and the token too; `workspace` says which workspace it is about. */
function remote({
  workspace = 'the workspace that is meant (default: default)',
  own = [],
  ...verb
}: Verb & { workspace?: string }): Verb {
  const target = [
    new Option('--url <url>', `where the sandbox is (default: SANDBOX_URL, else ${defaultUrl})`),
    new Option('--workspace <name>', workspace),
    new Option('--admin-token <token>', 'the token it was started with (default: SANDBOX_ADMIN_TOKEN)'),
  ]
  return { ...verb, own: [...target, ...own] }
}

export const remoteVerbs: readonly Verb[] = [
  remote({
    name: 'health',
    about: 'ask a running sandbox how it is',
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
    run: async ({ flags, io }) => (await import('./coverage.ts')).coverage(flags, io),
  }),
  remote({
    name: 'explain',
    about: 'say why a running sandbox answered a request as it did',
    workspace: 'the workspace of the request (default: the one that its id names)',
    argument: ['<request-id>', 'the x-sandbox-request-id of its answer'],
    own: [textOrJson],
    run: async ({ args: [id = ''], flags, io }) => (await import('./explain.ts')).explain(id, flags, io),
  }),
  remote({
    name: 'wait',
    about: 'wait until a sandbox is well',
    own: [new Option('--timeout <seconds>', 'how long at most').default('30')],
    run: async ({ flags, io }) => (await import('./wait.ts')).waitUntilWell(flags, io),
  }),
  remote({
    name: 'reset',
    about: 'take a running sandbox back to what it began with',
    run: async ({ flags, io }) => (await import('./reset.ts')).reset(flags, io),
  }),
  remote({
    name: 'apply',
    about: 'activate a scenario in a running sandbox, or replace its state',
    argument: ['<files...>', 'scenarios, and at most one state document'],
    run: async ({ args, flags, io }) => (await import('./apply.ts')).apply(args, flags, io),
  }),
  {
    name: 'snapshot',
    about: 'keep the state of a running sandbox, and go back to it',
    verbs: [
      remote({
        name: 'save',
        about: 'take a snapshot, also in place of an earlier one',
        argument: ['<name>'],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).save(name, flags, io),
      }),
      remote({
        name: 'restore',
        about: 'go back to a snapshot',
        argument: ['<name>'],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).restore(name, flags, io),
      }),
      remote({
        name: 'list',
        about: 'list the snapshots',
        own: [textOrJson],
        run: async ({ flags, io }) => (await snapshot()).list(flags, io),
      }),
      remote({
        name: 'delete',
        about: 'forget a snapshot',
        argument: ['<name>'],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).forget(name, flags, io),
      }),
      remote({
        name: 'diff',
        about: 'show what changed since a snapshot',
        argument: ['<name>'],
        own: [new Option('--with <other>', 'up to this snapshot, in place of now'), textOrJson],
        run: async ({ args: [name = ''], flags, io }) => (await snapshot()).diff(name, flags, io),
      }),
    ],
  },
]
