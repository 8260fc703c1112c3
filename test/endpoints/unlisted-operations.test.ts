import { describe, expect, test } from 'vitest'
import type { InFlightCall } from '../../src/call/index.ts'
import { Coverage, exercisedBy } from '../../src/coverage/counting.ts'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { DocumentError, explanationText } from '../../src/index.ts'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { shapeB } from '../helpers/answers.ts'
import { fullKey, namedIn, startSandbox } from '../helpers/sandbox.ts'
import { documented, rowsOfAll, startServing, succeed, successes, unlisted } from '../helpers/unlisted.ts'

const cases = unlisted.map((endpoint) => [endpoint.id, endpoint] as const)
const option = '--assume unlisted_operations=documented'

test('each operation outside the contract has a call here', () => {
  expect(Object.keys(successes).toSorted()).toEqual(unlisted.map(({ id }) => id).toSorted())
  expect(unlisted).toHaveLength(24)
})

describe('while they are served', () => {
  const statuses: Readonly<Record<string, number>> = { createCustomerSession: 201, deleteOrder: 204 }

  test.each(cases)('%s -> a success that names the assumption, and covers nothing', async (id, endpoint) => {
    const sandbox = await startServing()
    const answer = await succeed(sandbox.call, endpoint)
    expect(answer.status).toBe(statuses[id] ?? 200)
    expect(answer.assumptions).toContain('unlisted_operations')
    expect(answer.version).toBe('2026-10-13')
    const { points } = await sandbox.coverage.get()
    expect(points.filter(({ hits }) => hits > 0)).toEqual([])
    expect(points.map(({ operation }) => operation)).not.toContain(id)
    expect(sandbox.contract().map(({ operation }) => operation)).not.toContain(id)
    expect(sandbox.requests.list()[0]).toMatchObject({ operation: id, outcome: 'success' })
    expect(sandbox.findings.unmatchedCalls().total).toBe(0)
  })

  test.each(cases)('%s: a rule of a scenario applies to it', async (id, endpoint) => {
    const sandbox = await startServing()
    const rules = [{ on: id, calls: '1', effect: { error: 'SERVICE_UNAVAILABLE_ERROR' } }]
    await sandbox.scenarios.register({ name: 'once-unavailable', description: 'Fails once.', rules })
    await sandbox.scenarios.activate('once-unavailable')
    const refused = await succeed(sandbox.call, endpoint)
    expect([refused.status, refused.json.error.type]).toEqual([503, 'SERVICE_UNAVAILABLE_ERROR'])
    expect(refused.assumptions).toContain('unlisted_operations')
    expect((await succeed(sandbox.call, endpoint)).status).toBeLessThan(300)
  })

  test.each(cases)('%s: without a key -> 401', async (_, endpoint) => {
    const sandbox = await startServing()
    const answer = await succeed(sandbox.call, endpoint, { key: null })
    expect(answer.status).toBe(401)
  })

  test.each(cases.filter(([, { method }]) => method === 'GET'))(
    '%s: HEAD is like GET',
    async (id, endpoint) => {
      const { call } = await startServing()
      const [path = ''] = successes[id] ?? []
      const head = await call('HEAD', path)
      const get = await succeed(call, endpoint)
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect(head.assumptions).toEqual(get.assumptions)
    },
  )

  test.each(cases.filter(([, { body }]) => body))(
    '%s: unknown fields -> ignored, not stored',
    async (id, endpoint) => {
      const { call, state } = await startServing()
      const [, json] = successes[id] ?? []
      const answer = await succeed(call, endpoint, { json: { ...json, unknown_field: 'planted' } })
      expect(answer.status).toBeLessThan(300)
      expect(answer.assumptions).toContain('unknown_body_fields')
      expect(JSON.stringify(state.document())).not.toContain('planted')
      expect(answer.text).not.toContain('planted')
    },
  )

  test.each(cases)('%s: afterwards the state is a document that loads', async (_, endpoint) => {
    const { call, state } = await startServing()
    expect((await succeed(call, endpoint)).status).toBeLessThan(300)
    const again = await startServing({ fixtures: state.document() })
    expect(again.state.document()).toEqual(state.document())
  })
})

