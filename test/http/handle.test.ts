import { Coverage } from '../../src/coverage/counting.ts'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { Journal } from '../../src/journal/journal.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { UnmatchedCalls } from '../../src/findings/unmatched-calls.ts'
import { RequestMetrics } from '../../src/metrics/request-metrics.ts'
import { expect, test } from 'vitest'
import { ServedCall } from '../../src/http/served-call.ts'
import { handle } from '../../src/http/stages/handle.ts'
import type { Service } from '../../src/http/service.ts'
import { resolveAssumptions } from '../../src/reading/resolve-assumptions.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { endpoint } from '../../src/endpoints/define.ts'
import { groupByPath } from '../../src/endpoints/routes.ts'
import { IncomingRequest } from '../../src/call/incoming-request.ts'
import { sentHeaders } from '../../src/call/sent-headers.ts'
import { Clock } from '../../src/runtime/clock.ts'
import { ScenarioEngine } from '../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import { Cursors } from '../../src/store/cursors.ts'
import { State } from '../../src/store/state.ts'
import { StatementLinks } from '../../src/statement-pdf/statement-links.ts'
import { Workspaces } from '../../src/workspaces/workspaces.ts'
import { signingKey } from '../../src/runtime/random.ts'

const assumptions = resolveAssumptions()

function serviceWithOneReward(): Service {
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
  return {
    workspaces: new Workspaces(
      {
        seed: 1,
        journal: () => new Journal({ entries: 0, bytes: 0 }, new KnownSecrets()),
        coverage: () => new Coverage(new PointCatalogue({ values: assumptions, environment: 'sandbox' })),
        state,
        clock: new Clock(() => 0),
        firstProduct: undefined,
        scenarios: () => new ScenarioEngine(library, 1),
      },
      0,
    ),
    scenarioLibrary: library,
    rowRules: { seed: 1, assumptions, allowAnyPan: false },
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
    corsOrigins: [],
    onBug: () => undefined,
  }
}

test('a handler that fails after it wrote -> nothing that it wrote stands', () => {
  const service = serviceWithOneReward()
  const failing = endpoint({
    id: 'deleteOrderEvent',
    method: 'DELETE',
    path: '/x',
    summary: 'Fails',
    params: {},
    status: 204,
    errors: [],
    handler({ tx }) {
      tx.delete('rewards', 'rwd_1')
      tx.nextId('rewards', 'rwd')
      throw new ApiError('BAD_REQUEST_ERROR')
    },
  })
  const call = new ServedCall(
    service,
    {
      overHttp: false,
      body: { web: null },
      workspace: undefined,
      header: () => undefined,
      gone: () => new AbortController().signal,
    },
    new IncomingRequest({
      method: 'DELETE',
      target: '/x',
      origin: 'http://localhost',
      headers: sentHeaders([]),
      route: groupByPath([failing])[0],
    }),
  )
  call.resolution.key = {
    id: 'key_1',
    secret: 's',
    api_key: 'k',
    scopes: [],
    products: ['mk_1'],
    environment: 'sandbox',
  }
  call.resolution.product = {
    merchant_key: 'mk_1',
    name: 'P',
    rewards: {
      currency: 'POINTS',
      symbol: 'points',
      description: 'P',
      precision: 0,
      categories: [],
      special_categories: [],
    },
  }

  expect(() => handle.run(call)).toThrow(ApiError)
  const { state } = service.workspaces.default
  expect(state.get('rewards', 'rwd_1')).toMatchObject({ status: 'PENDING' })
  expect(state.ids).toBe(0)
})
