import type { Assume, AssumptionId } from '../contract/assumptions.ts'
import type { CredentialForm } from '../contract/credentials.ts'
import type { ApiError } from '../contract/errors.ts'
import { assumptionIds } from '../contract/assumptions.ts'
import type { Scope } from '../contract/scopes.ts'
import type { ReleasedVersion, Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { ApiKeyRow, ProductRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { Change, Read, Transaction } from '../store/transaction.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { CredentialProblem, ScenarioChanges, VersionSource } from '../journal/record.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BodySource } from './body/read-body.ts'
import type { Route } from './routes.ts'
import type { Service } from './service.ts'

/** Shared by all calls: a list of its own for each would be kept by the journal, empty as it is. */
const none: readonly never[] = Object.freeze([])

/** The request headers that decide something. A header that was sent twice is joined by ", ", as HTTP has it. */
export interface KnownHeaders {
  authorization?: string
  'x-service-version'?: string
  'x-service-merchant-key'?: string
  'content-type'?: string
  'content-encoding'?: string
  'content-length'?: string
  'transfer-encoding'?: string
  'idempotency-key'?: string
  'x-sandbox-scenario'?: string
  origin?: string
  'access-control-request-method'?: string
}

/** What came in. */
export interface Incoming {
  method: string
  /** The path as it was sent, without the query. */
  path: string
  /** The query as it was sent, without the question mark. */
  query: string
  /** Scheme, host and port that the client used. */
  origin: string
  headers: KnownHeaders
  body: BodySource
  /** The route that the path fits, with the values of its parameters. */
  route: Route | undefined
  params: Record<string, string>
  /** Every header as it came, names and values in turns. */
  rawHeaders: readonly string[]
  /** The value of any header, for rules that look at it. */
  header(name: string): string | undefined
  /** Aborted when the client is gone. */
  gone(): AbortSignal
  /** The workspace to stay in, when the call comes through a workspace's own `fetch`. */
  fixed: Workspace | undefined
}

/** One request on its way through the stages: what came in, and what each stage found out. */
export class Exchange {
  readonly service: Service
  readonly incoming: Incoming
  /** Where the call belongs; calls without a usable key belong to `default`. */
  workspace: Workspace
  requestId = ''
  /** When it came, on the clock of its workspace. */
  at = 0
  /** Why there is no usable key. */
  credentialProblem: CredentialProblem | undefined
  key: ApiKeyRow | undefined
  /** How the key was sent. */
  credentialForm: CredentialForm | undefined
  /** The scopes that the key holds for this call: its own, less those that a scenario takes away. */
  scopes: readonly Scope[] = none
  /** The scenarios that are active for this call, if any are. */
  scenarios: readonly Scenario[] | undefined
  /** What scenarios do to this call. */
  plan: Plan | undefined
  /** The parameter that a scenario has name nothing in this call, whatever its value is. */
  missing: string | undefined
  /** The plan that the scenarios have counted, and where; see `ScenarioEngine.round`. */
  counted: { round: object; plan: Plan } | undefined
  /** It waited as long as the plan says. */
  delayed = false
  /** The state by which it was found out whose call it is and what it may do. */
  judgedBy: State | undefined
  version: Version | undefined
  versionSource: VersionSource | undefined
  savedVersion: ReleasedVersion | undefined
  endpoint: Endpoint | undefined
  product: ProductRow | undefined
  /** The body as bytes, then as what it means. */
  bytes: Uint8Array | undefined
  parsed: unknown
  /** The body was read, or somebody began to: its stream cannot be read again. */
  bodyTaken = false
  /** What went wrong with a body that was received early; it is answered in its own place. */
  bodyFailure: unknown
  /** The key was found to hold the scope of the endpoint. */
  permitted = false
  /** The handler was asked, whatever became of that. */
  asked = false
  /** The handler ran and its writes stand. */
  handled = false
  /** What the handler gave. */
  result: unknown
  query: Record<string, unknown> = {}
  body: Record<string, unknown> = {}
  reads: readonly Read[] = none
  changes: readonly Change[] = none
  /** Something was written, by the handler or by a scenario. */
  wrote = false
  /** What scenarios changed before or after the call's own changes. */
  scenarioChanges: ScenarioChanges[] | undefined
  /** What was answered instead of a success. */
  failure: ApiError | undefined
  /** When it began, in the machine's own time. */
  readonly started = monotonicNow()
  #restsOn: AssumptionId[] | undefined

  constructor(service: Service, incoming: Incoming) {
    this.service = service
    this.incoming = incoming
    this.workspace = incoming.fixed ?? service.workspaces.default
  }

  /**
   * Whether that by which the call was judged is no longer there: its workspace was reset, restored or replaced
   * meanwhile, or its key was changed or deleted. A workspace that was deleted keeps its state for the calls that it
   * has begun.
   */
  get isOutdated(): boolean {
    const { judgedBy, key } = this
    if (judgedBy === undefined || key === undefined) return false
    const { state } = this.workspace
    return judgedBy !== state || state.get('api_keys', key.id) !== key
  }

  /**
   * Forgets what the stages found out, to be judged again from the start. What the client sent stays, as a body can be
   * read once only; so do the number of the request and the count of it in scenarios.
   */
  startOver(): void {
    this.workspace = this.incoming.fixed ?? this.service.workspaces.default
    this.judgedBy = undefined
    this.key = undefined
    this.scopes = none
    this.scenarios = undefined
    this.plan = undefined
    this.version = undefined
    this.versionSource = undefined
    this.savedVersion = undefined
    this.credentialProblem = undefined
    this.failure = undefined
    this.reads = none
    this.endpoint = undefined
    this.product = undefined
    this.permitted = false
    this.asked = false
    this.parsed = undefined
    this.query = {}
    this.body = {}
    this.#restsOn = undefined
  }

  /** Takes its number in a workspace, from which on it belongs there. */
  enter(workspace: Workspace): void {
    this.workspace = workspace
    // A call that is judged again has its number already.
    if (this.requestId === '') this.requestId = workspace.nextRequestId()
    this.at = workspace.clock.now()
  }

  /** Reads an assumption, and notes that the answer rests on it. */
  readonly assume: Assume = (id) => {
    if (this.#restsOn === undefined) this.#restsOn = [id]
    else if (!this.#restsOn.includes(id)) this.#restsOn.push(id)
    return this.service.assumptions[id]
  }

  /** Ends a transaction of this call; the answer then waits until its writes are kept. */
  commit(tx: Transaction): readonly Change[] {
    const changes = this.workspace.commit(tx)
    if (changes.length === 0) return none
    this.wrote = true
    return changes
  }

  /** The assumptions that the answer rests on, in the order of the catalogue. */
  get restsOn(): readonly AssumptionId[] {
    const noted = this.#restsOn
    if (noted === undefined || noted.length < 2) return noted ?? none
    return noted.toSorted((a, b) => assumptionIds.indexOf(a) - assumptionIds.indexOf(b))
  }
}
