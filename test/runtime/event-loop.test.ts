import { describe, expect, it } from 'vitest'
import { yieldToEventLoop, Stopped } from '../../src/runtime/event-loop.ts'
import { generateDocument, generateRows } from '../../src/generate/generate.ts'
import { load } from '../helpers/documents.ts'

const products = [...(await load([])).state.all('products')]
const generation = { customers: 2000, seed: 1, products, rounding: 'down' } as const
const customers = Array.from({ length: 100 }, (_, index) => ({ id: `cus_${index}` }))

/** How often the event loop turned while work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let done = false
  const turn = (): void => {
    turns++
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  done = true
  return turns
}

/** A signal that is aborted by an event, as Ctrl+C is one: only a turn of the event loop lets it happen. */
function abortedSoon(): AbortSignal {
  const controller = new AbortController()
  setImmediate(() => controller.abort('SIGINT'))
  return controller.signal
}

describe('long work lets events happen', () => {
  it('a generation, every 500 customers', async () => {
    await generateDocument({ ...generation, customers: 1 })
    const few = await turnsDuring(() => generateDocument({ ...generation, customers: 1 }))
    const many = await turnsDuring(() => generateDocument(generation))
    expect(many - few).toBeGreaterThanOrEqual(3)
  })
})

describe('work that is told to stop', () => {
  it('a generation stops where it is', async () => {
    let made = 0
    const working = async (): Promise<void> => {
      for await (const rows of generateRows({ ...generation, signal: abortedSoon() }))
        made += rows.customers.length
    }
    await expect(working()).rejects.toThrow(Stopped)
    expect(made).toBeLessThan(2000)
  })

  it.each([
    ['a load', { signal: abortedSoon }],
    ['a load that generates', { signal: abortedSoon, generate: { customers: 5000 } }],
    ['a load that was told before it started', { signal: () => AbortSignal.abort('SIGINT') }],
  ])('%s stops with an error of its own', async (_title, { signal, ...more }) => {
    const outcome: unknown = await load({ customers }, { ...more, signal: signal() }).catch(
      (error: unknown) => error,
    )
    expect(outcome).toBeInstanceOf(Stopped)
    expect(outcome).toMatchObject({
      name: 'AbortError',
      message: 'aborted',
      cause: 'SIGINT',
    })
  })

  it('a signal that is never aborted changes nothing', async () => {
    const { signal } = new AbortController()
    const { state } = await load({ customers }, { signal, generate: { customers: 600 } })
    expect(state.size('customers')).toBe(700)
    await expect(yieldToEventLoop(signal)).resolves.toBeUndefined()
    await expect(yieldToEventLoop()).resolves.toBeUndefined()
  })
})
