import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Outcome } from '../../src/call/outcome.ts'
import { Resolution } from '../../src/call/resolution.ts'
import type { Call } from '../../src/call/index.ts'
import { IncomingRequest } from '../../src/call/incoming-request.ts'
import { sentHeaders } from '../../src/call/sent-headers.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { readCall, writeCall } from '../../src/journal/call-text.ts'
import { maxWritten, writtenOfBody } from '../../src/journal/extent.ts'
import { kept } from '../../src/journal/limits.ts'
import { State } from '../../src/store/state.ts'
import type { Change, Read } from '../../src/store/transaction.ts'
import { entryOf } from '../../src/journal/entry.ts'
import { rowsLookedUp } from '../../src/explain/rows-looked-up.ts'
import { redactor } from '../../src/secrets/redact.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { Plan } from '../../src/scenarios/plan.ts'
import type { Rule, Scenario } from '../../src/scenarios/scenario.ts'
import { everyCall } from '../../src/scenarios/calls.ts'
import { samples } from '../setup/samples.ts'
import { unicodeText } from '../helpers/unicode-text.ts'

const account = { saved_version: { sandbox: '2026-10-13', production: '2026-10-13' } } as const
const emptyState = (): State => State.empty(account, resolveAssumptions({}))
const context = { state: emptyState(), baseline: emptyState(), catalogue: undefined }
const hide = redactor(new KnownSecrets())

const date = 'Sat, 21 Nov 2026 12:00:00 GMT'

interface Parts {
  target?: string
  headers?: string[]
  body?: string | Uint8Array
  answer?: string | Uint8Array<ArrayBuffer>
  answerHeaders?: Record<string, string>
}

function callOf({ target = '/v2/rewards/r', headers = [], body, answer, answerHeaders = {} }: Parts): Call {
  const request = new IncomingRequest({
    method: 'POST',
    target,
    origin: 'http://localhost',
    headers: sentHeaders(headers),
    route: undefined,
  }).withBody(body)
  const outcome = new Outcome().answer(200, answerHeaders, null)
  outcome.body = answer ?? null
  outcome.id = 'req_default_1'
  outcome.complete(undefined, '', date)
  return { request, resolution: new Resolution(), outcome }
}

const reward = (id: string, size: number): object => ({ id, customer_id: 'cus_1', note: 'n'.repeat(size) })

function reading(...reads: Omit<Read, 'before'>[]): Resolution {
  const resolution = new Resolution()
  for (const read of reads) resolution.lastRead = { ...read, before: resolution.lastRead }
  return resolution
}

const list = (rows: readonly object[]): Omit<Read, 'before'> => ({
  collection: 'rewards',
  id: undefined,
  group: 'cus_1',
  rows: rows.length,
  row: undefined,
  listed: rows,
})

const roundTrip = (call: Call, with_: Partial<typeof context> = {}): Call =>
  readCall(writeCall(call, context), { ...context, ...with_ })

const bytesIn = (text: string): number => Buffer.byteLength(text)

