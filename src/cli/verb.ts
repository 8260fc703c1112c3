// How a verb is declared: one record gives its name, help, arguments and options, and loads its code once it is run.
import { Option, type Command } from 'commander'
import type { OptionName } from '../options/index.ts'
import { commanderOption } from './commander-option.ts'
import { exitCodes, type Io, type ProgramIo } from './io.ts'
import type { FlagValues } from './settings.ts'

/** A verb of the command line. */
export interface Verb {
  name: string
  /** What it does, as help says it. */
  about: string
  argument?: readonly [syntax: string, about?: string]
  /** Options that it shares with the others, from the table. */
  options?: readonly OptionName[]
  /** Options of its own. */
  own?: readonly Option[]
  /** What help says in the end. */
  help?: string
  /** Runs what stands after `--`. */
  takesCommand?: true
  /** Ends well when the process is asked to end; any other verb is then cut short. */
  endsItself?: true
  /** Runs where no verb is named. */
  isDefault?: true
  /** The verbs that it has in place of doing something itself. */
  verbs?: readonly Verb[]
  /** Does it, and gives the exit code where that may be another than 0. */
  run?(call: Call): Promise<number | void>
}

/** How a verb was called. */
export interface Call {
  /** The words that are no options. */
  args: readonly string[]
  flags: FlagValues
  io: ProgramIo
  /** What stood after `--`, for a verb that takes a command. */
  command: readonly string[] | undefined
}

export const outputFile = new Option('-o, --output <file>', 'the file to write; standard output without')

export const textOrJson = new Option('--format <format>', 'how it is printed')
  .choices(['text', 'json'])
  .default('text')

/**
 * Tells commander of a verb. It reads words, flags and help for us, and knows nothing of what they mean.
 * @param done told the exit code.
 */
export function declareVerb(
  { name, about, argument, options = [], own = [], help = '', verbs = [], ...verb }: Verb,
  parent: Command,
  call: Pick<Call, 'io' | 'command'>,
  done: (code: number) => void,
): void {
  const { takesCommand, isDefault = false, run } = verb
  const made = ownedBy(call.io, parent.command(name, { isDefault }))
    .description(about)
    .addHelpText('after', help)
  for (const option of options) made.addOption(commanderOption(option, name))
  for (const option of own) made.addOption(option)
  if (argument) made.argument(...argument)
  if (takesCommand) {
    made.usage('[options] -- <command> [arguments...]')
    made.argument('[command...]', 'what to run, with its arguments, after --')
  }
  for (const inner of verbs) declareVerb(inner, made, call, done)
  if (run)
    made.action(async () =>
      done((await run({ ...call, args: made.args, flags: made.opts() })) ?? exitCodes.fine),
    )
}

/** Commander prints and throws, but never ends the process itself. */
export function ownedBy(io: Io, command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .helpCommand(false)
    .allowExcessArguments(false)
}
