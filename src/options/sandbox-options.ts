// The options of `createSandbox` as types for users, written out for their docs; a test compares them with the table.
import type { FixtureDocument } from '../fixtures/document-shape.ts'
import type { ScenarioName } from '../scenarios/scenario-name.ts'
import type { AssumptionSettings } from '../input/resolve-assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { WebhookDescription } from '../events/description-type.ts'

/** Options of `createSandbox`. All are optional. */
export interface SandboxOptions {
  /** State documents, and paths of files and folders of them; `default`, or none at all, means the built-in rows. */
  fixtures?: string | FixtureDocument | readonly (string | FixtureDocument)[]
  /** A generated population, added to the fixtures. */
  generate?: { customers: number }
  /** Decides all generated values; the same seed gives the same bytes. Default 1. */
  seed?: number
  /** Which keys are accepted. Default `sandbox`. */
  environment?: Environment
  /** Scenarios that are active from the start: names, paths of files, or scenarios as objects. */
  scenarios?: ScenarioName | object | readonly (ScenarioName | object)[]
  /** Files of scenarios, or folders of them, that can be selected by name, in addition to the built-in ones. */
  scenarioLibrary?: string | readonly string[]
  /** The instant at which the clock starts, RFC 3339. Default: the machine's time. */
  clock?: string
  /** Whether the clock is frozen. */
  frozen?: boolean
  /** Values of assumptions by id; see `GET /_sandbox/assumptions`. */
  assume?: AssumptionSettings
  /** Serve webhook events as described here: a preset, the path of a file, or a description. */
  webhooks?: string | WebhookDescription
  /** The secret that signs webhook events, in the form that their description names. Default: derived from the seed. */
  webhookSecret?: string
  /** Maximum number of webhook events in each workspace. Default 1,000. */
  eventsSize?: number
  /** Hosts to which webhook events may be sent, `HOST` or `HOST:PORT`, in addition to loopback addresses. */
  webhookAllow?: string | readonly string[]
  /** A file that `calibrate` wrote: the values that it observed at a service; those of `assume` override them. */
  calibrated?: string
  /** A file that persists `default`, or a folder (existing, or with a trailing slash) that persists all workspaces. */
  data?: string
  /** Where the state is: `memory`, or a Redis or Valkey, `redis://HOST:PORT`, which other processes may use as well. Default `memory`. */
  store?: string
  /** Prefix of the keys in the store, 1 to 64 of A-Z, a-z, 0-9, _ and -. Default `sandbox`. */
  storePrefix?: string
  /** The URL by which clients reach the sandbox, if it differs from the address of requests. */
  baseUrl?: string
  /** Origins of browsers that may call the API, in addition to loopback ones. */
  corsOrigin?: string | readonly string[]
  /** Host names under which the control plane answers, in addition to loopback ones. */
  allowedHosts?: string | readonly string[]
  /** Maximum number of requests in the journal of each workspace; 0 for none. Default 1,000. */
  journalSize?: number
  /** Maximum size of a request body of the API, 1,024 to 16,777,216 bytes; a larger one is answered 413. Default 1,048,576. */
  maxBody?: number
  /** Maximum number of workspaces in addition to `default`. Default 10,000. */
  maxWorkspaces?: number
  /** Delete workspaces after this idle time: `30s`, `15m`, `24h`, `7d`. Default `none`. With a store `7d`. */
  workspaceTtl?: string
  /** Accept card numbers that are not well-known test numbers. */
  allowAnyPan?: boolean
  /** Who may use the control plane if the sandbox listens off loopback. */
  admin?: 'token' | 'open' | 'off'
  /** The token that the control plane then requires. */
  adminToken?: string
  /** How workspaces are isolated: by name (`test`, the default), or by keys and a token for each (`partner`). */
  isolation?: 'test' | 'partner'
  /** The secret from which the keys of partners derive, the same for all processes of a store. Default: random. */
  isolationSecret?: string
}
