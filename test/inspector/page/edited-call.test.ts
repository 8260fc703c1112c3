import { describe, expect, it } from 'vitest'
import { editsOf, formOf, type CallEdits, type CallForm } from '../../../src/inspector/page/edited-call.ts'
import { ExactNumber } from '../../../src/json/exact-number.ts'
import { lookedAt } from './copies/called.ts'

const form: CallForm = {
  method: 'PATCH',
  path: '/v2/rewards/a?x=1',
  headers: 'authorization: ***\ncontent-type: application/json\nx-note: a\nx-note: b',
  body: '{\n  "amount": 1\n}',
}

const cases: [string, Partial<CallForm>, CallEdits][] = [
  ['nothing', {}, {}],
  ['white space around', { path: ' /v2/rewards/a?x=1 ', headers: `\n${form.headers}\n\n` }, {}],
  ['line ends of a browser', { body: form.body.replaceAll('\n', '\r\n') }, {}],
  ['a method', { method: 'delete' }, { method: 'DELETE' }],
  ['a path', { path: '/v2/x' }, { path: '/v2/x' }],
  [
    'a header',
    { headers: form.headers.replace('***', 'Bearer a:b') },
    { headers: { authorization: 'Bearer a:b' } },
  ],
  [
    'a header that is left out',
    { headers: 'content-type: application/json\nX-Note: a, b' },
    { headers: { authorization: null } },
  ],
  ['one more header', { headers: `${form.headers}\nx-b:` }, { headers: { 'x-b': '' } }],
  ['a body', { body: '{"amount": 2}' }, { body: '{"amount": 2}' }],
  ['no body', { body: '' }, { body: null }],
  [
    'a body without a type',
    { headers: '', body: '{"n":9007199254740993}' },
    {
      headers: { authorization: null, 'content-type': null, 'x-note': null },
      body: { n: new ExactNumber('9007199254740993') },
    },
  ],
]

describe('what of a call was edited', () => {
  it.each(cases)('%s', (_what, after, edits) => {
    expect(editsOf(form, { ...form, ...after })).toEqual(edits)
  })

  it('tells of a line that is no header', () => {
    expect(() => editsOf(form, { ...form, headers: 'a: b\nwhat' })).toThrow(
      'Headers, line 2: expected “name: value”, found “what”.',
    )
  })

  it('is shown as the journal has it, and replayed as it came', async () => {
    const { sandbox, entryOf, ask } = await lookedAt()
    const entry = await entryOf({ method: 'PATCH', path: '/v2/rewards/rwd_ada_pending', body: { amount: 7 } })
    const shown = formOf(entry)
    expect(shown).toEqual({
      method: 'PATCH',
      path: '/v2/rewards/rwd_ada_pending',
      headers: 'authorization: ***\ncontent-type: application/json',
      body: '{\n  "amount": 7\n}',
    })
    const edits = editsOf(shown, { ...shown, body: '{"amount":8}' })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(edits),
    }
    const replayed = await ask(`/requests/${entry.id}/replay`, init)
    expect(replayed).toMatchObject({ workspace: 'replay-1', status: 200, body: { amount: 8 } })
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ amount: 7 })
  })
})
