// Every option, once: its flag, variable, config key, default, help and type. The command line, `SANDBOX_*`, the config
// file and `createSandbox` read this table.
import type { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import { environments } from '../contract/versions.ts'
import { builtInRows } from '../fixtures/built-in-rows.ts'
import { inMemory } from '../input/store-address.ts'
import { durabilities } from '../workspaces/keeper.ts'
import {
  assumeSettings,
  corsOrigins,
  filled,
  generate,
  hostNames,
  httpUrl,
  inputs,
  integer,
  minimums,
  names,
  oneOf,
  paths,
  reportFiles,
  store,
  storePrefix,
  switchValue,
  isolationSecret,
  token,
  ttl,
} from './option-values.ts'
import { reportNames } from './report-files.ts'
import type { FixtureDocument } from '../fixtures/document-shape.ts'

export type { SandboxOptions } from './sandbox-options.ts'

/** One row of the table. */
export interface OptionDeclaration {
  /** Makes the schema, which reads text as well as values of its own type, as the command line knows only text. */
  schema: () => z.ZodType
  /** What the value is called in help; none for a switch. */
  placeholder?: string
  short?: string
  help: string
  /** Given several times, or as a comma-separated list in the environment. */
  list?: true
  /** Texts that are none of its paths. */
  words?: readonly string[]
  /** A path, relative to the file that names it; or a word that may be one. */
  path?: true | 'when it looks like one'
  /** What `createSandbox` calls it, where that differs. */
  libraryName?: string
  /** Only for the command line; `createSandbox` does not know it. */
  commandLineOnly?: true
  /** Of one sandbox alone: where it keeps its state and who reaches it. The others of a run take no notice of it. */
  ownOfOne?: true
  /** Only for these verbs; others know no such flag, and take no notice of it elsewhere. */
  verbs?: readonly ('exec' | 'coverage')[]
  /** What its schema would make of it. Of a list none, of a switch off, unless it says otherwise. */
  default?: string | number
  /** What `exec` has in its place: a free port, so that it runs beside a sandbox that was started, and beside itself. */
  defaultOfExec?: number
  /** What counts in its place where the state is in a shared store. */
  defaultWithStore?: string | number
  /** No message repeats its value. */
  secret?: true
}

/** The seed in the end, as that of a dump among the fixtures counts before it. */
export const defaultSeed = 1

/** Where test kits write the traces of failed tests, in the working directory, unless `traceDir` names another folder. */
export const defaultTraceDir = 'partner-rewards-traces'

export const optionTable = {
  port: {
    schema: integer(0, 65_535),
    short: 'p',
    placeholder: 'number',
    help: 'port to listen on; 0 takes any free one',
    commandLineOnly: true,
    default: 4010,
    defaultOfExec: 0,
  },
  host: {
    schema: filled(),
    placeholder: 'address',
    help: 'address to listen on',
    commandLineOnly: true,
    default: '127.0.0.1',
  },
  fixtures: {
    schema: inputs<FixtureDocument>('must be a path or a state document'),
    placeholder: 'path',
    help: `state document, JSON or YAML, or a folder of them; ${builtInRows} for the built-in rows; repeatable`,
    list: true,
    path: true,
    words: [builtInRows],
  },
  generate: { schema: generate, placeholder: 'customers=N', help: 'add a generated population' },
  seed: {
    schema: integer(0, Number.MAX_SAFE_INTEGER),
    placeholder: 'number',
    help: `decides everything that looks random (default: that of a dump among the fixtures, else ${defaultSeed})`,
  },
  environment: { ...oneOf(environments), help: 'which API keys are accepted', default: 'sandbox' },
  scenario: {
    schema: inputs('must be a name, a path or a scenario'),
    placeholder: 'name|file',
    help: 'scenario that is active from the start; repeatable',
    list: true,
    path: 'when it looks like one',
    libraryName: 'scenarios',
  },
  scenarioLibrary: {
    schema: paths,
    placeholder: 'path',
    help: 'scenarios to choose from by name: a file, or a folder of them; repeatable',
    list: true,
    path: true,
  },
  clock: { schema: () => timestamp, placeholder: 'time', help: 'start the clock at this instant (RFC 3339)' },
  frozen: { schema: switchValue, help: 'let the clock stand still' },
  assume: {
    schema: assumeSettings,
    placeholder: 'id=value',
    help: 'set what the contract leaves open; repeatable',
    list: true,
  },
  calibrated: {
    schema: filled('must be a path'),
    placeholder: 'file',
    help: 'assume what calibrate observed at a service, as its file has it; --assume wins',
    path: true,
  },
  data: {
    ownOfOne: true,
    schema: filled('must be a path'),
    placeholder: 'file|folder',
    help: 'keep the state of workspace default in this file, or of all workspaces in this folder (there already, or with a slash at its end), and go on from it',
    path: true,
  },
  durability: {
    ownOfOne: true,
    ...oneOf(durabilities),
    help: 'when a write to --data counts as kept: on the disk, with the system, or at the end',
    default: 'fsync',
  },
  recover: {
    ownOfOne: true,
    schema: switchValue,
    help: 'go back to what can be used of a damaged --data file',
  },
  store: {
    ownOfOne: true,
    schema: store,
    placeholder: 'memory|url',
    help: 'keep the state of all workspaces in Redis or Valkey, for many machines: redis[s]://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…][/DB]; several hosts are a cluster',
    default: inMemory,
    secret: true,
  },
  storePrefix: {
    ownOfOne: true,
    schema: storePrefix,
    placeholder: 'text',
    help: 'what the keys in --store begin with; new fixtures need a new one',
    default: 'sandbox',
  },
  config: {
    schema: filled(),
    placeholder: 'file',
    help: 'file with options (default: sandbox.config.{yaml,yml,json} in the working directory)',
    commandLineOnly: true,
    path: true,
  },
  mount: {
    schema: filled(),
    placeholder: 'folder',
    help: 'folder whose fixtures/, scenarios/ and sandbox.config.* are used where they exist',
    commandLineOnly: true,
    path: true,
  },
  admin: {
    ownOfOne: true,
    ...oneOf(['token', 'open', 'off']),
    help: 'who may use /_sandbox when listening off loopback',
  },
  adminToken: {
    ownOfOne: true,
    schema: token,
    placeholder: 'token',
    help: 'token that /_sandbox asks for',
    secret: true,
  },
  isolation: {
    ownOfOne: true,
    ...oneOf(['test', 'partner']),
    help: 'what keeps workspaces apart: their names, for tests of one partner, or keys and a token of their own, for many partners',
    default: 'test',
  },
  isolationSecret: {
    ownOfOne: true,
    schema: isolationSecret,
    placeholder: 'text',
    help: 'what the keys of --isolation partner derive from, the same for all replicas (default: random)',
    secret: true,
  },
  allowedHosts: {
    ownOfOne: true,
    schema: hostNames,
    placeholder: 'name',
    help: 'host name under which /_sandbox answers; repeatable',
    list: true,
  },
  corsOrigin: {
    ownOfOne: true,
    schema: corsOrigins,
    placeholder: 'origin',
    help: 'origin that browsers may call from; repeatable',
    list: true,
  },
  baseUrl: {
    ownOfOne: true,
    schema: httpUrl,
    placeholder: 'url',
    help: 'how clients reach the sandbox; its path is stripped from requests',
  },
  watch: {
    schema: switchValue,
    help: 'reload fixtures and scenarios when their files change',
    commandLineOnly: true,
  },
  quiet: { schema: switchValue, help: 'print the first line and problems only', commandLineOnly: true },
  logFormat: {
    ...oneOf(['pretty', 'json']),
    help: 'how lines are printed',
    commandLineOnly: true,
    default: 'pretty',
  },
  logFile: {
    schema: filled(),
    placeholder: 'file',
    help: 'add the log to this file, in place of stderr',
    commandLineOnly: true,
    path: true,
  },
  urlFile: {
    schema: filled(),
    placeholder: 'file',
    help: 'write the URL into this file while it serves',
    commandLineOnly: true,
    path: true,
  },
  journalSize: {
    schema: integer(0, 1_000_000),
    placeholder: 'number',
    help: 'how many requests each workspace remembers; 0 for none; with --store 200 unless it is set',
    default: 1_000,
    defaultWithStore: 200,
  },
  maxWorkspaces: {
    schema: integer(0, 1_000_000),
    placeholder: 'number',
    help: 'how many workspaces there may be beside default',
    default: 10_000,
  },
  workspaceTtl: {
    ownOfOne: true,
    schema: ttl,
    placeholder: 'duration',
    help: 'forget workspaces that nobody used for so long, such as 30s, 15m, 24h or 7d; with --store 7d unless it is set',
    default: 'none',
    defaultWithStore: '7d',
  },
  allowAnyPan: { schema: switchValue, help: 'accept card numbers that are not test numbers' },
  coverageOnly: {
    schema: names,
    placeholder: 'operation',
    help: 'exec, coverage: count the points of these operations only, by comma',
    list: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageSkip: {
    schema: names,
    placeholder: 'facet',
    help: 'exec, coverage: leave out points of these kinds, such as auth or version, by comma',
    list: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageMin: {
    schema: minimums,
    placeholder: 'percent',
    help: 'exec, coverage: exit 6 when fewer of the points were exercised, or of those of OPERATION=percent, by comma',
    list: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageBaseline: {
    schema: filled('must be a path'),
    placeholder: 'file',
    help: 'exec, coverage: exit 6 when a point that this file names is no longer covered; written where it is not there',
    path: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageBaselineUpdate: {
    schema: switchValue,
    help: 'exec, coverage: write the file of --coverage-baseline anew',
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  report: {
    schema: reportFiles,
    placeholder: 'file',
    help: `exec: write coverage or the calls into this file (${reportNames.join(', ')}); repeatable`,
    list: true,
    path: true,
    commandLineOnly: true,
    verbs: ['exec'],
  },
  traceDir: {
    schema: filled(),
    placeholder: 'folder',
    help: `exec: where test kits write the traces of failed tests; removes *-trace.html from it first (default: ${defaultTraceDir}, nothing removed)`,
    path: true,
    commandLineOnly: true,
    verbs: ['exec'],
  },
  strict: {
    schema: switchValue,
    help: 'exec: exit 6 when a call met no endpoint, or a rule of an active scenario never fired',
    commandLineOnly: true,
    verbs: ['exec'],
  },
} as const satisfies Record<string, OptionDeclaration>

type Table = typeof optionTable

/** The name of an option as config files write it, such as `maxWorkspaces`. */
export type OptionName = keyof Table

/** The name of an option in `createSandbox`. */
type LibraryName<Name extends OptionName> = Table[Name] extends { libraryName: infer Other extends string }
  ? Other
  : Name

/** What the schema reads; undefined where nothing was given and the row has nothing to begin with. */
type ValueOf<Row extends OptionDeclaration> =
  | z.output<ReturnType<Row['schema']>>
  | (Row extends { default: unknown } | { list: true }
      ? never
      : Row extends { placeholder: string }
        ? undefined
        : never)

/** The value in force of every option that `createSandbox` has. */
export type Settings = {
  [Name in OptionName as Table[Name] extends { commandLineOnly: true } ? never : LibraryName<Name>]: ValueOf<
    Table[Name]
  >
}

/** Those of the command line: where to listen, what to watch and print, and what `exec` asks of a run. */
export type CommandSettings = { [Name in OptionName as LibraryName<Name>]: ValueOf<Table[Name]> }

/** Where `start` serves unless it is told otherwise. */
export const defaultUrl = `http://${optionTable.host.default}:${optionTable.port.default}`

export const optionNames: readonly OptionName[] = Object.keys(optionTable) as OptionName[]

/** What `createSandbox` takes. */
export const libraryNames: readonly OptionName[] = optionNames.filter(
  (name) => !optionOf(name).commandLineOnly,
)

/** What the sandboxes of a run have in common. */
export const sharedNames: readonly OptionName[] = libraryNames.filter((name) => !optionOf(name).ownOfOne)

export function optionOf(name: OptionName): OptionDeclaration {
  return optionTable[name]
}

/** What counts where nobody set an option; undefined where nothing does. */
export function defaultOf(name: OptionName, verb?: string, hasStore = false): string | number | undefined {
  const { default: usual, defaultOfExec: ofExec, defaultWithStore: withStore } = optionOf(name)
  return (verb === 'exec' ? ofExec : hasStore ? withStore : undefined) ?? usual
}

/** The name on the command line: `maxWorkspaces` is `--max-workspaces`. */
export function flagOf(name: OptionName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The name in `createSandbox`. */
export function libraryNameOf(name: OptionName): string {
  return optionOf(name).libraryName ?? name
}

/** The options whose value can be read from a file, as secrets of containers are mounted. */
export const readFromFiles = ['adminToken', 'isolationSecret'] as const satisfies OptionName[]

/** The variable that names a file with the value in it: `SANDBOX_ADMIN_TOKEN_FILE`. */
export function fileVariableOf(name: (typeof readFromFiles)[number]): string {
  return `${variableOf(name)}_FILE`
}

/** The variable with the password of `--store`, so that it stands in no command line. */
export const storePasswordVariable = 'SANDBOX_STORE_PASSWORD'

/** The name in the environment: `maxWorkspaces` is `SANDBOX_MAX_WORKSPACES`. */
export function variableOf(name: OptionName): string {
  return `SANDBOX_${flagOf(name).slice(2).replaceAll('-', '_').toUpperCase()}`
}
