import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { reward as rewardSchema } from '../../src/contract/resources/reward.ts'
import { transactionIntent as intentSchema } from '../../src/contract/resources/transaction-intent.ts'
import { shapeB } from '../helpers/answers.ts'
import { fullKey } from '../helpers/sandbox.ts'
import { answer, date, headers, noReward, unavailable, type Whole } from '../helpers/catalogue-answers.ts'
import { armed, expectOver, open, type Stage } from '../helpers/catalogue-stage.ts'
import { callsOf, golden, operations, worlds, type World } from '../helpers/catalogue-worlds.ts'
import { drawn } from '../setup/samples.ts'

/** Built-in scenarios of races, outages and drift: before them, during them and afterwards. */

const rateLimited: Whole = {
  status: 429,
  headers: { ...headers(), 'retry-after': '1' },
  body: shapeB('RATE_LIMIT_ERROR', 'Too many requests.'),
}

/** A golden answer with some of its body changed. */
function changed({ body, ...rest }: Whole, fields: object): Whole {
  return { ...rest, body: { ...(body as object), ...fields } }
}

/** The outcome of a call: how it was lost, or how much of its answer arrived. */
async function fateOf(call: Promise<Response>): Promise<unknown> {
  let response: Response
  try {
    response = await call
  } catch (error) {
    return lossOf(error)
  }
  const received: Uint8Array[] = []
  try {
    for await (const piece of response.body ?? []) received.push(piece)
    return 'a whole answer'
  } catch (error) {
    return [response.status, Buffer.concat(received).toString(), lossOf(error)]
  }
}

function lossOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } }
  return cause?.code === undefined ? name : `${message} (${cause.code})`
}

