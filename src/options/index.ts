import { z } from 'zod'
import type { AssumptionSettings } from '../reading/resolve-assumptions.ts'
import { timestamp } from '../contract/formats.ts'
import { environments, type Environment } from '../contract/versions.ts'
import { reportExtensions } from '../coverage/reports/index.ts'
import {
  assumeSettings,
  corsOrigin,
  generate,
  hostNames,
  httpUrl,
  integer,
  isFixture,
  paths,
  percentage,
  reportFile,
  switchValue,
} from './option-values.ts'
import { durabilities, type Durability } from '../workspaces/keeper.ts'

/**
 * Every option of the sandbox, once: its type, default, name on the command line and in the environment, and help.
 * The command line, `SANDBOX_*` variables, the config file and `createSandbox` all read this table.
 */

/**
 * A state document as fixtures hold it: `account`, `products`, `api_keys`, `customers`, … (design: State documents).
 * Rows may be sparse; what is in it is checked when it is loaded.
 */
export type FixtureDocument = Readonly<Record<string, unknown>>

/** Options of `createSandbox`. Every one of them may be left out. */
export interface SandboxOptions {
  /** State documents, or paths of files and folders that hold some; without any, the built-in fixtures. */
  fixtures?: string | FixtureDocument | readonly (string | FixtureDocument)[]
  /** A generated population, added to the fixtures. */
  generate?: { customers: number }
  /** Decides everything that looks random; the same seed gives the same bytes. Default 1. */
  seed?: number
  /** Which keys are accepted. Default `sandbox`. */
  environment?: Environment
  /** Scenarios that are active from the start: names, paths of files, or scenarios as objects. */
  scenarios?: string | object | readonly (string | object)[]
  /** Files of scenarios, or folders of them, that can be chosen by name beside the built-in ones. */
  scenarioLibrary?: string | readonly string[]
  /** The instant at which the clock starts, RFC 3339. Default: the machine's time. */
  clock?: string
  /** Whether the clock stands still. */
  frozen?: boolean
  /** Values of assumptions by id; see `GET /_sandbox/assumptions`. */
  assume?: AssumptionSettings
  /** A file that keeps the state of workspace `default`: it goes on from there at the next start. */
  data?: string
  /** When a write counts as kept: on the disk (`fsync`, the default), with the system, or at the end. */
  durability?: Durability
  /** Go back to what can be used of a data file that is damaged. */
  recover?: boolean
  /** How clients reach the sandbox, when that differs from how requests arrive. */
  baseUrl?: string
  /** Origins beside loopback ones that browsers may call the API from. */
  corsOrigin?: string | readonly string[]
  /** Host names beside loopback ones under which the control plane answers. */
  allowedHosts?: string | readonly string[]
  /** How many requests each workspace remembers; 0 for none. Default 1,000. */
  journalSize?: number
  /** How many workspaces there may be beside `default`. Default 10,000. */
  maxWorkspaces?: number
  /** Accept card numbers that are not well-known test numbers. */
  allowAnyPan?: boolean
  /** Who may use the control plane when the sandbox listens off loopback. */
  admin?: 'token' | 'open' | 'off'
  /** The token that the control plane then asks for. */
  adminToken?: string
}

/** Options that only the command line has: where to listen, what to watch and what to print. */
export interface StartOptions {
  port: number
  host: string
  watch: boolean
  quiet: boolean
  logFormat: 'pretty' | 'json'
  urlFile: string | undefined
}

/** Options that only `exec` has: what it asks of the run, and what it writes. */
export interface ExecOptions {
  /** The least coverage that is enough, in percent. */
  coverageMin: number | undefined
  /** Files for the coverage report, each in the format of its extension. */
  report: readonly string[]
  strict: boolean
}