describe('how much of a call is written', () => {
  it('bodies up to 4 KiB; of longer ones the beginning and how long they were', () => {
    for (const [length, bytes] of [
      [4096, undefined],
      [4097, 4097],
    ] as const) {
      const { request, outcome } = roundTrip(callOf({ body: 'a'.repeat(length), answer: 'b'.repeat(length) }))
      expect([request.body, request.bodyBytes]).toEqual(['a'.repeat(4096), bytes])
      expect([outcome.body, outcome.bodyBytes]).toEqual(['b'.repeat(4096), bytes])
      expect(outcome.headers).toEqual({
        'x-sandbox-request-id': 'req_default_1',
        date,
        'content-length': String(length),
      })
    }
  })

  it('a body of which the journal had the beginning only -> it is as long as it was', () => {
    const long = kept(callOf({ body: 'a'.repeat(100_000), answer: 'b'.repeat(100_000) }))
    const { request, outcome } = roundTrip(long)
    expect([request.bodyBytes, outcome.bodyBytes]).toEqual([100_000, 100_000])
  })

  it('rows up to 4 KiB together, those that changed before those that were looked up; others as they are now', () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => reward(id, 900))
    const call = { ...callOf({}), resolution: reading(list(rows)) }
    const [before, after] = [reward('z', 900), reward('z', 901)]
    call.outcome.changes = [{ collection: 'rewards', id: 'z', before, after }]
    const state = emptyState()
    const now = reward('d', 1)
    state.put('rewards', now as never)
    const { resolution, outcome } = roundTrip(call, { state })
    expect(outcome.changes).toEqual(call.outcome.changes)
    // The fifth and sixth kilobyte are not written whole, and the last row no longer exists.
    expect(rowsLookedUp(resolution).map(({ row }) => row)).toEqual([rows[0], rows[1], now])
    expect(resolution.lastRead?.rows).toBe(5)
  })

  it('a row that is neither written nor there any more -> there was one of this id', () => {
    const resolution = reading({
      ...list([]),
      id: 'big',
      group: undefined,
      rows: 1,
      row: reward('big', 5_000),
    })
    const call = { ...callOf({}), resolution }
    const change: Change = {
      collection: 'statements',
      id: 's',
      before: { statement_id: 's', note: 'n'.repeat(5_000) },
    }
    call.outcome.changes = [change]
    const again = roundTrip(call)
    expect(again.resolution.lastRead?.row).toEqual({ id: 'big' })
    expect(again.outcome.changes).toEqual([
      { collection: 'statements', id: 's', before: { statement_id: 's' } },
    ])
  })

  it('a row of the start -> by its id, and it is that of the start for whoever reads', () => {
    const [baseline, state] = [emptyState(), emptyState()]
    const row = reward('r', 100)
    baseline.put('rewards', row as never)
    state.put('rewards', reward('r', 200) as never)
    const call = {
      ...callOf({}),
      resolution: reading({ ...list([]), id: 'r', group: undefined, rows: 1, row }),
    }
    const text = writeCall(call, { ...context, baseline })
    expect(text).not.toContain('nnn')
    expect(readCall(text, { ...context, baseline, state }).resolution.lastRead?.row).toBe(row)
  })

  it('a list of a thousand rows -> 200 of them, and how many there were', () => {
    const rows = Array.from({ length: 1000 }, (_, n) => reward(`r${n}`, 1))
    const { resolution } = roundTrip({ ...callOf({}), resolution: reading(list(rows)) })
    expect(resolution.lastRead?.rows).toBe(1000)
    expect(rowsLookedUp(resolution).length).toBeGreaterThan(50)
    expect(rowsLookedUp(resolution).length).toBeLessThanOrEqual(200)
  })
})

const rule = (id: string): Rule => ({
  id,
  events: new Set(),
  operations: new Set(['retrieveReward']),
  when: {},
  calls: everyCall,
  effects: [],
  offContract: false,
})

