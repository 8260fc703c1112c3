// Runs the command line: declares every verb, parses the arguments, and converts a failure into a message and an exit
// code.
import { Command, CommanderError } from 'commander'
import { didYouMean } from '../input/did-you-mean.ts'
import { flagOf, variableOf } from '../options/index.ts'
import { OptionsError } from '../options/read-options.ts'
import { packageVersion } from '../runtime/host.ts'
import { DocumentError } from '../input/problems.ts'
import { StoreError } from '../workspaces/storage.ts'
import { bugText, CliError, exitCodes, type Io, type CommandIo } from './io.ts'
import { offlineVerbs } from './offline/index.ts'
import { probingVerbs } from './probe/index.ts'
import { remoteVerbs } from './remote/index.ts'
import { runningVerbs } from './runs/index.ts'
import { servingVerbs } from './serve/index.ts'
import { declareVerb, configureCommander, type LazyVerb, type Verb } from './verb.ts'

const verbs: readonly (Verb | LazyVerb)[] = [
  ...servingVerbs,
  ...runningVerbs,
  ...probingVerbs,
  ...offlineVerbs,
  ...remoteVerbs,
]

const whole = async (verb: Verb | LazyVerb): Promise<Verb> => ('load' in verb ? verb.load() : verb)

/** Returns every verb; the docs list each with its control-plane paths. */
export const allVerbs = (): Promise<Verb[]> => Promise.all(verbs.map(whole))

/**
 * Runs the command line.
 *
 * @param words the arguments after the program's name.
 * @returns the exit code; see `exitCodes`.
 */
export async function run(words: readonly string[], io: CommandIo): Promise<number> {
  const argv = helpAsOption(words)
  let code: number = exitCodes.fine
  const declared = await Promise.all(neededFor(argv).map(whole))
  const verb = declared.find(({ name }) => name === argv[0]) ?? declared.find(({ isDefault }) => isDefault)
  const inner = verb?.verbs?.find(({ name }) => name === argv[1])
  // Everything after the first `--` is a command, whatever it looks like.
  const end = verb?.takesCommand ? argv.indexOf('--') : -1
  const program = configureCommander(io, new Command('partner-rewards-sandbox'))
    .description('A stateful sandbox of the partner rewards API, for integration tests.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError()
    // Options after the name of a nested verb are for that verb.
    .enablePositionalOptions(verb?.verbs !== undefined)
    .addHelpText(
      'after',
      `\nEvery option of start, except those about its process (--detach, --stop-with-parent), can also be set in the\nenvironment (${flagOf('maxWorkspaces')} as ${variableOf('maxWorkspaces')}), in SANDBOX_OPTIONS, or in\nsandbox.config.{yaml,yml,json}. Without a verb, start runs.`,
    )
  const call = { io, argv, command: end === -1 ? undefined : argv.slice(end + 1) }
  for (const each of declared) declareVerb(each, program, call, (exitCode) => (code = exitCode))
  try {
    refuseUnknownVerb(argv, verbs, declared)
    const own = end === -1 ? argv : argv.slice(0, end)
    const finished = program.parseAsync([...own], { from: 'user' }).then(() => code)
    const interrupted = io.stopped.then(() =>
      (inner ?? verb)?.endsItself ? finished : exitCodes.interrupted,
    )
    return await Promise.race([finished, interrupted])
  } catch (error) {
    return explain(error, io)
  }
}

/** `help VERB` is `VERB --help`, as in git and npm. */
function helpAsOption(words: readonly string[]): readonly string[] {
  return words[0] === 'help' ? [...words.slice(1).filter((word) => word !== 'help'), '--help'] : words
}

/** Returns the verbs that are declared to commander: the one that is called, and all of them for help on all. */
function neededFor(argv: readonly string[]): readonly (Verb | LazyVerb)[] {
  const named = verbs.filter(({ name }) => name === argv[0])
  if (named.length > 0) return named
  const isHelp = argv.some((word) => word === '-h' || word === '--help')
  return isHelp ? verbs : verbs.filter((verb) => 'isDefault' in verb && verb.isDefault)
}

/** A mistyped verb would otherwise be an argument of the default one. */
function refuseUnknownVerb(
  [first, ...rest]: readonly string[],
  known: readonly { name: string }[],
  among: readonly Verb[],
  before = '',
): void {
  if (first === undefined || first.startsWith('-')) return
  if (!known.some(({ name }) => name === first)) {
    const hint = didYouMean(
      first,
      known.map(({ name }) => name),
      undefined,
      before,
    )
    throw new CliError(`error: unknown verb '${before}${first}'${hint}`)
  }
  const { verbs: nested, args = [] } = among.find(({ name }) => name === first) ?? {}
  if (nested && args.length === 0) refuseUnknownVerb(rest, nested, nested, `${first} `)
}

/** Converts a failure into its message and exit code. */
function explain(error: unknown, io: Io): number {
  if (error instanceof CommanderError) {
    // Help and version end commander with code 0; every other error of it is wrong usage, and already printed.
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
  }
  if (error instanceof CliError) {
    io.stderr(`${error.message}\n`)
    return error.exitCode
  }
  if (error instanceof OptionsError) {
    const parts = error.parts.length > 0 ? error.parts : [error]
    io.stderr(parts.map(({ message }) => `error: ${message}\n`).join(''))
    return exitCodes.usage
  }
  if (error instanceof StoreError) {
    io.stderr(`error: ${error.message}\n`)
    return error.exit
  }
  if (error instanceof DocumentError) {
    io.stderr(`${error.message}\n`)
    return exitCodes.badFile
  }
  io.stderr(bugText(error))
  return exitCodes.bug
}
