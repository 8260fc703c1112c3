// The options of `createSandbox` as users see them, written out for their docs; a test holds them to the table.
import type { FixtureDocument } from '../fixtures/document-shape.ts'
import type { ScenarioName } from '../scenarios/scenario-name.ts'
import type { AssumptionSettings } from '../input/resolve-assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { Durability } from '../workspaces/keeper.ts'

/** Options of `createSandbox`. Every one of them may be left out. */
export interface SandboxOptions {
  /** State documents, and paths of files and folders that hold some; `default`, and none at all, is the built-in rows. */
  fixtures?: string | FixtureDocument | readonly (string | FixtureDocument)[]
  /** A generated population, added to the fixtures. */
  generate?: { customers: number }
  /** Decides everything that looks random; the same seed gives the same bytes. Default 1. */
  seed?: number
  /** Which keys are accepted. Default `sandbox`. */
  environment?: Environment
  /** Scenarios that are active from the start: names, paths of files, or scenarios as objects. */
  scenarios?: ScenarioName | object | readonly (ScenarioName | object)[]
  /** Files of scenarios, or folders of them, that can be chosen by name beside the built-in ones. */
  scenarioLibrary?: string | readonly string[]
  /** The instant at which the clock starts, RFC 3339. Default: the machine's time. */
  clock?: string
  /** Whether the clock stands still. */
  frozen?: boolean
  /** Values of assumptions by id; see `GET /_sandbox/assumptions`. */
  assume?: AssumptionSettings
  /** A file that `calibrate` wrote: the values that it observed at a service; those of `assume` win. */
  calibrated?: string
  /** A file that keeps the state of `default`, or a folder (there, or with a slash at its end) that keeps all workspaces. */
  data?: string
  /** When a write counts as kept: on the disk (`fsync`, the default), with the system, or at the end. */
  durability?: Durability
  /** Go back to what can be used of a data file that is damaged. */
  recover?: boolean
  /** Where the state is: `memory`, or a Redis or Valkey that machines share, `redis://HOST:PORT`. Default `memory`. */
  store?: string
  /** What the keys in the store begin with, 1 to 64 of A-Z, a-z, 0-9, _ and -. Default `sandbox`. */
  storePrefix?: string
  /** How clients reach the sandbox, when that differs from how requests arrive. */
  baseUrl?: string
  /** Origins beside loopback ones that browsers may call the API from. */
  corsOrigin?: string | readonly string[]
  /** Host names beside loopback ones under which the control plane answers. */
  allowedHosts?: string | readonly string[]
  /** How many requests each workspace remembers; 0 for none. Default 1,000. With a store 200. */
  journalSize?: number
  /** How many workspaces there may be beside `default`. Default 10,000. */
  maxWorkspaces?: number
  /** Forget workspaces that nobody used for so long: `30s`, `15m`, `24h`, `7d`. Default `none`. With a store `7d`. */
  workspaceTtl?: string
  /** Accept card numbers that are not well-known test numbers. */
  allowAnyPan?: boolean
  /** Who may use the control plane when the sandbox listens off loopback. */
  admin?: 'token' | 'open' | 'off'
  /** The token that the control plane then asks for. */
  adminToken?: string
  /** What keeps workspaces apart: their names (`test`, the default), or keys and a token for each partner (`partner`). */
  isolation?: 'test' | 'partner'
  /** What the keys of partners derive from, the same for all replicas. Default: random. */
  isolationSecret?: string
}