/** Calls an operation in a way that can be given up and cut off. */
function callRaw(sandbox: Stage, world: World, operation: string, signal: AbortSignal): Promise<Response> {
  const [method, path, options] = callsOf(world)[operation] ?? ['GET', '/']
  const init: RequestInit = {
    method,
    signal,
    headers: { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' },
    body: options?.json === undefined ? null : JSON.stringify(options.json),
  }
  return sandbox.fetch(path, init)
}

/** The first half of a golden answer, rounded up, as it goes over the wire. */
function firstHalf({ body }: Whole): string {
  const bytes = Buffer.from(JSON.stringify(body))
  return bytes.subarray(0, Math.ceil(bytes.length / 2)).toString()
}

describe.each(drawn(worlds))('on %s', (_title, world) => {
  const reward = golden(world, 'retrieveReward')
  const intent = golden(world, 'createTransactionIntent')
  /** A created intent as the golden one, but for its id: each has its own. */
  const another = changed(intent, { id: expect.stringMatching(/^int_[0-9a-z]{12}$/) })

  describe('races', () => {
    it('reward-settled-before-update: the update is refused, and the reward stays AVAILABLE', async () => {
      const sandbox = await armed(world, 'reward-settled-before-update', 'updateReward', 'retrieveReward')
      const refused = answer(
        400,
        shapeB('BAD_REQUEST_ERROR', 'Only a pending reward can be updated.'),
        'reward_not_pending',
      )
      const settled = changed(reward, { status: 'AVAILABLE' })
      expect(await sandbox.ask('retrieveReward')).toEqual(reward)
      expect(await sandbox.ask('updateReward')).toEqual(refused)
      expect(await sandbox.ask('retrieveReward')).toEqual(settled)
      expect(await sandbox.ask('updateReward')).toEqual(refused)
      // It is not settled a second time.
      sandbox.state.patch('rewards', world.ids.reward, { status: 'PENDING' })
      expect(await sandbox.ask('updateReward')).toEqual(golden(world, 'updateReward'))

      sandbox.reset()
      await sandbox.scenarios.activate('reward-settled-before-update')
      await sandbox.ask('updateReward')
      await sandbox.scenarios.deactivate()
      expect(await sandbox.ask('retrieveReward')).toEqual(settled)
      expect(await sandbox.ask('updateReward')).toEqual(refused)
    })

    it('reward-vanishes: readable once, then gone; an update still finds it', async () => {
      const sandbox = await armed(world, 'reward-vanishes', 'retrieveReward')
      expect(await sandbox.ask('retrieveReward')).toEqual(reward)
      expect(await sandbox.ask('retrieveReward')).toEqual(noReward)
      expect(await sandbox.ask('retrieveReward')).toEqual(noReward)
      await expectOver(sandbox, world, 'retrieveReward', 'updateReward')
    })
  })

  describe('lost answers', () => {
    it.each<[name: string, fate: unknown, made: number]>([
      ['commit-but-answer-lost', 'fetch failed (ECONNRESET)', 1],
      ['hang', 'AbortError', 0],
      ['reset', 'fetch failed (ECONNRESET)', 0],
      ['truncated', [200, firstHalf(intent), 'terminated (UND_ERR_SOCKET)'], 1],
    ])('%s: the first call ends as %j and has made %i rows', async (name, fate, made) => {
      const sandbox = await armed(world, name, 'createTransactionIntent')
      const rows = (): number => sandbox.state.size('transaction_intents')
      const before = rows()
      const client = new AbortController()
      const lost = fateOf(callRaw(sandbox, world, 'createTransactionIntent', client.signal))
      if (name === 'hang') client.abort()
      expect(await lost).toEqual(fate)
      expect(rows()).toBe(before + made)

      const second = await sandbox.ask('createTransactionIntent')
      expect(second).toEqual(made === 0 ? intent : another)
      expect(rows()).toBe(before + made + 1)

      await sandbox.scenarios.deactivate()
      const third = await sandbox.ask('createTransactionIntent')
      expect(third).toEqual(another)
      expect(third.body).not.toEqual(second.body)
      expect(rows()).toBe(before + made + 2)
      await expectOver(sandbox, world, 'retrieveReward')
    })

    it.each<[name: string, fate: unknown]>([
      ['hang', 'AbortError'],
      ['reset', 'fetch failed (ECONNRESET)'],
      ['truncated', [200, firstHalf(reward), 'terminated (UND_ERR_SOCKET)']],
    ])('%s: the first read ends as %j, the next one works', async (name, fate) => {
      const sandbox = await armed(world, name, 'retrieveReward')
      const state = sandbox.state.document()
      const client = new AbortController()
      const lost = fateOf(callRaw(sandbox, world, 'retrieveReward', client.signal))
      if (name === 'hang') client.abort()
      expect(await lost).toEqual(fate)
      expect(await sandbox.ask('retrieveReward')).toEqual(reward)
      expect(sandbox.state.document()).toEqual(state)
      await expectOver(sandbox, world, 'retrieveReward')
    })

    it('commit-but-answer-lost: other operations answer as ever', async () => {
      const sandbox = await armed(world, 'commit-but-answer-lost')
      for (const operation of ['retrieveReward', 'updateReward', 'createApiKey']) {
        expect(await sandbox.ask(operation)).toEqual(golden(world, operation))
      }
    })
  })

  describe('refusals that pass', () => {
    it.each(operations)('rate-limited: %s gets 429 with Retry-After twice, then works', async (operation) => {
      const sandbox = await armed(world, 'rate-limited', operation)
      const state = sandbox.state.document()
      expect(await sandbox.ask(operation)).toEqual(rateLimited)
      expect(await sandbox.ask(operation)).toEqual(rateLimited)
      expect(sandbox.state.document()).toEqual(state)
      expect(await sandbox.ask(operation)).toEqual(golden(world, operation))
      await expectOver(sandbox, world, 'retrieveTransactionIntent')
    })

    it('flaky-every-third: the third and the sixth call fail, whatever they are', async () => {
      const sandbox = await armed(world, 'flaky-every-third', 'retrieveReward', 'retrieveRewardsBalance')
      const balance = golden(world, 'retrieveRewardsBalance')
      const called = [
        'retrieveReward',
        'retrieveRewardsBalance',
        'createTransactionIntent',
        'retrieveReward',
        'retrieveRewardsBalance',
        'updateReward',
        'retrieveReward',
      ]
      const state = sandbox.state.document()
      const answers: Whole[] = []
      for (const operation of called) answers.push(await sandbox.ask(operation))
      expect(answers).toEqual([reward, balance, unavailable, reward, balance, unavailable, reward])
      expect(sandbox.state.document()).toEqual(state)
      await expectOver(sandbox, world, 'retrieveReward', 'retrieveRewardsBalance', 'retrieveReward')
    })

    it.each(operations)('html-gateway-error: %s gets a page of HTML once, then works', async (operation) => {
      const sandbox = await armed(world, 'html-gateway-error', operation)
      const state = sandbox.state.document()
      // Off contract: no operation answers 502, nor with HTML.
      expect(await sandbox.askUnchecked(operation)).toEqual({
        status: 502,
        headers: { 'content-type': 'text/html', date },
        body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
      })
      expect(sandbox.state.document()).toEqual(state)
      expect(await sandbox.ask(operation)).toEqual(golden(world, operation))
      await expectOver(sandbox, world, 'retrieveTransactionIntent')
    })

    it('slow: the answers are the same, only later', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        const sandbox = await armed(world, 'slow', 'retrieveReward', 'updateReward')
        for (const operation of ['retrieveReward', 'updateReward']) {
          let isAnswered = false
          const pending = sandbox.ask(operation).finally(() => (isAnswered = true))
          // The part of a call before its first wait takes one turn of the event loop.
          await new Promise(setImmediate)
          expect([isAnswered, vi.getTimerCount()]).toEqual([false, 1])
          await vi.advanceTimersToNextTimerAsync()
          expect(await pending).toEqual(golden(world, operation))
        }
        await expectOver(sandbox, world, 'retrieveTransactionIntent', 'listRewardCategories')
        expect(vi.getTimerCount()).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    })
  })

  describe('drift', () => {
    const versions = ['2025-05-05', '2026-10-13', 'latest']
    const asVersion = (version: string, good: Whole): Whole => ({
      ...good,
      headers: { ...good.headers, 'x-service-version': version },
    })

    // Unchecked: the document has no fields that it does not know, as the sandbox answers with none of its own.
    it.each(operations.flatMap((operation) => versions.map((version) => ({ operation, version }))))(
      'unknown-fields: $operation of $version has one in every object, and is else as ever',
      async (one) => {
        const { operation, version } = one
        const sandbox = await armed(world, 'unknown-fields', operation)
        const good = asVersion(version, golden(world, operation))
        const options = { headers: { 'x-service-version': version } }
        const { body, ...rest } = await sandbox.askUnchecked(operation, options)
        expect({ ...rest, body: stripped(body) }).toEqual(good)
        expect(objectsWith(body)).toEqual(objectsOf(good.body))
        await expectOver(sandbox, world, 'retrieveTransactionIntent')
      },
    )

    const fresh = 'SANDBOX_NEW_VALUE'

    it.each<[string, (good: Whole) => Whole]>([
      ['retrieveReward', (good) => changed(good, { type: fresh, status: fresh })],
      ['retrieveTransactionIntent', (good) => changed(good, { status: fresh })],
      ['createTransactionIntent', (good) => changed(good, { status: fresh })],
      ['retrievePaymentMethod', (good) => changed(good, { type: fresh, status: fresh })],
      ['retrieveRewardsBalance', (good) => good],
      ['listRewardCategories', (good) => good],
    ])('new-enum-values-latest: %s has them under latest only', async (operation, drifted) => {
      for (const version of versions) {
        const sandbox = await armed(world, 'new-enum-values-latest', operation)
        const good = asVersion(version, golden(world, operation))
        const options = { headers: { 'x-service-version': version } }
        // Unchecked under latest: the document has the values that are known.
        const askVersion = version === 'latest' ? sandbox.askUnchecked : sandbox.ask
        expect(await askVersion(operation, options)).toEqual(version === 'latest' ? drifted(good) : good)
        await expectOver(sandbox, world, 'retrieveTransactionIntent')
      }
    })

    /** Null for each optional field of a resource. */
    const nullsOf = ({ shape }: z.ZodObject): object =>
      Object.fromEntries(
        Object.entries(shape)
          .filter(([, field]) => z.safeParse(field, undefined).success)
          .map(([name]) => [name, null]),
      )

    it.each<[string, object]>([
      ['retrieveReward', nullsOf(rewardSchema)],
      ['retrieveTransactionIntent', nullsOf(intentSchema)],
      ['retrieveRewardsBalance', {}],
    ])('null-optionals: what %s leaves out is null', async (operation, nulls) => {
      const sandbox = await armed(world, 'null-optionals', operation)
      const good = golden(world, operation)
      // Off contract: absent fields are absent.
      const { body, ...rest } = await sandbox.askUnchecked(operation)
      expect({ ...rest, body }).toEqual({ ...good, body: { ...nulls, ...(good.body as object) } })
      await expectOver(sandbox, world, operation)
    })

    it('unknown-fields and null-optionals leave errors as they are', async () => {
      const sandbox = await open(world)
      const [, path] = callsOf(world)['retrieveReward'] ?? ['', '']
      for (const name of ['unknown-fields', 'null-optionals']) {
        await sandbox.scenarios.activate(name)
        const { status, json } = await sandbox.call('GET', `${path}_no`)
        expect([status, json]).toEqual([404, noReward.body])
      }
    })
  })
})

const unknownField = 'sandbox_unknown_field'

/** A body without the fields that the scenario adds. */
function stripped(body: unknown): unknown {
  const json = JSON.stringify(body, (key, value: unknown) => (key === unknownField ? undefined : value))
  return JSON.parse(json) as unknown
}

/** Where the objects of a body are that have the field, each with the value that was promised. */
function objectsWith(body: unknown): string[] {
  return pathsOf(body, (object) => {
    if (!Object.hasOwn(object, unknownField)) return false
    expect(object[unknownField]).toEqual({ added: 'in a later release' })
    return true
  })
}

/** Where the objects of a body are that have declared fields: not those that are free-form. */
function objectsOf(body: unknown): string[] {
  return pathsOf(body, () => true)
}

const freeForm = ['metadata', 'statuses', unknownField]

function pathsOf(value: unknown, isMeant: (object: Record<string, unknown>) => boolean, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = !Array.isArray(value) && isMeant(value as Record<string, unknown>) ? [at] : []
  const inner = Object.entries(value)
    .filter(([key]) => !freeForm.includes(key))
    .flatMap(([key, field]) => pathsOf(field, isMeant, `${at}/${key}`))
  return [...own, ...inner]
}