/** Every option with its value in force. */
export interface Settings {
  fixtures: readonly (string | FixtureDocument)[]
  generate: { customers: number } | undefined
  /** Unset where nobody chose one: then a dump's own seed counts, else `defaultSeed`. */
  seed: number | undefined
  environment: Environment
  scenarios: readonly (string | object)[]
  scenarioLibrary: readonly string[]
  clock: string | undefined
  frozen: boolean
  assume: AssumptionSettings
  data: string | undefined
  durability: Durability
  recover: boolean
  baseUrl: string | undefined
  corsOrigin: readonly string[]
  allowedHosts: readonly string[]
  journalSize: number
  maxWorkspaces: number
  allowAnyPan: boolean
  admin: 'token' | 'open' | 'off' | undefined
  adminToken: string | undefined
}

/** One row of the table. */
export interface OptionDeclaration {
  /** The schema reads text as well as values of its own type, as the command line knows only text. */
  schema: z.ZodType
  /** What the value is called in help; none for a switch. */
  placeholder?: string
  short?: string
  help: string
  /** Given several times, or as a comma-separated list in the environment. */
  list?: true
  /** A path, relative to the file that names it; or a word that may be one. */
  path?: true | 'when it looks like one'
  /** What `createSandbox` calls it, where that differs. */
  libraryName?: string
  /** Only for the command line; `createSandbox` does not know it. */
  commandLineOnly?: true
  /** Only for this verb; other verbs know no such flag, and take no notice of it elsewhere. */
  verb?: 'exec'
  default?: string | number
}

