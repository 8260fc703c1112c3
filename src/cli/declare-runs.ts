import { Option, type Command } from 'commander'
import { libraryNames, optionNames, type OptionName } from '../options/index.ts'
import { requireCommand } from './runs/command.ts'
import type { ProgramIo } from './io.ts'
import type { Add } from './run.ts'
import type { FlagValues } from './settings.ts'

/** The verbs that run a command, whose code is loaded only when they are used. */
const verbs = {
  exec: () => import('./runs/exec.ts').then((verb) => verb.exec),
  matrix: () => import('./runs/matrix.ts').then((verb) => verb.matrix),
} as const

type RunningVerb = keyof typeof verbs

/** Every run of a matrix begins anew, on a port of its own. */
const matrixOptions: readonly OptionName[] = [
  ...libraryNames.filter((name) => !['data', 'durability', 'recover'].includes(name)),
  'host',
  'config',
  'mount',
]

/** What `--help` says beside the options. */
const help: Readonly<Record<RunningVerb, string>> = {
  exec: `
The command finds SANDBOX_URL and SANDBOX_API_KEY. Exit codes: that of the command when it is not 0 (128 and
the number of a signal that ended it; 127 when there is no such program, 126 when it cannot be run), else 6
when --coverage-min or --strict is not met. A signal is handed on; a command that does not end within 8 s of
SIGTERM is killed.`,
  matrix: `
Exit codes: that of the suite when it fails as it is, else 6 when it fails with another value: there it rests
on what the contract does not promise.`,
}

/** What declaring them takes. */
interface Declaring {
  add: Add
  io: ProgramIo
  /** What stood after `--`. */
  words: readonly string[] | undefined
  done(code: number): void
}

/** The verbs that run a command beside a sandbox. */
export function declareRuns({ add, io, words, done }: Declaring): void {
  const runs = (name: RunningVerb, about: string, options: readonly OptionName[]): Command =>
    add(name, about, options)
      .usage('[options] -- <command> [arguments...]')
      .argument('[command...]', 'what to run, with its arguments, after --')
      .addHelpText('after', help[name])

  runs('exec', 'run a command beside a sandbox of its own, and say what it exercised', optionNames).action(
    async (before: string[], flags: FlagValues) => {
      const command = requireCommand('exec', before, words)
      done(await (await verbs.exec())(command, flags, io))
    },
  )

  runs('matrix', 'run a suite with each other value of each assumption', matrixOptions)
    .addOption(
      new Option('--only <ids>', 'only these assumptions, by comma; id=value for one value').argParser(
        (value: string, earlier: string[] | undefined) => [...(earlier ?? []), ...value.split(',')],
      ),
    )
    .option('--resume <file>', 'keep the results in this file, and go on from it')
    .action(async (before: string[], flags: FlagValues) => {
      const command = requireCommand('matrix', before, words)
      done(await (await verbs.matrix())(command, flags, io))
    })
}

/** What stands after the first `--` is a command, whatever it looks like. */
export function splitCommand(argv: readonly string[]): [string[], string[] | undefined] {
  const at = argv.indexOf('--')
  const [verb = ''] = argv
  if (at === -1 || !Object.hasOwn(verbs, verb)) return [[...argv], undefined]
  return [argv.slice(0, at), argv.slice(at + 1)]
}
