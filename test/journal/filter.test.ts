import { beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, DocumentError, type RequestFilter, type Sandbox } from '../../src/index.ts'
import { allEndpoints } from '../../src/endpoints/index.ts'
import { outcomes } from '../../src/contract/outcomes.ts'
import { fullKey, testNow } from '../helpers/sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ clock: testNow, frozen: true })
  const send = async (method: string, path: string, key = fullKey): Promise<void> => {
    await sandbox.fetch(path, { method, headers: { authorization: `Bearer ${key}` } })
    sandbox.clock.advance({ minutes: 1 })
  }
  await send('GET', '/v2/rewards/rwd_ada_pending') // 1, 12:00
  await send('GET', '/v2/rewards/nobody') // 2, 12:01
  await send('GET', '/v2/customers') // 3, 12:02
  await send('GET', '/v2/customers', 'nobody') // 4, 12:03
  await send('GET', '/v2/nothing') // 5, 12:04
  await send('HEAD', '/v2/rewards/rwd_ada_pending') // 6, 12:05
})

const numbers = (filter: RequestFilter): number[] =>
  sandbox.requests.list(filter).map(({ id }) => Number(id.split('_').at(-1)))

/** The problems of a filter, one per line. */
function problemsOf(filter: object): string[] {
  try {
    sandbox.requests.list(filter)
  } catch (error) {
    if (error instanceof DocumentError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('filters', () => {
  it.each<[RequestFilter, number[]]>([
    [{}, [6, 5, 4, 3, 2, 1]],
    [{ operation: 'retrieveReward' }, [6, 2, 1]],
    [{ operation: 'updateReward' }, []],
    [{ after: 'req_default_4' }, [6, 5]],
    [{ after: 'req_default_6' }, []],
    [{ after: 'req_default_1', operation: 'retrieveReward' }, [6, 2]],
    [{ after: 'req_default_3', limit: 2 }, [6, 5]],
    [{ after: 'req_of_another_journal_1' }, [6, 5, 4, 3, 2, 1]],
    [{ before: 'req_default_3' }, [2, 1]],
    [{ before: 'req_default_1' }, []],
    [{ before: 'req_default_6', limit: 2 }, [5, 4]],
    [{ before: 'req_default_5', operation: 'retrieveReward' }, [2, 1]],
    [{ before: 'req_default_5', after: 'req_default_2' }, [4, 3]],
    [{ before: 'req_default_2', after: 'req_default_5' }, []],
    [{ before: 'req_of_another_journal_1' }, []],
    [{ status: 404 }, [5, 2]],
    [{ status: '4xx' }, [5, 4, 2]],
    [{ status: '2xx' }, [6, 3, 1]],
    [{ status: '5xx' }, []],
    [{ status: '4xx', outcome: 'not_found' }, [2]],
    [{ outcome: 'not_found' }, [2]],
    [{ outcome: 'unmatched' }, [5]],
    [{ outcome: 'unauthenticated' }, [4]],
    [{ since: '2026-11-21T12:03:00Z' }, [6, 5, 4]],
    [{ since: '2026-11-21T13:03:00.000+01:00' }, [6, 5, 4]],
    [{ since: '2026-11-21T12:03:00.001Z' }, [6, 5]],
    [{ since: '2030-01-01T00:00:00Z' }, []],
    [{ limit: 2 }, [6, 5]],
    [{ limit: 100 }, [6, 5, 4, 3, 2, 1]],
    [{ operation: 'retrieveReward', limit: 1 }, [6]],
    [{ operation: 'retrieveReward', status: 200 }, [6, 1]],
    [{ operation: 'retrieveReward', outcome: 'success', since: '2026-11-21T12:01:00Z', limit: 5 }, [6]],
    [{ status: 404, outcome: 'unmatched' }, [5]],
    [{ status: 200, outcome: 'not_found' }, []],
  ])('%j -> %j', (filter, expected) => {
    expect(numbers(filter)).toEqual(expected)
  })

  it('every operation and every outcome can be asked for', () => {
    for (const { id } of allEndpoints) expect(problemsOf({ operation: id })).toEqual([])
    for (const outcome of outcomes) expect(problemsOf({ outcome })).toEqual([])
  })
})

describe('filters that cannot be used', () => {
  const operations = allEndpoints.map(({ id }) => id).join(', ')
  it.each<[object, string[]]>([
    [
      { operation: 'updateRewards' },
      [`filter operation: must be one of ${operations}, did you mean 'updateReward'?`],
    ],
    [{ operation: 'zzz' }, [`filter operation: must be one of ${operations}`]],
    [
      { outcome: 'notfound' },
      [`filter outcome: must be one of ${outcomes.join(', ')}, did you mean 'not_found'?`],
    ],
    [{ status: 99 }, ['filter status: must be from 100 to 599']],
    [{ status: '600' }, ['filter status: must be from 100 to 599']],
    [{ status: 'abc' }, ['filter status: must be an integer, a class such as 4xx, or lost']],
    [{ status: '6xx' }, ['filter status: must be an integer, a class such as 4xx, or lost']],
    [{ status: '40x' }, ['filter status: must be an integer, a class such as 4xx, or lost']],
    [{ status: 200.5 }, ['filter status: must be an integer, a class such as 4xx, or lost']],
    [{ status: '' }, ['filter status: must be an integer, a class such as 4xx, or lost']],
    [{ text: 1 }, ['filter text: must be a string']],
    [{ before: 1 }, ['filter before: must be a string']],
    [{ limit: 0 }, ['filter limit: must be from 1 to 1000000']],
    [{ limit: '-1' }, ['filter limit: must be an integer']],
    [{ since: 'yesterday' }, ['filter since: must be an RFC 3339 date-time']],
    [{ since: '2026-11-21' }, ['filter since: must be an RFC 3339 date-time']],
    [{ statsu: 200 }, ["filter statsu: unknown field, did you mean 'status'?"]],
    [
      { zzzzzz: 1 },
      [
        'filter zzzzzz: unknown field, expected one of: operation, status, outcome, test, text, since, after, before, limit',
      ],
    ],
    [
      { status: 1, outcome: 'success', limit: 'x', since: '', operations: 'x' },
      [
        'filter status: must be from 100 to 599',
        'filter since: must be an RFC 3339 date-time',
        'filter limit: must be an integer',
        "filter operations: unknown field, did you mean 'operation'?",
      ],
    ],
  ])('%j -> every problem at once', (filter, problems) => {
    expect(problemsOf(filter)).toEqual(problems)
  })
})

describe('calls that the client did not receive', () => {
  it('status lost finds each of them, and no other filter by status does', async () => {
    const lost = await createSandbox({ clock: testNow, frozen: true })
    for (const transport of ['reset', 'empty', 'truncate', 'malformed_json']) {
      const rules = [{ on: '*', effect: { transport } }]
      await lost.scenarios.register({ name: `lost-${transport.replace('_', '-')}`, description: 'd', rules })
      await lost.scenarios.activate(`lost-${transport.replace('_', '-')}`)
      const headers = { authorization: `Bearer ${fullKey}` }
      const answer = lost.fetch('/v2/rewards/rwd_ada_pending', { headers })
      await answer.then((response) => response.text()).catch(() => undefined)
    }
    const found = (status: RequestFilter['status']): string[] =>
      lost.requests.list(status === undefined ? {} : { status }).map(({ id }) => id)
    expect(found('lost')).toEqual(['req_default_3', 'req_default_2', 'req_default_1'])
    expect([found(200), found('2xx')]).toEqual([['req_default_4'], ['req_default_4']])
    expect(lost.requests.verify({ status: 200 })).toMatchObject({ holds: true, count: 1 })
    expect(lost.requests.verify({ status: 'lost', count: 3 })).toMatchObject({ holds: true })
    const har = (await lost.fetch('/_sandbox/requests?format=har').then((one) => one.json())) as {
      log: { entries: { response: { status: number; statusText: string } }[] }
    }
    expect(har.log.entries.map(({ response }) => response.status)).toEqual([0, 0, 0, 200])
    expect(har.log.entries[0]?.response.statusText).toBe('')
    await lost.close()
  })
})
