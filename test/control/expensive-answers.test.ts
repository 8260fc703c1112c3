import { describe, expect, it } from 'vitest'
import { ExpensiveAnswers } from '../../src/control/expensive-answers.ts'
import type { Slot } from '../../src/http/context.ts'
import { resources } from '../../src/control/index.ts'
import type { Verbs } from '../../src/operations/index.ts'
import { controlPlane } from '../helpers/control-plane.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
const connected = new AbortController().signal

/** Requests expensive answers, and lists those that run, wait and are refused. */
function requesting(count: number, gone: readonly number[] = []) {
  const answers = new ExpensiveAnswers()
  const started: number[] = []
  const refused: unknown[] = []
  const ends: (() => void)[] = []
  for (let place = 0; place < count; place++) {
    const client = new AbortController()
    const start = ({ leave }: Slot): void => {
      started.push(place)
      ends.push(leave)
    }
    answers.slotFor(client.signal).then(start, (error: unknown) => refused.push(error))
    if (gone.includes(place)) client.abort()
  }
  const endFirst = async (): Promise<void> => {
    ends.shift()?.()
    await turn()
  }
  return { endFirst, started, refused }
}

describe('expensive answers', () => {
  it.each([
    { requests: 1, running: 1, refused: 0 },
    { requests: 2, running: 2, refused: 0 },
    { requests: 3, running: 2, refused: 0 },
    { requests: 258, running: 2, refused: 0 },
    { requests: 259, running: 2, refused: 1 },
    { requests: 300, running: 2, refused: 42 },
  ])('$requests are requested -> $running run, $refused are refused', async ({ requests, ...expected }) => {
    const { endFirst, started, refused } = requesting(requests)
    await turn()
    expect({ running: started.length, refused: refused.length }).toEqual(expected)
    for (const error of refused) {
      expect(error).toMatchObject({
        type: 'UNAVAILABLE',
        message: '256 expensive answers are queued: retry after a second.',
        headers: { 'retry-after': '1' },
      })
    }
    const accepted = requests - refused.length
    for (let running = started.length; running < accepted; running++) {
      await endFirst()
      expect(started.length).toBe(running + 1)
    }
    expect(started).toEqual(Array.from({ length: accepted }, (_, place) => place))
  })

  it('do not run for a client that disconnects while it waits', async () => {
    const { endFirst, started, refused } = requesting(4, [2])
    await turn()
    await endFirst()
    expect(started).toEqual([0, 1, 3])
    expect(refused).toHaveLength(1)
  })

  it('wait at the end of the queue before each further part', async () => {
    const answers = new ExpensiveAnswers()
    const order: string[] = []
    const first = await answers.slotFor(connected)
    const second = await answers.slotFor(connected)
    void answers.slotFor(connected).then(() => order.push('third'))
    first.leave()
    void first.enter().then(() => order.push('first again'))
    await turn()
    expect(order).toEqual(['third'])
    second.leave()
    await turn()
    expect(order).toEqual(['third', 'first again'])
  })

  it('run in process, also while one of them is not read', async () => {
    const sandbox = await startSandbox()
    const unread = await sandbox.fetch('/_sandbox/state')
    const paths = ['/_sandbox/state', '/_sandbox/requests', '/_sandbox/coverage?format=html']
    const requests = Array.from({ length: 30 }, (_, at) => sandbox.fetch(paths[at % 3] ?? ''))
    const answers = await Promise.all(
      requests.map(async (answer) => [(await answer).status, await (await answer).text()]),
    )
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]))
    expect(await unread.text()).toBe(answers[0]?.[1])
  })

  it('beyond the limit -> 503 with Retry-After', async () => {
    let traces = 0
    const trace = (): Promise<string> => {
      traces += 1
      return new Promise(() => undefined)
    }
    const verbs = { workspace: () => ({ use: () => () => undefined, trace }) } as unknown as Verbs
    const app = controlPlane(verbs)
    for (let count = 0; count < 258; count++) void app.request('/_sandbox/trace', {}, {})
    await turn()
    const refused = await app.request('/_sandbox/trace', {}, {})
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      { error: { type: 'UNAVAILABLE', message: '256 expensive answers are queued: retry after a second.' } },
    ])
    expect(traces).toBe(2)
  })

  it('are those that their paths declare', () => {
    const declared = resources
      .filter(({ operations }) => operations.some(({ expensive }) => expensive))
      .map(({ path }) => path)
    expect(declared.toSorted()).toEqual([
      '/_sandbox/coverage',
      '/_sandbox/differences',
      '/_sandbox/openapi-control.json',
      '/_sandbox/openapi.json',
      '/_sandbox/requests',
      '/_sandbox/snapshots/:name',
      '/_sandbox/snapshots/:name/diff',
      '/_sandbox/state',
      '/_sandbox/state/:collection',
      '/_sandbox/trace',
    ])
  })
})
