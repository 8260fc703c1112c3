// All options: flag, variable, config key, default, help and type. The command line, `SANDBOX_*`, the config file and
// `createSandbox` read this table.
import type { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import { environments } from '../contract/versions.ts'
import { builtInRows } from '../fixtures/built-in-rows.ts'
import { inMemory } from '../input/store-address.ts'
import {
  allowedWebhookHosts,
  assumeSettings,
  corsOrigins,
  description,
  filled,
  generate,
  certificateNames,
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
  webhookSecret,
} from './option-values.ts'
import { presets } from '../events/presets/index.ts'
import { reportNames } from './report-files.ts'
import type { FixtureDocument } from '../fixtures/document-shape.ts'

export type { SandboxOptions } from './sandbox-options.ts'

/** One row of the table. */
export interface OptionDeclaration {
  /** Creates the schema, which accepts text as well as values of its own type, as the command line has only text. */
  schema: () => z.ZodType
  /** The name of the value in help; none for a switch. */
  placeholder?: string
  short?: string
  help: string
  /** Repeatable, or a comma-separated list in the environment. */
  list?: true
  /** Texts that are not paths. */
  words?: readonly string[]
  /** A path, relative to the file that names it; or a word that may be one. */
  path?: true | 'when it looks like one'
  /** Its name in `createSandbox`, if that differs. */
  libraryName?: string
  /** Only for the command line; `createSandbox` does not have it. */
  commandLineOnly?: true
  /** For a single sandbox: where it saves its state and who can reach it. Other sandboxes of a run ignore it. */
  ownOfOne?: true
  /** Only for these verbs; others have no such flag, and ignore it in other sources. */
  verbs?: readonly ('exec' | 'coverage')[]
  /** The default as text. A list has none and a switch is off, unless it says otherwise. */
  default?: string | number
  /**
   * The default for `exec`: a free port, so that it can run next to a running sandbox, and several times concurrently.
   */
  defaultOfExec?: number
  /** The default if the state is in a store. */
  defaultWithStore?: string | number
  /** No message repeats its value. */
  secret?: true
}

/** The default seed, which that of a dump among the fixtures overrides. */
export const defaultSeed = 1

/** The folder for traces of failed tests, in the working directory, unless `traceDir` names another one. */
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
  tls: {
    ...oneOf(['self-signed']),
    help: 'serve https, with a certificate that is made for localhost and each --tls-host',
    commandLineOnly: true,
  },
  tlsCert: {
    schema: filled(),
    placeholder: 'file',
    help: 'serve https with this certificate (PEM, with the certificates that lead to its root)',
    commandLineOnly: true,
    path: true,
  },
  tlsKey: {
    schema: filled(),
    placeholder: 'file',
    help: 'private key of --tls-cert (PEM)',
    commandLineOnly: true,
    path: true,
  },
  tlsHost: {
    schema: certificateNames,
    placeholder: 'name',
    help: 'name or address for which --tls self-signed is valid, too; repeatable',
    list: true,
    commandLineOnly: true,
  },
  tlsDir: {
    schema: filled(),
    placeholder: 'folder',
    help: 'folder where --tls self-signed keeps its files (default: one for each set of names, in the temporary directory)',
    commandLineOnly: true,
    path: true,
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
    help: `seed of all generated values (default: that of a dump among the fixtures, or ${defaultSeed})`,
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
  frozen: { schema: switchValue, help: 'freeze the clock' },
  assume: {
    schema: assumeSettings,
    placeholder: 'id=value',
    help: 'set an assumption about an open question of the contract; repeatable',
    list: true,
  },
  webhooks: {
    schema: description,
    placeholder: 'preset|file',
    help: `serve webhook events as this preset (${Object.keys(presets).join(', ')}) or this file describes them`,
    path: true,
    words: Object.keys(presets),
  },
  webhookSecret: {
    schema: webhookSecret,
    placeholder: 'text',
    help: 'secret that signs webhook events, as your provider gave it to you, until an endpoint rotates its own (default: derived from the seed)',
    secret: true,
  },
  eventsSize: {
    schema: integer(1, 1_000_000),
    placeholder: 'number',
    help: 'maximum number of webhook events in each workspace',
    default: 1_000,
  },
  webhookAllow: {
    schema: allowedWebhookHosts,
    placeholder: 'host[:port]',
    help: 'host to which webhook events may be sent, in addition to loopback addresses; repeatable',
    list: true,
  },
  calibrated: {
    schema: filled('must be a path'),
    placeholder: 'file',
    help: 'set the assumptions that calibrate observed at a service, from its file; --assume wins',
    path: true,
  },
  data: {
    ownOfOne: true,
    schema: filled('must be a path'),
    placeholder: 'file|folder',
    help: 'persist workspace default in this file, or all workspaces in this folder (an existing folder, or a path with a trailing slash), and continue from it',
    path: true,
  },
  store: {
    ownOfOne: true,
    schema: store,
    placeholder: 'memory|url',
    help: 'persist all workspaces in Redis or Valkey: redis[s]://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…][/DB]; several hosts are a cluster',
    default: inMemory,
    secret: true,
  },
  storePrefix: {
    ownOfOne: true,
    schema: storePrefix,
    placeholder: 'text',
    help: 'prefix of all keys in --store; new fixtures need a new prefix',
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
    help: 'folder whose fixtures/, scenarios/ and sandbox.config.* are used if they exist',
    commandLineOnly: true,
    path: true,
  },
  admin: {
    ownOfOne: true,
    ...oneOf(['token', 'open', 'off']),
    help: 'who may use /_sandbox if the sandbox listens off loopback',
  },
  adminToken: {
    ownOfOne: true,
    schema: token,
    placeholder: 'token',
    help: 'token that /_sandbox requires',
    secret: true,
  },
  isolation: {
    ownOfOne: true,
    ...oneOf(['test', 'partner']),
    help: 'how workspaces are isolated: by name, for tests of one partner, or by keys and tokens of their own, for many partners',
    default: 'test',
  },
  isolationSecret: {
    ownOfOne: true,
    schema: isolationSecret,
    placeholder: 'text',
    help: 'secret from which the keys of --isolation partner derive, the same for all processes of a store (default: random)',
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
    help: 'URL by which clients reach the sandbox; its path is stripped from requests',
  },
  watch: {
    schema: switchValue,
    help: 'reload fixtures and scenarios when their files change',
    commandLineOnly: true,
  },
  quiet: { schema: switchValue, help: 'print the first line and problems only', commandLineOnly: true },
  logFormat: {
    ...oneOf(['pretty', 'json']),
    help: 'format of log lines',
    commandLineOnly: true,
    default: 'pretty',
  },
  logFile: {
    schema: filled(),
    placeholder: 'file',
    help: 'append the log to this file, instead of stderr',
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
    help: 'maximum number of requests in the journal of each workspace; 0 for none',
    default: 1_000,
  },
  maxBody: {
    schema: integer(1024, 16_777_216),
    placeholder: 'bytes',
    help: 'maximum size of a request body of the API, 1024 to 16777216; a larger one is answered 413',
    default: 1_048_576,
  },
  maxWorkspaces: {
    schema: integer(0, 1_000_000),
    placeholder: 'number',
    help: 'maximum number of workspaces in addition to default',
    default: 10_000,
  },
  workspaceTtl: {
    ownOfOne: true,
    schema: ttl,
    placeholder: 'duration',
    help: 'delete workspaces after this idle time, such as 30s, 15m, 24h or 7d (with --store: 7d)',
    default: 'none',
    defaultWithStore: '7d',
  },
  allowAnyPan: { schema: switchValue, help: 'accept card numbers that are not test numbers' },
  coverageOnly: {
    schema: names,
    placeholder: 'operation',
    help: 'exec, coverage: count only points of these operations, separated by commas',
    list: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageSkip: {
    schema: names,
    placeholder: 'facet',
    help: 'exec, coverage: omit points of these kinds, such as auth or version, separated by commas',
    list: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageMin: {
    schema: minimums,
    placeholder: 'percent',
    help: 'exec, coverage: exit 6 if fewer points were exercised; OPERATION=percent for one operation, separated by commas',
    list: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageBaseline: {
    schema: filled('must be a path'),
    placeholder: 'file',
    help: 'exec, coverage: exit 6 if a point in this file is no longer covered; the file is written if it does not exist',
    path: true,
    commandLineOnly: true,
    verbs: ['exec', 'coverage'],
  },
  coverageBaselineUpdate: {
    schema: switchValue,
    help: 'exec, coverage: rewrite the file of --coverage-baseline',
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
    help: 'exec: exit 6 if a call matched no endpoint, or a rule of an active scenario never fired',
    commandLineOnly: true,
    verbs: ['exec'],
  },
} as const satisfies Record<string, OptionDeclaration>

type Table = typeof optionTable

/** The name of an option in config files, such as `maxWorkspaces`. */
export type OptionName = keyof Table

/** The name of an option in `createSandbox`. */
type LibraryName<Name extends OptionName> = Table[Name] extends { libraryName: infer Other extends string }
  ? Other
  : Name

/** The type that the schema returns; undefined if it was not set and has no default. */
type ValueOf<Row extends OptionDeclaration> =
  | z.output<ReturnType<Row['schema']>>
  | (Row extends { default: unknown } | { list: true }
      ? never
      : Row extends { placeholder: string }
        ? undefined
        : never)

/** The current value of every option of `createSandbox`. */
export type Settings = {
  [Name in OptionName as Table[Name] extends { commandLineOnly: true } ? never : LibraryName<Name>]: ValueOf<
    Table[Name]
  >
}

/** Those of the command line: where to listen, what to watch and print, and the options of a run. */
export type CommandSettings = { [Name in OptionName as LibraryName<Name>]: ValueOf<Table[Name]> }

/** The default address of `start`. */
export const defaultUrl = `http://${optionTable.host.default}:${optionTable.port.default}`

export const optionNames: readonly OptionName[] = Object.keys(optionTable) as OptionName[]

/** The options of `createSandbox`. */
export const libraryNames: readonly OptionName[] = optionNames.filter(
  (name) => !optionOf(name).commandLineOnly,
)

/** The common options of the sandboxes of a run. */
export const sharedNames: readonly OptionName[] = libraryNames.filter((name) => !optionOf(name).ownOfOne)

export function optionOf(name: OptionName): OptionDeclaration {
  return optionTable[name]
}

/** Returns the default of an option; undefined if it has none. */
export function defaultOf(name: OptionName, verb?: string, hasStore = false): string | number | undefined {
  const { default: defaultValue, defaultOfExec: ofExec, defaultWithStore: withStore } = optionOf(name)
  return (verb === 'exec' ? ofExec : hasStore ? withStore : undefined) ?? defaultValue
}

/** Returns the name on the command line: `maxWorkspaces` is `--max-workspaces`. */
export function flagOf(name: OptionName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Returns the name in `createSandbox`. */
export function libraryNameOf(name: OptionName): string {
  return optionOf(name).libraryName ?? name
}

/** The options whose value can be read from a file, like mounted secrets of containers. */
export const readFromFiles = [
  'adminToken',
  'isolationSecret',
  'webhookSecret',
] as const satisfies OptionName[]

/** Returns the variable that names a file with the value: `SANDBOX_ADMIN_TOKEN_FILE`. */
export function fileVariableOf(name: (typeof readFromFiles)[number]): string {
  return `${variableOf(name)}_FILE`
}

/** The variable with the password of `--store`, so that it is not on the command line. */
export const storePasswordVariable = 'SANDBOX_STORE_PASSWORD'

/** The variable with the file of the authority that signed the certificate of the sandbox; `exec` sets it. */
export const caFileVariable = 'SANDBOX_CA_FILE'

/** Returns the name in the environment: `maxWorkspaces` is `SANDBOX_MAX_WORKSPACES`. */
export function variableOf(name: OptionName): string {
  return `SANDBOX_${flagOf(name).slice(2).replaceAll('-', '_').toUpperCase()}`
}
