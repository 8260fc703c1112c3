import { Command, CommanderError, Option } from 'commander'
import { closest } from '../reading/closest.ts'
import { defaultOf, flagOf, optionNames, optionOf, variableOf, type OptionName } from '../options/index.ts'
import { OptionsError } from '../options/read-options.ts'
import { schemaNames } from '../verbs/index.ts'
import { packageVersion } from '../runtime/host.ts'
import { DocumentError } from '../reading/problems.ts'
import { declareRemote } from './declare-remote.ts'
import { declareRuns, splitCommand } from './declare-runs.ts'
import { CliError, exitCodes, type Io, type ProgramIo } from './io.ts'
import type { FlagValues } from './settings.ts'

/** The verbs whose code is loaded only when they are used. */
const verbs = {
  start: () => import('./serve/start.ts').then((verb) => verb.start),
  validate: () => import('./offline/validate.ts').then((verb) => verb.validate),
  generate: () => import('./offline/generate.ts').then((verb) => verb.generate),
  scenarios: () => import('./offline/scenarios.ts').then((verb) => verb.scenarios),
  openapi: () => import('./offline/openapi.ts').then((verb) => verb.openapi),
  init: () => import('./offline/init.ts').then((verb) => verb.init),
  schema: () => import('./offline/schema.ts').then((verb) => verb.schema),
} as const

/** The options that decide which state a sandbox begins with. */
const stateOptions: readonly OptionName[] = [
  'fixtures',
  'scenario',
  'scenarioLibrary',
  'mount',
  'generate',
  'seed',
  'assume',
  'config',
  'allowAnyPan',
]

/** What start and exec both have. */
const startOptions = optionNames.filter((name) => optionOf(name).verb === undefined)

/**
 * Runs the command line.
 *
 * @param argv the words after the program's name.
 * @returns the exit code; see `exitCodes`.
 */
export async function run(argv: readonly string[], io: ProgramIo): Promise<number> {
  let code: number = exitCodes.fine
  const [own, words] = splitCommand(argv)
  const program = declare(io, words, (verb) => {
    code = verb
  })
  try {
    refuseUnknownVerb(argv, program)
    const finished = program.parseAsync([...own], { from: 'user' }).then(() => code)
    // Only what serves ends well when it is asked to; any other verb is then cut short.
    return await Promise.race([finished, io.stopped.then(() => interrupted(finished, argv))])
  } catch (error) {
    return explain(error, io)
  }
}

/** Declares a verb, of the program or of another verb. */
export type Add = (name: string, about: string, options: readonly OptionName[], parent?: Command) => Command

function declare(io: ProgramIo, words: readonly string[] | undefined, done: (code: number) => void): Command {
  const program = command(new Command('partner-rewards-sandbox'), io)
    .description('A stateful sandbox of the partner rewards API, for integration tests.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpCommand(false)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `\nEvery option of start can also be set in the environment (${flagOf('maxWorkspaces')} as ${variableOf('maxWorkspaces')}),\nin SANDBOX_OPTIONS, or in sandbox.config.{yaml,yml,json}. Without a verb, start runs.`,
    )

  const add: Add = (name, about, options, parent = program) => {
    const verb = command(parent.command(name, { isDefault: name === 'start' }), io).description(about)
    for (const option of options) verb.addOption(commanderOption(option, name === 'exec' ? name : undefined))
    return verb
  }

  add('start', 'serve the API (also without a verb)', startOptions).action(async (flags: FlagValues) => {
    done(await (await verbs.start())(flags, io))
  })

  declareRuns({ add, io, words, done })

  add('validate', 'check state documents and scenarios; without files, what start would load', stateOptions)
    .argument('[files...]', 'state documents and scenarios, or folders of them')
    .addOption(
      new Option('--format <format>', 'how problems are printed')
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .action(async (files: string[], flags: FlagValues) => {
      done(await (await verbs.validate())(files, flags, io))
    })

  add('generate', 'write a state document with a generated population', [
    'generate',
    'fixtures',
    'seed',
    'assume',
    'allowAnyPan',
    'config',
  ])
    .option('--customers <number>', 'how many customers (the same as --generate customers=N)')
    .option('-o, --output <file>', 'the file to write; standard output without')
    .action(async (flags: FlagValues) => {
      done(await (await verbs.generate())(flags, io))
    })

  add(
    'init',
    'write a first fixture, scenario, config and test into the working directory; overwrites nothing',
    [],
  ).action(async () => {
    done(await (await verbs.init())(io))
  })

  add('scenarios', 'list the scenarios, or show one', ['scenario', 'scenarioLibrary', 'mount', 'config'])
    .argument('[name]', 'the scenario to show')
    .action(async (name: string | undefined, flags: FlagValues) => {
      done(await (await verbs.scenarios())(name, flags, io))
    })

  add('openapi', 'print the API as an OpenAPI 3.1 document', ['environment', 'assume', 'baseUrl', 'config'])
    .option('-o, --output <file>', 'the file to write; standard output without')
    .action(async (flags: FlagValues) => {
      done(await (await verbs.openapi())(flags, io))
    })

  add('schema', 'print the JSON Schema of a kind of file', [])
    .argument('<kind>', schemaNames.join(' or '))
    .action(async (kind: string) => {
      done(await (await verbs.schema())(kind, io))
    })

  declareRemote(add, io, done)
  return program
}

/** A mistyped verb would otherwise be taken for an argument of the default one. */
function refuseUnknownVerb([first, ...rest]: readonly string[], program: Command, before = ''): void {
  if (first === undefined || first.startsWith('-')) return
  const verb = program.commands.find((known) => known.name() === first)
  if (verb) {
    if (verb.commands.length > 0) refuseUnknownVerb(rest, verb, `${first} `)
    return
  }
  const names = program.commands.map((known) => known.name())
  const guess = closest(first, names)
  const hint =
    guess === undefined ? `expected one of: ${names.join(', ')}` : `did you mean '${before}${guess}'?`
  throw new CliError(`error: unknown verb '${before}${first}', ${hint}`, exitCodes.usage)
}

function interrupted(finished: Promise<number>, [verb]: readonly string[]): number | Promise<number> {
  const endsItself = verb === undefined || verb.startsWith('-') || ['start', 'exec', 'matrix'].includes(verb)
  return endsItself ? finished : exitCodes.interrupted
}

/** Commander prints and throws, but never ends the process itself. */
function command(made: Command, io: Io): Command {
  return made
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .allowExcessArguments(false)
}

/** An option of the table as commander knows it; values stay text, as the table's schemas read them. */
export function commanderOption(name: OptionName, verb?: 'exec'): Option {
  const { short, placeholder, help, list } = optionOf(name)
  const fallback = defaultOf(name, verb)
  const flags = `${short === undefined ? '' : `-${short}, `}${flagOf(name)}${placeholder === undefined ? '' : ` <${placeholder}>`}`
  const option = new Option(flags, fallback === undefined ? help : `${help} (default: ${fallback})`)
  if (list) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return option
}

/** Turns a failure into its message and exit code. */
function explain(error: unknown, io: Io): number {
  if (error instanceof CommanderError) {
    // Help and version end commander with code 0; everything else it refuses is wrong usage, printed already.
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
  if (error instanceof DocumentError) {
    io.stderr(`${error.message}\n`)
    return exitCodes.badFile
  }
  io.stderr(
    `error: this is a bug of the sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  return exitCodes.bug
}