test.each(cases)('%s: a call of it is no call that coverage counts', (_, endpoint) => {
  const points = new PointCatalogue({ values: resolveAssumptions(documented), environment: 'sandbox' })
  const coverage = new Coverage(points)
  const call = { request: { endpoint } } as InFlightCall
  coverage.count(call)
  expect(coverage.hitsOf(endpoint).every((hits) => hits === 0)).toBe(true)
  expect(exercisedBy(call, points)).toEqual([])
})

describe('while they are not served', () => {
  const pathsOfContract = new Set(endpoints.map(({ path }) => path))

  test.each(cases)(
    '%s -> 404 or 405 with the option that serves it, also in the explanation',
    async (id, endpoint) => {
      const sandbox = await startSandbox({ fixtures: rowsOfAll })
      const before = sandbox.state.document()
      const answer = await succeed(sandbox.call, endpoint)
      const hint = `${option} serves ${id}, which is outside the contract.`
      // The method of a path that the contract has for another purpose is wrong; other paths do not exist.
      if (pathsOfContract.has(endpoint.path)) {
        expect([answer.status, answer.json.error.type]).toEqual([405, 'METHOD_NOT_ALLOWED_ERROR'])
        expect(answer.headers.get('allow')).not.toContain(
          endpoint.method === 'GET' ? 'HEAD' : endpoint.method,
        )
        expect(answer.json.error.message).toMatch(/^This path has the methods [A-Z, ]+\. /)
      } else {
        expect([answer.status, answer.json]).toEqual([
          404,
          shapeB('NOT_FOUND_ERROR', `No endpoint has this path. ${hint}`),
        ])
      }
      expect(answer.json.error.message).toContain(hint)
      expect(namedIn(answer.headers)).toContain('unlisted_operations')
      const explanation = sandbox.requests.explain(answer.requestId ?? '')
      expect(explanation && explanationText(explanation)).toContain(option)
      expect(explanation?.summary).toContain(`${option} serves ${id}.`)
      expect(sandbox.state.document()).toEqual(before)
    },
  )

  test('a path that no operation has -> 404 without the option', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/refunds')
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeB('NOT_FOUND_ERROR', 'No endpoint has this path.'),
    ])
  })
})

describe('stubs on their paths', () => {
  const stubOf = (path: string, method: string): object[] => [{ method, path, body: { stubbed: true } }]
  const own = unlisted.filter(({ path }) => !endpoints.some((endpoint) => endpoint.path === path))
  const ownCases = own.map((endpoint) => [endpoint.id, endpoint] as const)

  test.each(ownCases)(
    '%s: refused while it is served, and the problem names the option',
    async (_, { path, method }) => {
      const fixtures = [...rowsOfAll, { stubs: stubOf(path, method) }]
      const refused = startSandbox({ fixtures, assume: documented })
      await expect(refused).rejects.toBeInstanceOf(DocumentError)
      await expect(refused).rejects.toThrow(`which the sandbox serves itself with ${option}`)
    },
  )

  test.each(ownCases)('%s: answered by the stub while it is not served', async (id, { path, method }) => {
    const sandbox = await startSandbox({ fixtures: [...rowsOfAll, { stubs: stubOf(path, method) }] })
    const [sent = '', json] = successes[id] ?? []
    const answer = await sandbox.fetch(sent, {
      method,
      headers: { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    expect([answer.status, await answer.json()]).toEqual([200, { stubbed: true }])
  })
})

describe('a method that no operation of the path has', () => {
  test.each([
    ['PATCH', '/v2/orders', 404, 405],
    ['PUT', '/v2/keys', 405, 405],
    ['PUT', '/v2/customers/cus_ada/link', 405, 405],
  ])('%s %s -> %i, and %i once such operations are served', async (method, path, before, after) => {
    for (const [served, status] of [
      [false, before],
      [true, after],
    ] as const) {
      const { call } = served ? await startServing() : await startSandbox()
      const answer = await call(method, path)
      expect(answer.status).toBe(status)
      expect(answer.json.error.message).not.toContain('--assume')
      // Only the methods of the contract's path are the same either way.
      expect(answer.assumptions).toEqual(path.endsWith('/link') ? [] : ['unlisted_operations'])
    }
  })

  test('a path that is spelled wrongly -> the nearest one that is served', async () => {
    const sandbox = await startServing()
    const { requestId } = await sandbox.call('GET', '/v2/orderz')
    expect(sandbox.requests.explain(requestId ?? '')?.summary).toContain('the nearest is GET /v2/orders')
  })
})
