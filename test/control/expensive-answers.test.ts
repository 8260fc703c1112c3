import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ExpensiveAnswers, type Client } from '../../src/control/expensive-answers.ts'
import type { Slot } from '../../src/http/context.ts'
import { nouns } from '../../src/control/index.ts'
import type { Verbs } from '../../src/operations/index.ts'
import { controlPlane } from '../helpers/control-plane.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const remote = (id: string, gone?: Promise<void>): Client => ({ id, isInProcess: false, gone })
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Requests of clients, in order, and the ones that have a slot; each is known by its client and its number. */
function requesting(answers = new ExpensiveAnswers()) {
  const started: string[] = []
  const refused: unknown[] = []
  const ends = new Map<string, () => void>()
  const request = (client: Client, name: string): void => {
    const start = ({ leave }: Slot): void => {
      started.push(name)
      ends.set(name, leave)
    }
    answers.slotFor(client).then(start, (error: unknown) => refused.push(error))
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await turn()
  }
  return { request, end, started, refused }
}

describe('expensive answers are produced', () => {
  it('one at a time for a client, two in all, in the order of their requests', async () => {
    const { request, end, started } = requesting()
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) request(remote(name.slice(0, 1)), name)
    await turn()
    expect(started).toEqual(['a1', 'b1'])
    await end('a1')
    expect(started).toEqual(['a1', 'b1', 'a2'])
    await end('b1')
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1'])
    await end('c1')
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1'])
    await end('a2')
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
  })

  it('64 of a client and 256 in all wait; one more is refused, but for a program in process', async () => {
    const { request, end, started, refused } = requesting()
    for (let count = 0; count < 65; count++) request(remote('a'), `a${count}`)
    await turn()
    expect([started.length, refused]).toEqual([1, []])
    request(remote('a'), 'one more')
    await turn()
    expect(refused).toEqual([
      expect.objectContaining({
        type: 'UNAVAILABLE',
        message: '64 of your expensive answers are queued: retry after a second.',
        headers: { 'retry-after': '1' },
      }),
    ])
    for (const id of ['b', 'c', 'd']) for (let count = 0; count < 65; count++) request(remote(id), id)
    request(remote('e'), 'e')
    await turn()
    // One of b is produced; 64 of each of the four clients wait, and none of e.
    expect([started.length, refused.length]).toEqual([2, 4])
    expect(String(refused.at(-1))).toContain('256 expensive answers are queued')
    for (let count = 0; count < 300; count++) request({ id: 'p', isInProcess: true }, 'p')
    await end('a0')
    expect([started.length, refused.length]).toEqual([3, 4])
  })

  it('not for a client that is gone while it waits', async () => {
    let hangUp = (): void => undefined
    const gone = new Promise<void>((resolve) => (hangUp = resolve))
    const { request, end, started, refused } = requesting()
    request(remote('a'), 'a1')
    request(remote('a', gone), 'a2')
    request(remote('a'), 'a3')
    hangUp()
    await turn()
    await end('a1')
    expect(started).toEqual(['a1', 'a3'])
    expect(refused).toHaveLength(1)
  })

  it('in process as many as are requested, also while one of them is not read', async () => {
    const sandbox = await startSandbox()
    const unread = await sandbox.fetch('/_sandbox/state')
    const paths = ['/_sandbox/state', '/_sandbox/requests', '/_sandbox/coverage?format=html']
    const requests = Array.from({ length: 100 }, (_, at) => sandbox.fetch(paths[at % 3] ?? ''))
    const answers = await Promise.all(
      requests.map(async (answer) => [(await answer).status, await (await answer).text()]),
    )
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]))
    expect(await unread.text()).toBe(answers[0]?.[1])
  })

  it('over HTTP -> the client behind 64 others gets 503 with Retry-After, and another client its answer', async () => {
    let traces = 0
    const trace = (): Promise<string> => {
      traces += 1
      return new Promise(() => undefined)
    }
    const verbs = { workspace: () => ({ use: () => () => undefined, trace }) } as unknown as Verbs
    const app = controlPlane(verbs)
    const from = (remoteAddress: string) => {
      const incoming = { headers: {}, socket: { remoteAddress } }
      return app.request('/_sandbox/trace', {}, { incoming: incoming as unknown as IncomingMessage })
    }
    for (let count = 0; count < 65; count++) void from('10.0.0.1')
    await turn()
    const refused = await from('10.0.0.1')
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      {
        error: {
          type: 'UNAVAILABLE',
          message: '64 of your expensive answers are queued: retry after a second.',
        },
      },
    ])
    expect(traces).toBe(1)
    void from('10.0.0.2')
    await turn()
    expect(traces).toBe(2)
  })

  it('as their paths declare', async () => {
    const declared = nouns.filter(({ expensive }) => expensive).map(({ path }) => path)
    expect(declared).toEqual([
      '/_sandbox/state',
      '/_sandbox/state/:collection',
      '/_sandbox/snapshots/:name',
      '/_sandbox/snapshots/:name/diff',
      '/_sandbox/differences',
      '/_sandbox/requests',
      '/_sandbox/coverage',
      '/_sandbox/trace',
      '/_sandbox/openapi.json',
    ])
  })
})
