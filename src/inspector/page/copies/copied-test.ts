// A call as a test: what the test arranges, sends and asserts, for the writers of each test runner.
import type { ContractPoint } from '../../../coverage/points/point.ts'
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { scenarioOf, type WrittenScenario } from './as-scenario.ts'
import type { Path } from './javascript.ts'
import { factOf, sentAgain, type SentAgain } from './sent-again.ts'

/** The setup of a test, in addition to the call. */
export interface CopyContext {
  /** The points of `GET /contract`. */
  points: readonly ContractPoint[]
  /** The rows that the call read, as they were before it, and the row of its key; none where they are the built-in ones. */
  fixtures?: Readonly<Record<string, unknown>> | undefined
  /** The assumptions whose values are not the defaults. */
  assume?: Readonly<Record<string, string | number | boolean>> | undefined
}

/** The key of a call. */
export type Credential =
  { kind: 'own' } | { kind: 'none' } | { kind: 'text'; text: string } | { kind: 'key'; id: string }

/** The assertions of a test. */
export type Expected =
  | { kind: 'answer'; status: number | null; body: unknown; isBodyWhole: boolean }
  /** The client gets no answer that it can read to its end. */
  | { kind: 'spoiled' }
  /** No byte comes: the timeout of the client fires. */
  | { kind: 'timeout' }

export interface CopiedTest {
  title: string
  /** Options of the sandbox. */
  sandbox: Readonly<Record<string, unknown>>
  /** Options of the workspace. */
  workspace: { clock: { now: string; frozen: true }; fixtures?: Readonly<Record<string, unknown>> }
  /** Gives the answer of the call, from the first call on. */
  scenario: WrittenScenario | undefined
  /** Why a part is missing, as comments. */
  comments: readonly string[]
  call: SentAgain
  credential: Credential
  expected: Expected
  /** Whether a text of the answer differs from run to run, by its path in the body. */
  isVarying(value: unknown, path: Path): boolean
}

/** The key that the kits send. */
const defaultKey = 'key_full'

/** Creates a test of a call. @param context the answers of the control plane that it needs. */
export function copiedTest(entry: ExplainedEntry, context: CopyContext): CopiedTest {
  const { method, path, operation, status, at } = entry
  const outcome = entry.outcome === 'fault' ? 'loses the connection' : `is answered ${status}`
  const made = entry.scenario_rules.length === 0 ? undefined : scenarioOf(entry, context.points)
  const scenario = made && 'scenario' in made ? made.scenario : undefined
  const call = sentAgain(entry)
  const environment = factOf(entry, 'key', 'environment')?.value
  const { fixtures, assume } = context
  return {
    title: `${operation ?? `${method} ${path}`} ${outcome}`,
    sandbox: {
      ...(environment === 'production' && { environment }),
      ...(assume && Object.keys(assume).length > 0 && { assume }),
    },
    workspace: { clock: { now: at, frozen: true }, ...(fixtures && { fixtures }) },
    scenario,
    comments: made && 'whyNot' in made ? [made.whyNot] : [],
    // The scenario that the header named is active in the workspace.
    call: {
      ...call,
      headers: call.headers.filter(
        ([name]) => name !== 'x-sandbox-test' && (name !== 'x-sandbox-scenario' || scenario === undefined),
      ),
    },
    credential: credentialOf(entry, call.credential),
    expected: expectedOf(entry),
    isVarying: (value, fieldPath) => isVarying(value, fieldPath, entry),
  }
}

function expectedOf(entry: ExplainedEntry): Expected {
  const fault = factOf(entry, 'connection', 'fault')?.value
  if (fault === 'hang') return { kind: 'timeout' }
  if (typeof fault === 'string' && !fault.startsWith('drip')) return { kind: 'spoiled' }
  // The client had closed the connection: another one gets the answer.
  const { status, body, body_bytes: bytes } = entry.response
  return { kind: 'answer', status: entry.status ?? status, body, isBodyWhole: bytes === undefined }
}

/** Texts that differ from run to run, or are masked in the journal. */
function isVarying(value: unknown, path: Path, { at, changes, workspace }: ExplainedEntry): boolean {
  if (typeof value !== 'string') return false
  // The id of a new key ends with the name of its workspace.
  const isNew = changes.some(
    ({ id, before }) => before === undefined && (value === id || value === `${id}.${workspace}`),
  )
  // The time of the call, and not that of a row.
  const isNow = /^\d{4}-\d\d-\d\dT/.test(value) && Math.abs(Date.parse(value) - Date.parse(at)) < 60_000
  const isBound = ['pdf_url', 'next_page_token'].includes(String(path.at(-1)))
  return isNew || isNow || isBound || value.includes('***')
}

function credentialOf(entry: ExplainedEntry, sent: SentAgain['credential']): Credential {
  if (sent === undefined) return { kind: 'none' }
  const problem = factOf(entry, 'key', 'problem')?.value
  if (problem !== undefined)
    return { kind: 'text', text: problem === 'malformed' ? 'malformed' : 'Bearer sk_nobody' }
  return entry.key_id === defaultKey || entry.key_id === null
    ? { kind: 'own' }
    : { kind: 'key', id: entry.key_id }
}
