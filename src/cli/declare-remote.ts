import { Option, type Command } from 'commander'
import { defaultUrl } from '../options/index.ts'
import { reportFormats } from '../coverage/reports/index.ts'
import type { Io } from './io.ts'
import type { Add } from './run.ts'
import type { FlagValues } from './settings.ts'

/** The verbs that talk to a running sandbox, whose code is loaded only when they are used. */
const verbs = {
  coverage: () => import('./remote/coverage.ts').then((verb) => verb.coverage),
  health: () => import('./remote/health.ts').then((verb) => verb.health),
  explain: () => import('./remote/explain.ts').then((verb) => verb.explain),
  wait: () => import('./remote/wait.ts').then((verb) => verb.waitUntilWell),
  reset: () => import('./remote/reset.ts').then((verb) => verb.reset),
  apply: () => import('./remote/apply.ts').then((verb) => verb.apply),
  snapshot: () => import('./remote/snapshot.ts'),
} as const

/** Where a verb differs from others that talk to a running sandbox. */
interface RemoteVerb {
  parent?: Command
  /** What `--workspace` does. */
  workspace?: string
}

/** The verbs that talk to a running sandbox. */
export function declareRemote(add: Add, io: Io, done: (code: number) => void): void {
  const remote = (
    name: string,
    about: string,
    { parent, workspace = 'the workspace that is meant (default: default)' }: RemoteVerb = {},
  ): Command =>
    add(name, about, [], parent)
      .option('--url <url>', `where the sandbox is (default: SANDBOX_URL, else ${defaultUrl})`)
      .option('--workspace <name>', workspace)
      .option('--admin-token <token>', 'the token it was started with (default: SANDBOX_ADMIN_TOKEN)')

  remote('health', 'ask a running sandbox how it is').action(async (flags: FlagValues) => {
    done(await (await verbs.health())(flags, io))
  })

  remote('coverage', 'print which contract points a running sandbox saw exercised', {
    workspace: 'only the calls in this workspace (default: those in all workspaces)',
  })
    .addOption(new Option('--format <format>', 'how it is written').choices(reportFormats).default('text'))
    .option('-o, --output <file>', 'the file to write; standard output without')
    .action(async (flags: FlagValues) => {
      done(await (await verbs.coverage())(flags, io))
    })

  remote('explain', 'say why a running sandbox answered a request as it did', {
    workspace: 'the workspace of the request (default: the one that its id names)',
  })
    .argument('<request-id>', 'the x-sandbox-request-id of its answer')
    .addOption(textOrJson())
    .action(async (id: string, flags: FlagValues) => {
      done(await (await verbs.explain())(id, flags, io))
    })

  remote('wait', 'wait until a sandbox is well')
    .option('--timeout <seconds>', 'how long at most', '30')
    .action(async (flags: FlagValues) => {
      done(await (await verbs.wait())(flags, io))
    })

  remote('reset', 'take a running sandbox back to what it began with').action(async (flags: FlagValues) => {
    done(await (await verbs.reset())(flags, io))
  })

  remote('apply', 'activate a scenario in a running sandbox, or replace its state')
    .argument('<files...>', 'scenarios, and at most one state document')
    .action(async (files: string[], flags: FlagValues) => {
      done(await (await verbs.apply())(files, flags, io))
    })

  const snapshot = add('snapshot', 'keep the state of a running sandbox, and go back to it', [])
  snapshot.helpCommand(false)
  remote('save', 'take a snapshot, also in place of an earlier one', { parent: snapshot })
    .argument('<name>')
    .action(async (name: string, flags: FlagValues) => {
      done(await (await verbs.snapshot()).save(name, flags, io))
    })
  remote('restore', 'go back to a snapshot', { parent: snapshot })
    .argument('<name>')
    .action(async (name: string, flags: FlagValues) => {
      done(await (await verbs.snapshot()).restore(name, flags, io))
    })
  remote('list', 'list the snapshots', { parent: snapshot })
    .addOption(textOrJson())
    .action(async (flags: FlagValues) => {
      done(await (await verbs.snapshot()).list(flags, io))
    })
  remote('delete', 'forget a snapshot', { parent: snapshot })
    .argument('<name>')
    .action(async (name: string, flags: FlagValues) => {
      done(await (await verbs.snapshot()).forget(name, flags, io))
    })
  remote('diff', 'show what changed since a snapshot', { parent: snapshot })
    .argument('<name>')
    .option('--with <other>', 'up to this snapshot, in place of now')
    .addOption(textOrJson())
    .action(async (name: string, flags: FlagValues) => {
      done(await (await verbs.snapshot()).diff(name, flags, io))
    })
}

function textOrJson(): Option {
  return new Option('--format <format>', 'how it is printed').choices(['text', 'json']).default('text')
}
