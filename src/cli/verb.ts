// The declaration of a verb: one record has its name, help, arguments and options, and loads its code when it runs.
import { Option, type Command } from 'commander'
import type { Route } from '../operations/declare.ts'
import type { OptionName } from '../options/index.ts'
import { commanderOption } from './commander-option.ts'
import { CliError, exitCodes, type Io, type CommandIo } from './io.ts'
import { misspeltVariables } from './misspelt-variables.ts'
import type { FlagValues } from './settings.ts'

/** A verb of the command line. */
export interface Verb {
  name: string
  /** Its description in help. */
  about: string
  args?: readonly (readonly [syntax: string, about?: string])[]
  /** Shared options, from the table. */
  options?: readonly OptionName[]
  /** Options of its own. */
  own?: readonly Option[]
  /** The end of its help. */
  help?: string
  /** A hint after the message for wrong usage. */
  hint?: string
  /** The paths of the control plane, with their methods, that it calls. */
  routes?: readonly Route[]
  /** It runs the command after `--`. */
  takesCommand?: true
  /** It handles a signal to stop itself; any other verb is interrupted. */
  endsItself?: true
  /** It has a log, which reports misspelt variables in the chosen format. */
  hasLog?: true
  /** It is the default verb. */
  isDefault?: true
  /** Nested verbs, in addition to or in place of its own action. */
  verbs?: readonly Verb[]
  /** Runs it, and returns the exit code if that can be another than 0. */
  run?(call: Call): Promise<number | void>
}

/** A verb whose declaration is loaded when it is needed. */
export interface LazyVerb {
  name: string
  load(): Promise<Verb>
}

/** The call of a verb. */
export interface Call<I extends Io = CommandIo> {
  /** The arguments that are not options. */
  args: readonly string[]
  flags: FlagValues
  io: I
  /** The command after `--`, for a verb that takes one. */
  command: readonly string[] | undefined
  /** All arguments, for a verb that starts itself again. */
  argv: readonly string[]
}

export const outputFile = new Option('-o, --output <file>', 'the file to write (default: -, standard output)')

export const textOrJson = new Option('--format <format>', 'the output format')
  .choices(['text', 'json'])
  .default('text')

/**
 * Declares a verb to commander, which parses arguments and flags and prints help, and knows nothing of their meaning.
 * @param done called with the exit code.
 */
export function declareVerb(
  { name, about, args = [], options = [], own = [], help = '', verbs = [], ...verb }: Verb,
  parent: Command,
  call: Omit<Call, 'args' | 'flags'>,
  done: (code: number) => void,
): void {
  const { takesCommand, hasLog, isDefault = false, hint, run } = verb
  const made = configureCommander(call.io, parent.command(name, { isDefault }))
    .description(about)
    .addHelpText('after', help)
  if (hint !== undefined) made.showHelpAfterError(hint)
  for (const option of options) made.addOption(commanderOption(option, name))
  for (const option of own) made.addOption(option)
  for (const words of args) made.argument(...words)
  if (takesCommand) {
    made.usage('[options] -- <command> [arguments...]')
    made.argument('[command...]', 'the command with its arguments, after --')
    // Without it, options of the command would be read as ours.
    if (call.command === undefined)
      made.showHelpAfterError(`Put -- before the command: partner-rewards-sandbox ${name} -- npm test`)
  }
  made.enablePositionalOptions(verbs.length > 0)
  for (const inner of verbs) declareVerb(inner, made, call, done)
  if (run)
    made.action(async () => {
      refuseMisplacedOption(parent, name)
      if (!hasLog) warnOfMisspelt(call.io)
      done((await run({ ...call, args: made.args, flags: made.opts() })) ?? exitCodes.fine)
    })
}

function warnOfMisspelt(io: Io): void {
  for (const message of misspeltVariables(io.env)) io.stderr(`warning: ${message}\n`)
}

/** @throws {CliError} for an option between a verb and a nested verb, which would ignore it. */
function refuseMisplacedOption(outer: Command, name: string): void {
  const misplaced = outer.options.find(
    (option) => outer.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (misplaced)
    throw new CliError(
      `error: put ${misplaced.long} after the verb: ${outer.name()} ${name} ${misplaced.long} …`,
    )
}

/** Commander prints and throws, but never ends the process itself. */
export function configureCommander(io: Io, command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .helpCommand(false)
    .allowExcessArguments(false)
}
