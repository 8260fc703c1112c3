// Generated bodies, and a sandbox to send them to.
import fc from 'fast-check'
import { expect } from 'vitest'
import { z } from 'zod'
import { resolveAssumptions, type UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { startSandbox, type Answered, type CallApi } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

/** The same runs each time; a run takes the longer the more it creates. */
export const runs = (numRuns: number) => ({ seed: 20261121, numRuns: samples(numRuns) })

const pagination = resolveAssumptions({ payment_methods_pagination: 'limit_and_starting_after' })

/** Every endpoint that takes a body, as a call, with the schema of the body that has the most fields. */
export const withBody = endpoints.flatMap(({ id, method, path, body }) =>
  body === undefined
    ? []
    : [
        {
          id,
          method,
          // A customer without a link, so that linking can succeed.
          path: path.replace('{customer_id}', 'cus_ben').replace('{reward_id}', 'rwd_ada_pending'),
          shape: body(pagination).shape,
        },
      ],
)

/** Every field of every body, nested ones too; an endpoint without any has an unknown one. */
export const fields = withBody.flatMap(({ shape, ...endpoint }) => {
  const paths = pathsOf(shape)
  return (paths.length > 0 ? paths : [['scopes']]).map((path) => ({ ...endpoint, field: path.join('.') }))
})

function pathsOf(shape: Readonly<Record<string, unknown>>): string[][] {
  return Object.entries(shape).flatMap(([name, type]) => {
    const inner: unknown = type instanceof z.ZodOptional ? type.unwrap() : type
    const nested = inner instanceof z.ZodObject ? pathsOf(inner.shape).map((path) => [name, ...path]) : []
    return [[name], ...nested]
  })
}

const inherited = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  '',
]

const names = [...new Set(fields.flatMap(({ field }) => field.split('.')))]

/** Any text at all, half a surrogate pair included. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), {
    maxLength: 12,
  })
  .map((codes) => String.fromCharCode(...codes))

const textLiteral = fc
  .oneof(
    fc.constantFrom('cus_ada', 'cus_hana', 'pm_ada_card', 'rwd_ada_pending', 'partner-ada', 'USD', 'CARD'),
    fc.constantFrom('AVAILABLE', 'PENDING', '4242424242424242', '2026-02-28', '9'.repeat(400), ...inherited),
    fc.constantFrom('\u0000', '\ud800', '\udfff', '\ufeff', '\u2028', '../..', '%00', 'x'.repeat(20_000)),
    anyText,
  )
  .map((text) => JSON.stringify(text))

const numberLiteral = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1', '-1', '1.5', '1e2', '1e400', '-1e400', '1e-400', '5e-324'),
  fc.constantFrom('9007199254740991', '9007199254740993', '-9007199254740993', '1'.repeat(400), '1e99999'),
  fc.double().map((value) => (Number.isFinite(value) ? String(value) : '0')),
)

const keyLiteral = fc
  .oneof(fc.constantFrom(...names), fc.constantFrom(...inherited), anyText)
  .map((key) => JSON.stringify(key))

/** JSON as text: only as text can it have a key twice, an own `__proto__` and numbers no program holds. */
export const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.constantFrom('null', 'true', 'false'), numberLiteral, textLiteral),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(keyLiteral, tie('json')), { maxLength: 6 })
      .map((entries) => `{${entries.map(([key, value]) => `${key}:${value}`).join(',')}}`),
  ),
}))

/** Nested deeper than any parser by recursion can go. */
const nested = fc
  .tuple(fc.constantFrom('[', '{"a":', '{"metadata":', '[{"":'), fc.integer({ min: 1, max: 100_000 }))
  .map(([open, depth]) => {
    const close = [...open]
      .filter((char) => char === '[' || char === '{')
      .map((char) => (char === '[' ? ']' : '}'))
      .toReversed()
      .join('')
    return open.repeat(depth) + 'null' + close.repeat(depth)
  })

/** JSON with something wrong in it: cut off, a piece doubled, a piece taken out, or other characters put in. */
const brokenJson = fc
  .tuple(json, fc.nat(), fc.nat(), fc.oneof(fc.constant(''), anyText))
  .map(([text, from, length, put]) => {
    const at = from % (text.length + 1)
    return text.slice(0, at) + put + text.slice(at + (length % 8))
  })

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

export const anyBody: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc.oneof(
  { weight: 6, arbitrary: json.map(bytesOf) },
  { weight: 2, arbitrary: brokenJson.map(bytesOf) },
  { weight: 1, arbitrary: fc.json().map(bytesOf) },
  { weight: 1, arbitrary: nested.map(bytesOf) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 1, arbitrary: json.map((text) => Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf(text)])) },
)

/** A sandbox that is back at its start after every call, and fails when a refused one has left a trace. */
export async function start(assume: UnvalidatedSettings = {}) {
  const sandbox = await startSandbox({ assume })
  const document = (): string => JSON.stringify(sandbox.state.document())
  const before = document()
  return {
    sandbox,
    state: sandbox.state,
    async send(
      { method, path }: { method: string; path: string },
      body: Uint8Array<ArrayBuffer>,
      headers: Record<string, string> = { 'content-type': 'application/json' },
      call: CallApi = sandbox.call,
    ): Promise<Answered> {
      const answer = await call(method, path, { body, headers })
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400) expect(document()).toBe(before)
      else sandbox.reset()
      return answer
    },
  }
}
