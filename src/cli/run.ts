import { Command, CommanderError, Option } from 'commander'
import { closest } from '../contract/closest.ts'
import { flagOf, optionNames, optionOf, OptionsError, variableOf, type OptionName } from '../options.ts'
import { schemaNames } from '../control/verbs.ts'
import { reportFormats } from '../journal/report-formats.ts'
import { packageVersion } from '../runtime/host.ts'
import { DocumentError } from '../seed/problems.ts'
import { CliError, exitCodes, type Io } from './io.ts'
import type { FlagValues } from './settings.ts'

/** The verbs whose code is loaded only when they are used. */
const verbs = {
  start: () => import('./start.ts').then((verb) => verb.start),
  validate: () => import('./validate.ts').then((verb) => verb.validate),
  generate: () => import('./generate.ts').then((verb) => verb.generate),
  scenarios: () => import('./scenarios.ts').then((verb) => verb.scenarios),
  openapi: () => import('./openapi.ts').then((verb) => verb.openapi),
  schema: () => import('./schema.ts').then((verb) => verb.schema),
  coverage: () => import('./coverage.ts').then((verb) => verb.coverage),
  health: () => import('./health.ts').then((verb) => verb.health),
  explain: () => import('./explain.ts').then((verb) => verb.explain),
} as const

const whereItIs = 'where it is (default: SANDBOX_URL, else port 4010)'

/** The options that decide which state a sandbox begins with. */
const stateOptions: readonly OptionName[] = [
  'fixtures',
  'generate',
  'seed',
  'assume',
  'config',
  'allowAnyPan',
]

/**
 * Runs the command line.
 *
 * @param argv the words after the program's name.
 * @returns the exit code; see `exitCodes`.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCodes.fine
  const program = declare(io, (verb) => {
    code = verb
  })
  try {
    refuseUnknownVerb(argv, program)
    const finished = program.parseAsync([...argv], { from: 'user' }).then(() => code)
    // Only a served sandbox ends well when it is asked to; any other verb is then cut short.
    return await Promise.race([finished, io.stopped.then(() => interrupted(finished, argv))])
  } catch (error) {
    return explain(error, io)
  }
}

function declare(io: Io, done: (code: number) => void): Command {
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

  const add = (name: string, about: string, options: readonly OptionName[]): Command => {
    const verb = command(program.command(name, { isDefault: name === 'start' }), io).description(about)
    for (const option of options) verb.addOption(commanderOption(option))
    return verb
  }

  add('start', 'serve the API (also without a verb)', optionNames).action(async (flags: FlagValues) => {
    done(await (await verbs.start())(flags, io))
  })

  add('validate', 'check state documents; without files, what start would load', stateOptions)
    .argument('[files...]', 'state documents, or folders of them')
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

  add('scenarios', 'list the scenarios, or show one', ['scenario', 'config'])
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

  add('coverage', 'print which contract points a running sandbox saw exercised', [])
    .addOption(new Option('--format <format>', 'how it is written').choices(reportFormats).default('text'))
    .option('--workspace <name>', 'only the calls in this workspace (default: all of them)')
    .option('--url <url>', whereItIs)
    .option('-o, --output <file>', 'the file to write; standard output without')
    .action(async (flags: FlagValues) => {
      done(await (await verbs.coverage())(flags, io))
    })

  add('health', 'ask a running sandbox how it is', [])
    .option('--url <url>', whereItIs)
    .action(async (flags: FlagValues) => {
      done(await (await verbs.health())(flags, io))
    })

  add('explain', 'say why a running sandbox answered a request as it did', ['adminToken'])
    .argument('<request-id>', 'the x-sandbox-request-id of its answer')
    .option('--url <url>', 'where it is (default: SANDBOX_URL, else port 4010)')
    .option('--workspace <name>', 'the workspace of the request (default: the one its id names)')
    .addOption(new Option('--format <format>', 'how it is printed').choices(['text', 'json']).default('text'))
    .action(async (id: string, flags: FlagValues) => {
      done(await (await verbs.explain())(id, flags, io))
    })
  return program
}

/** A mistyped verb would otherwise be taken for an argument of the default one. */
function refuseUnknownVerb([first]: readonly string[], program: Command): void {
  if (first === undefined || first.startsWith('-')) return
  const names = program.commands.map((verb) => verb.name())
  if (names.includes(first)) return
  const guess = closest(first, names)
  const hint = guess === undefined ? `expected one of: ${names.join(', ')}` : `did you mean '${guess}'?`
  throw new CliError(`error: unknown verb '${first}', ${hint}`, exitCodes.usage)
}

function interrupted(finished: Promise<number>, [verb]: readonly string[]): number | Promise<number> {
  return verb === undefined || verb === 'start' || verb.startsWith('-') ? finished : exitCodes.interrupted
}

/** Commander prints and throws, but never ends the process itself. */
function command(made: Command, io: Io): Command {
  return made
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .allowExcessArguments(false)
}

/** An option of the table as commander knows it; values stay text, as the table's schemas read them. */
export function commanderOption(name: OptionName): Option {
  const { short, placeholder, help, list, default: fallback } = optionOf(name)
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
    io.stderr(`error: ${error.message}\n`)
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
