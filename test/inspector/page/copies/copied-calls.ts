import { PointCatalogue } from '../../../../src/coverage/points/catalogue.ts'
import { exercise } from '../../../../src/coverage/reports/exercise.ts'
import { loadSamples } from '../../../../src/coverage/reports/samples.ts'
import { endpoints } from '../../../../src/endpoints/index.ts'
import { resolveAssumptions } from '../../../../src/input/resolve-assumptions.ts'
import { copiedTest, type CopiedTest } from '../../../../src/inspector/page/copies/copied-test.ts'
import { copyContext, type Ask } from '../../../../src/inspector/page/copies/copy-context.ts'
import type { ExplainedEntry } from '../../../../src/operations/requests.ts'
import { worlds, callsOf } from '../../../helpers/catalogue-worlds.ts'
import { fullKey } from '../../../helpers/sandbox.ts'
import { sendSamples } from '../../../helpers/send-samples.ts'
import { lookedAt } from './called.ts'

type LookedAt = Awaited<ReturnType<typeof lookedAt>>

/** The scenarios that end a call in each way, and the fault that is left open. */
const scenarios = [
  'reset',
  'truncated',
  'hang',
  'unavailable',
  'html-gateway-error',
  'rate-limited',
  'unknown-fields',
  'new-enum-values-latest',
  'null-optionals',
  'key-revoked',
  'version-unsupported',
  'not-found-customer',
  'commit-but-answer-lost',
  'pagination-repeated-item',
]

/** The copied test of a call that a sandbox answered. */
export async function copyOf({ ask }: LookedAt, entry: ExplainedEntry): Promise<CopiedTest> {
  const askWithQuery: Ask = async <T>(path: string, query: Readonly<Record<string, string>> = {}) =>
    (await ask(`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`)) as T
  return copiedTest(entry, await copyContext(entry, askWithQuery, true))
}

/** A copied test for each operation and outcome: contract points, and scenarios that end a call or change its answer. */
export async function copiedTests(): Promise<CopiedTest[]> {
  const world = { values: resolveAssumptions({}), environment: 'sandbox' } as const
  const catalogue = new PointCatalogue(world)
  const samples = await loadSamples('sandbox')
  const tests: CopiedTest[] = []
  for (const endpoint of endpoints) {
    for (const draft of catalogue.of(endpoint).drafts) {
      const seen = await lookedAt()
      await sendSamples(seen.sandbox, exercise(endpoint, draft, samples, world))
      if (seen.sandbox.requests.list({ limit: 1 }).length === 0) continue
      // The token of a page is valid in its own workspace alone.
      if (/^page\/(?:middle|last)$/.test(draft.name) && endpoint.id === 'listStatements') continue
      tests.push(await copyOf(seen, await seen.last()))
    }
  }
  const [[, planted] = []] = worlds
  for (const [method, path, { json } = {}] of Object.values(planted ? callsOf(planted) : {})) {
    for (const name of scenarios) {
      const seen = await lookedAt()
      const init = {
        method,
        headers: {
          authorization: `Bearer ${fullKey}`,
          'x-sandbox-scenario': name,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }
      // An answer that hangs never ends.
      const signal = name === 'hang' ? { signal: AbortSignal.timeout(50) } : {}
      const answer = await seen.sandbox.fetch(path, { ...init, ...signal }).catch(() => undefined)
      await answer?.text().catch(() => undefined)
      tests.push(await copyOf(seen, await seen.last()))
    }
  }
  return tests
}
