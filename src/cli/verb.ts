// How a verb is declared: one record gives its name, help, arguments and options, and loads its code once it is run.
import { Option, type Command } from 'commander'
import type { Method } from '../control/define.ts'
import type { OptionName } from '../options/index.ts'
import { commanderOption } from './commander-option.ts'
import { CliError, exitCodes, type Io, type CommandIo } from './io.ts'
import { misspeltVariables } from './misspelt-variables.ts'
import type { FlagValues } from './settings.ts'

/** A verb of the command line. */
export interface Verb {
  name: string
  /** What it does, as help says it. */
  about: string
  args?: readonly (readonly [syntax: string, about?: string])[]
  /** Options that it shares with the others, from the table. */
  options?: readonly OptionName[]
  /** Options of its own. */
  own?: readonly Option[]
  /** What help says in the end. */
  help?: string
  /** What a wrong use of it is told beside what is wrong. */
  hint?: string
  /** The paths of the control plane, with their methods, whose door it is on the command line. */
  routes?: readonly Route[]
  /** Runs what stands after `--`. */
  takesCommand?: true
  /** Ends well when the process is asked to end; any other verb is then cut short. */
  endsItself?: true
  /** Has a log, which reports misspelt variables in the format that was chosen for it. */
  hasLog?: true
  /** Runs where no verb is named. */
  isDefault?: true
  /** The verbs below it, beside or in place of what it does itself. */
  verbs?: readonly Verb[]
  /** Does it, and gives the exit code where that may be another than 0. */
  run?(call: Call): Promise<number | void>
}

/** Such as `GET /_sandbox/clock`, as `src/control/` declares it. */
export type Route = `${Method} /_sandbox/${string}`

/** How a verb was called. */
export interface Call<I extends Io = CommandIo> {
  /** The words that are no options. */
  args: readonly string[]
  flags: FlagValues
  io: I
  /** What stood after `--`, for a verb that takes a command. */
  command: readonly string[] | undefined
  /** The whole line, for a verb that starts itself once more. */
  argv: readonly string[]
}

export const outputFile = new Option('-o, --output <file>', 'the file to write (default: -, standard output)')

export const textOrJson = new Option('--format <format>', 'how it is printed')
  .choices(['text', 'json'])
  .default('text')

/**
 * Tells commander of a verb. It reads words, flags and help for us, and knows nothing of what they mean.
 * @param done told the exit code.
 */
export function declareVerb(
  { name, about, args = [], options = [], own = [], help = '', verbs = [], ...verb }: Verb,
  parent: Command,
  call: Omit<Call, 'args' | 'flags'>,
  done: (code: number) => void,
): void {
  const { takesCommand, hasLog, isDefault = false, hint, run } = verb
  const made = ownedBy(call.io, parent.command(name, { isDefault }))
    .description(about)
    .addHelpText('after', help)
  if (hint !== undefined) made.showHelpAfterError(hint)
  for (const option of options) made.addOption(commanderOption(option, name))
  for (const option of own) made.addOption(option)
  for (const words of args) made.argument(...words)
  if (takesCommand) {
    made.usage('[options] -- <command> [arguments...]')
    made.argument('[command...]', 'what to run, with its arguments, after --')
    // Without it, options of the command are taken for ours.
    if (call.command === undefined)
      made.showHelpAfterError(`Put -- before the command: partner-rewards-sandbox ${name} -- npm test`)
  }
  made.enablePositionalOptions(verbs.length > 0)
  for (const inner of verbs) declareVerb(inner, made, call, done)
  if (run)
    made.action(async () => {
      refuseBefore(parent, name)
      if (!hasLog) warnOfMisspelt(call.io)
      done((await run({ ...call, args: made.args, flags: made.opts() })) ?? exitCodes.fine)
    })
}

function warnOfMisspelt(io: Io): void {
  for (const message of misspeltVariables(io.env)) io.stderr(`warning: ${message}\n`)
}

/** @throws {CliError} for an option that stands between a verb and one below it, which would take no notice of it. */
function refuseBefore(outer: Command, name: string): void {
  const given = outer.options.find((option) => outer.getOptionValueSource(option.attributeName()) === 'cli')
  if (given)
    throw new CliError(`error: put ${given.long} behind the verb: ${outer.name()} ${name} ${given.long} …`)
}

/** Commander prints and throws, but never ends the process itself. */
export function ownedBy(io: Io, command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .helpCommand(false)
    .allowExcessArguments(false)
}
