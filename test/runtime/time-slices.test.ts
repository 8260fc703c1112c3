import { describe, expect, it, vi } from 'vitest'
import { yieldToEventLoop, runInSlices, Stopped } from '../../src/runtime/time-slices.ts'
import { assemble } from '../../src/fixtures/assemble.ts'
import { Gathered } from '../../src/fixtures/gather.ts'
import { generateDocument, generateRows } from '../../src/generate/generate.ts'
import { sourceFromObject, sourceFromText } from '../../src/input/source-file.ts'
import { load, options } from '../helpers/documents.ts'

const products = [...(await load([])).state.all('products')]
const generation = { customers: 2000, seed: 1, products, rounding: 'down' } as const
const customers = Array.from({ length: 17_000 }, (_, index) => ({ id: `cus_${index}` }))

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

  // Each look at the time finds a millisecond gone, so that work is counted and not timed.
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++)
    const turns = await turnsDuring(work)
    clock.mockRestore()
    return turns
  }

  it('gathering, reading and checking rows, as often as their number asks for', async () => {
    // Without a file: reading one turns the event loop as often as it likes.
    const assembled = (count: number) => async (): Promise<void> => {
      const gathered = new Gathered()
      const document = { products: [{ merchant_key: 'mk_1' }], customers: customers.slice(0, count) }
      await runInSlices(gathered.add(sourceFromObject(document, 'fixtures')))
      await assemble(gathered, options)
    }
    await timed(assembled(1000))
    const few = await timed(assembled(1000))
    const some = await timed(assembled(2000))
    const many = await timed(assembled(3000))
    // A row is looked at twice, and nine looks at the time are a turn.
    expect(some - few).toBeGreaterThan((2 * 1000) / 9)
    expect(some - few).toBeLessThan((2 * 1000) / 7)
    expect(Math.abs(many - some - (some - few))).toBeLessThan(3)
  })

  it('reading a text, a turn for every few pieces of it', async () => {
    const text = (count: number) =>
      `{"customers":[${JSON.stringify(customers).slice(1, -1)}${',1'.repeat(count)}]}`
    const read = (count: number) => () => sourceFromText(text(count), 'x', '.json')
    await timed(read(1))
    const few = await timed(read(4_000_000))
    const many = await timed(read(8_000_000))
    expect(few).toBeGreaterThan(10)
    expect(many / few).toBeCloseTo(2, 0)
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
    expect(state.size('customers')).toBe(17_600)
    await expect(yieldToEventLoop(signal)).resolves.toBeUndefined()
    await expect(yieldToEventLoop()).resolves.toBeUndefined()
  })
})
