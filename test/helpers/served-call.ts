import { Coverage } from '../../src/coverage/counting.ts'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { Journal } from '../../src/journal/journal.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { UnmatchedCalls } from '../../src/explain/unmatched-calls.ts'
import { RequestMetrics } from '../../src/metrics/request-metrics.ts'
import type { Service } from '../../src/http/service.ts'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { Clock } from '../../src/runtime/clock.ts'
import { ScenarioEngine } from '../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import { Cursors } from '../../src/store/cursors.ts'
import { State } from '../../src/store/state.ts'
import { StatementLinks } from '../../src/http/statements/statement-links.ts'
import { testIsolation } from '../../src/workspaces/isolation-policy.ts'
import { Workspaces } from '../../src/workspaces/workspaces.ts'
import { signingKey } from '../../src/runtime/random.ts'
import { IncomingRequest } from '../../src/call/incoming-request.ts'
import { sentHeaders } from '../../src/call/sent-headers.ts'
import type { Route } from '../../src/endpoints/routes.ts'
import { ServedCall } from '../../src/http/served-call.ts'

const assumptions = resolveAssumptions()

/** A service whose one workspace has one reward. */
export function serviceWithOneReward(): Service {
  const state = State.empty(
    { saved_version: { sandbox: '2026-10-13', production: '2025-05-05' } },
    assumptions,
  )
  state.put('rewards', {
    id: 'rwd_1',
    customer_id: 'cus_1',
    amount: 1,
    type: 'OFFER',
    status: 'PENDING',
    created_at: '2026-01-01T00:00:00Z',
  })
  const library = new ScenarioLibrary('', [], (path) => path)
  const workspaces = new Workspaces(
    {
      seed: 1,
      policy: testIsolation,
      journal: () => new Journal({ entries: 0, bytes: 0 }, new KnownSecrets()),
      coverage: () => new Coverage(new PointCatalogue({ values: assumptions, environment: 'sandbox' })),
      state,
      clock: new Clock(() => 0),
      firstProduct: undefined,
      scenarios: () => new ScenarioEngine(library, 1),
    },
    0,
  )
  return {
    workspaces,
    scenarioLibrary: library,
    rowRules: { seed: 1, allowAnyPan: false, assumptions },
    recorder: {
      secrets: new KnownSecrets(),
      metrics: new RequestMetrics(),
      unmatched: new UnmatchedCalls(new KnownSecrets(), ''),
    },
    closing: new AbortController().signal,
    assumptions,
    environment: 'sandbox',
    cursors: new Cursors(signingKey(1, 'cursors')),
    statementLinks: new StatementLinks(signingKey(1, 'statement-links'), 900, undefined),
    baseUrl: undefined,
    maxBody: 1_048_576,
    corsOrigins: [],
    onBug: () => undefined,
  }
}

/** The same, whose workspace saves as the test says. */
export function serviceSaving(saved: () => Promise<void> | undefined): Service {
  const service = serviceWithOneReward()
  const nothing = (): void => undefined
  service.workspaces.default.saver = {
    requireWritable: nothing,
    committed: nothing,
    numbered: nothing,
    replaced: nothing,
    saved,
    lastLoss: undefined,
  }
  return service
}

/** A call without headers and body, by a client that stays. */
export function callOf(service: Service, method: string, route?: Route): ServedCall {
  return new ServedCall(
    service,
    {
      overHttp: false,
      body: { web: null },
      workspace: undefined,
      header: () => undefined,
      gone: () => new AbortController().signal,
      isGone: false,
    },
    new IncomingRequest({
      method,
      target: '/x',
      origin: 'http://localhost',
      headers: sentHeaders([]),
      route,
    }),
  )
}