export const optionTable = {
  port: {
    schema: integer(0, 65_535),
    short: 'p',
    placeholder: 'number',
    help: 'port to listen on; 0 takes any free one',
    commandLineOnly: true,
    default: 4010,
  },
  host: {
    schema: z.string().min(1, 'must not be empty'),
    placeholder: 'address',
    help: 'address to listen on',
    commandLineOnly: true,
    default: '127.0.0.1',
  },
  fixtures: {
    schema: z.preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(z.custom<string | FixtureDocument>(isFixture, 'must be a path or a state document')),
    ),
    placeholder: 'path',
    help: 'state document, JSON or YAML, or a folder of them; repeatable',
    list: true,
    path: true,
  },
  generate: {
    schema: generate,
    placeholder: 'customers=N',
    help: 'add a generated population',
  },
  seed: {
    schema: integer(0, Number.MAX_SAFE_INTEGER),
    placeholder: 'number',
    help: 'decides everything that looks random (default: that of a dump among the fixtures, else 1)',
  },
  environment: {
    schema: z.enum(environments, { error: `must be one of ${environments.join(', ')}` }),
    placeholder: environments.join('|'),
    help: 'which API keys are accepted',
    default: 'sandbox',
  },
  scenario: {
    schema: z.preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(z.custom<string | object>(isFixture, 'must be a name, a path or a scenario')),
    ),
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
  clock: {
    schema: timestamp,
    placeholder: 'time',
    help: 'start the clock at this instant (RFC 3339)',
  },
  frozen: { schema: switchValue, help: 'let the clock stand still' },
  assume: {
    schema: assumeSettings,
    placeholder: 'id=value',
    help: 'set what the contract leaves open; repeatable',
    list: true,
  },
  data: {
    schema: z.string('must be a path').min(1, 'must not be empty'),
    placeholder: 'file',
    help: 'keep the state of workspace default in this file, and go on from it',
    path: true,
  },
  durability: {
    schema: z.enum(durabilities, { error: `must be one of ${durabilities.join(', ')}` }),
    placeholder: durabilities.join('|'),
    help: 'when a write to --data counts as kept: on the disk, with the system, or at the end',
    default: 'fsync',
  },
  recover: { schema: switchValue, help: 'go back to what can be used of a damaged --data file' },
  config: {
    schema: z.string().min(1, 'must not be empty'),
    placeholder: 'file',
    help: 'file with options (default: sandbox.config.{yaml,yml,json} in the working directory)',
    commandLineOnly: true,
    path: true,
  },
  mount: {
    schema: z.string().min(1, 'must not be empty'),
    placeholder: 'folder',
    help: 'folder whose fixtures/, scenarios/ and sandbox.config.* are used where they exist',
    commandLineOnly: true,
    path: true,
  },
  admin: {
    schema: z.enum(['token', 'open', 'off'], { error: 'must be one of token, open, off' }),
    placeholder: 'token|open|off',
    help: 'who may use /_sandbox when listening off loopback',
  },
  adminToken: {
    schema: z.string().regex(/^\S{1,200}$/, 'must be 1 to 200 characters without spaces'),
    placeholder: 'token',
    help: 'token that /_sandbox asks for',
  },
  allowedHosts: {
    schema: hostNames,
    placeholder: 'name',
    help: 'host name under which /_sandbox answers; repeatable',
    list: true,
  },
  corsOrigin: {
    schema: z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(corsOrigin)),
    placeholder: 'origin',
    help: 'origin that browsers may call from; repeatable',
    list: true,
  },
  baseUrl: {
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
    schema: z.enum(['pretty', 'json'], { error: 'must be one of pretty, json' }),
    placeholder: 'pretty|json',
    help: 'how lines are printed',
    commandLineOnly: true,
    default: 'pretty',
  },
  urlFile: {
    schema: z.string().min(1, 'must not be empty'),
    placeholder: 'file',
    help: 'write the URL into this file once it serves',
    commandLineOnly: true,
    path: true,
  },
  journalSize: {
    schema: integer(0, 1_000_000),
    placeholder: 'number',
    help: 'how many requests each workspace remembers; 0 for none',
    default: 1_000,
  },
  maxWorkspaces: {
    schema: integer(0, 1_000_000),
    placeholder: 'number',
    help: 'how many workspaces there may be beside default',
    default: 10_000,
  },
  allowAnyPan: { schema: switchValue, help: 'accept card numbers that are not test numbers' },
  coverageMin: {
    schema: percentage,
    placeholder: 'percent',
    help: 'exec: exit 6 when fewer of the contract points were exercised',
    commandLineOnly: true,
    verb: 'exec',
  },
  report: {
    schema: z.preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(reportFile, 'must be a path or a list of paths'),
    ),
    placeholder: 'file',
    help: `exec: write coverage into this file (${reportExtensions.join(', ')}); repeatable`,
    list: true,
    path: true,
    commandLineOnly: true,
    verb: 'exec',
  },
  strict: {
    schema: switchValue,
    help: 'exec: exit 6 when a call met no endpoint, or a rule of an active scenario never fired',
    commandLineOnly: true,
    verb: 'exec',
  },
} as const satisfies Record<string, OptionDeclaration>

/** What `exec` has for a default: a free port, so that it runs beside a sandbox that was started, and beside itself. */
export const execDefaults: Readonly<Partial<Record<OptionName, number>>> = { port: 0 }

/** The name of an option as `createSandbox` and config files write it, such as `maxWorkspaces`. */
export type OptionName = keyof typeof optionTable

export const optionNames: readonly OptionName[] = Object.keys(optionTable) as OptionName[]

/** What `createSandbox` takes. */
export const libraryNames: readonly OptionName[] = optionNames.filter(
  (name) => optionOf(name).commandLineOnly === undefined,
)

export function optionOf(name: OptionName): OptionDeclaration {
  return optionTable[name]
}

/** The name on the command line: `maxWorkspaces` is `--max-workspaces`. */
export function flagOf(name: OptionName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The name in `createSandbox`. */
export function libraryNameOf(name: OptionName): string {
  return optionOf(name).libraryName ?? name
}

/** The name in the environment: `maxWorkspaces` is `SANDBOX_MAX_WORKSPACES`. */
export function variableOf(name: OptionName): string {
  return `SANDBOX_${flagOf(name).slice(2).replaceAll('-', '_').toUpperCase()}`
}