describe('a call that is too large loses what is missed least', () => {
  const body = new Uint8Array(5_000).fill(200)
  const raw = (bytes: number): string[] =>
    Array.from({ length: Math.ceil(bytes / 100) }, (_, n) => [`x-${n}`, 'v'.repeat(80)]).flat()

  function large(headerBytes: number, documentBytes: number): Call {
    const call = callOf({ headers: raw(headerBytes), body, answer: body })
    const resolution = reading(list([reward('a', 3_000)]))
    const own: Scenario = {
      name: 'own',
      description: '',
      rules: [rule('own#1')],
      needsLatest: false,
      source: 'scenario',
      document: {
        name: 'own',
        description: 'd'.repeat(documentBytes),
        rules: [{ on: 'retrieveReward', effect: 'not_found' }],
      },
    }
    resolution.scenarios = [own]
    resolution.plan = Object.assign(new Plan(), { rules: ['own#1'], endedBy: own.rules[0] })
    resolution.plan.verdicts.push({ rule: own.rules[0] ?? rule(''), call: 1, acted: true, source: 'switch' })
    return { ...call, resolution }
  }

  it.each<[situation: string, headerBytes: number, documentBytes: number, left: object]>([
    ['nothing, while it fits', 1_000, 100, { rows: 1, verdicts: 1, headers: 20, rules: ['own#1'] }],
    ['rows of reads first', 2_000, 4_000, { rows: 0, verdicts: 1, headers: 40, rules: ['own#1'] }],
    ['then what outcome of rules', 5_000, 8_000, { rows: 0, verdicts: 0, headers: 100, rules: ['own#1'] }],
    ['then headers beyond 4 KiB', 20_000, 8_000, { rows: 0, verdicts: 0, headers: 90, rules: ['own#1'] }],
  ])('%s', (_, headerBytes, documentBytes, left) => {
    const call = large(headerBytes, documentBytes)
    const text = writeCall(call, context)
    expect(bytesIn(text)).toBeLessThanOrEqual(maxWritten)
    const { request, resolution } = readCall(text, context)
    expect(resolution.plan?.endedBy?.id).toBe('own#1')
    expect(resolution.scenarios?.map(({ name }) => name)).toEqual(['own'])
    expect({
      rows: rowsLookedUp(resolution).length,
      verdicts: resolution.plan?.verdicts.length,
      headers: request.headers.raw.length,
      rules: resolution.plan?.rules,
    }).toEqual(left)
  })

  it('by its bytes, of which a character may take several', () => {
    const call = callOf({ answerHeaders: { 'x-note': 'é'.repeat(15_000) } })
    const text = writeCall(call, context)
    expect(bytesIn(text)).toBeLessThanOrEqual(maxWritten)
  })

  it('whatever a client and a scenario make long -> it is short enough, and can be shown', () => {
    const text = 'é"\\\u0000🙂'.repeat(5_000)
    const call = callOf({
      target: `/v2/${text}`,
      headers: ['x', text, ...raw(50_000)],
      body: '\u0000'.repeat(50_000),
      answer: '\u0001'.repeat(50_000),
      answerHeaders: { 'x-long': text, ...Object.fromEntries(raw(9_000).map((name) => [name, name])) },
    })
    const plan = new Plan()
    for (let n = 0; n < 5_000; n++) {
      plan.rules.push(`own#${n}`)
      plan.undone.push('a change that could not be made')
      plan.verdicts.push({ rule: rule(`own#${n}`), misfit: 'body' })
    }
    call.resolution.plan = plan
    call.resolution.lastRead = reading(
      ...Array.from({ length: 500 }, (_, n) => ({
        ...list([reward(`r${n}`, 1_000)]),
        group: 'g'.repeat(100),
      })),
    ).lastRead
    const changes = Array.from({ length: 500 }, (_, n) => ({
      collection: 'rewards' as const,
      id: `r${n}`,
      before: reward(`r${n}`, 1_000),
    }))
    call.outcome.changes = changes
    call.outcome.scenarioChanges = [{ at: 'before', changes }]
    call.outcome.failure = new ApiError('VALIDATION_ERROR', { message: text, details: [text, text] })
    const written = writeCall(call, context)
    expect(bytesIn(written)).toBeLessThanOrEqual(maxWritten)
    const read = readCall(written, context)
    expect(entryOf(read, hide).request.body_bytes).toBe(50_000)
    expect(read.outcome.failure?.type).toBe('VALIDATION_ERROR')
  })

  it('hostile bodies, headers and paths: entries that are the same while they fit, and short ones always', () => {
    const bytes = fc.uint8Array({ maxLength: 9_000 }).map((one) => new Uint8Array(one))
    const some = fc.oneof(unicodeText({ maxLength: 6_000 }), bytes)
    const parts = fc.record({
      target: unicodeText({ maxLength: 300 }).map((text) => `/${text}`),
      headers: fc.array(fc.tuple(fc.string(), unicodeText()), { maxLength: 20 }).map((all) => all.flat()),
      body: some,
      answer: some,
      answerHeaders: fc.dictionary(fc.string(), unicodeText(), { maxKeys: 5 }),
    })
    fc.assert(
      fc.property(parts, (one) => {
        const call = callOf(one)
        const text = writeCall(call, context)
        expect(bytesIn(text)).toBeLessThanOrEqual(maxWritten)
        const read = readCall(text, context)
        const expected = kept(call, writtenOfBody)
        expect(entryOf(read, hide)).toEqual(entryOf(expected, hide))
      }),
      { numRuns: samples(200) },
    )
  })
})
