// The ids of rows that calls create, in several workspaces: not equal between names, equal again for the same name.
import { describe, expect, it } from 'vitest'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'
import { createdKey } from '../helpers/created-key.ts'
import { startSandbox, testNow } from '../helpers/sandbox.ts'

/** Creates an intent and an API key. @returns all values of them that derive from the sequence of ids. */
async function created({ fetch, state }: Pick<SandboxWorkspace, 'fetch' | 'state'>): Promise<string[]> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body), headers })
    expect(answer.status).toBe(200)
    return (await answer.json()) as { id: string; key: string }
  }
  const intent = await post('/v2/transaction_intents', { customer_id: 'cus_ada', amount: 1, currency: 'USD' })
  const { key: made } = await post('/v2/keys', {})
  const key = createdKey(state.list('api_keys'), made)
  // The name of the workspace is a suffix of some of them.
  return [intent.id, key.id, key.secret, key.key].map((text) => text.split('.')[0] ?? '')
}

const inDefault = (sandbox: Sandbox) => created(sandbox.workspace('default'))

async function replayed(sandbox: Sandbox, of: string, body = {}) {
  const { status, json } = await askControl(
    sandbox,
    'POST',
    `/requests/req_${of}_1/replay?workspace=${of}`,
    body,
  )
  expect(status).toBe(201)
  return json
}

describe('ids of rows that calls create', () => {
  it('default -> those of the seed alone', async () => {
    expect((await inDefault(await startSandbox()))[0]).toBe('int_1mavfg50541m')
    expect((await inDefault(await startSandbox({ seed: 2 })))[0]).toBe('int_1msysscy8272')
  })

  it('the same calls in workspaces of other names -> no value of them is equal', async () => {
    const sandbox = await startSandbox()
    const names = ['default', 'w1', 'w2', 'w10', (await sandbox.workspaces.create()).name]
    const values = (await Promise.all(names.map((name) => created(sandbox.workspace(name))))).flat()
    expect(new Set(values).size).toBe(4 * names.length)
  })

  it('the same name in another sandbox, and again after it was deleted -> the same ids', async () => {
    const [sandbox, other] = [await startSandbox(), await startSandbox()]
    const ids = await created(sandbox.workspace('w1'))
    await created(other.workspace('w2'))
    expect(await created(other.workspace('w1'))).toEqual(ids)
    sandbox.workspaces.delete('w1')
    expect(await created(sandbox.workspace('w1'))).toEqual(ids)
  })

  it('calls in another workspace in between -> the same ids', async () => {
    const [sandbox, other] = [await startSandbox(), await startSandbox()]
    const calm = [await created(other.workspace('w1')), await created(other.workspace('w1'))]
    const disturbed = [await created(sandbox.workspace('w1'))]
    await created(sandbox.workspace('w2'))
    expect([...disturbed, await created(sandbox.workspace('w1'))]).toEqual(calm)
  })

  it('a workspace from another one -> its own ids, from the same position on', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    await created(w1)
    const w2 = await sandbox.workspaces.create({ name: 'w2', from: 'w1' })
    const ofCopy = await created(w2)
    expect(await created(w1)).not.toEqual(ofCopy)
    const same = sandbox.workspace('w3')
    await created(same)
    sandbox.workspaces.delete('w2')
    await created(sandbox.workspace('w2'))
    expect(await created(sandbox.workspace('w2'))).toEqual(ofCopy)
  })

  it.each(['default', 'w1'])(
    'a replay in a copy of %s -> the id of the call, and then the next one',
    async (name) => {
      const sandbox = await startSandbox()
      const workspace = sandbox.workspace(name)
      const before = workspace.snapshot()
      const ids = await created(workspace)
      const next = await created(workspace)
      workspace.restore(before)
      for (const body of [{}, { workspace: 'named' }]) {
        const { workspace: copy, body: intent } = await replayed(sandbox, name, body)
        expect(intent.id).toBe(ids[0])
        // The copy of a copy continues the same ids.
        const nested = await replayed(sandbox, copy)
        const key = await sandbox.workspace(nested.workspace).fetch('/v2/keys', { method: 'POST' })
        expect(key.status).toBe(200)
      }
      expect([await created(workspace), await created(workspace)]).toEqual([ids, next])
    },
  )

  it('a copy of a replay, reset -> the ids of its original again', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    await created(w1)
    const copy = sandbox.workspace((await replayed(sandbox, 'w1')).workspace)
    copy.reset()
    expect(await created(copy)).toEqual(await created(w1))
  })

  it('a restored snapshot -> the ids after the snapshot', async () => {
    const w1 = (await startSandbox()).workspace('w1')
    await created(w1)
    const before = w1.snapshot()
    const ids = await created(w1)
    w1.restore(before)
    expect(await created(w1)).toEqual(ids)
  })
})

describe('a reset', () => {
  const resets: readonly [
    door: string,
    (sandbox: Sandbox, options?: { ids: 'continue' }) => Promise<unknown>,
  ][] = [
    ['library', async (sandbox, options) => sandbox.workspace('w1').reset(options)],
    [
      'HTTP',
      async (sandbox, options) =>
        expect((await askControl(sandbox, 'POST', '/reset?workspace=w1', options)).status).toBe(200),
    ],
  ]

  it.each([undefined, {}, ''])('HTTP with body %j -> ids begin again', async (body) => {
    const sandbox = await startSandbox()
    const ids = await inDefault(sandbox)
    expect((await askControl(sandbox, 'POST', '/reset', body)).status).toBe(200)
    expect(await inDefault(sandbox)).toEqual(ids)
  })

  it.each(resets)('%s -> ids begin again', async (_, reset) => {
    const sandbox = await startSandbox()
    const ids = await created(sandbox.workspace('w1'))
    await reset(sandbox)
    expect(await created(sandbox.workspace('w1'))).toEqual(ids)
  })

  it.each(resets)('%s, ids continue -> everything else begins again', async (_, reset) => {
    const [sandbox, other] = [await startSandbox(), await startSandbox()]
    const [w1, unreset] = [sandbox.workspace('w1'), other.workspace('w1')]
    const before = w1.state.document()
    expect(await created(w1)).toEqual(await created(unreset))
    const position = w1.state.document().sandbox?.ids
    w1.clock.advance({ days: 1 })
    await reset(sandbox, { ids: 'continue' })
    expect(w1.state.document()).toEqual({ ...before, sandbox: { ...before.sandbox, ids: position } })
    expect([w1.requests.list(), w1.clock.now()]).toEqual([[], testNow])
    expect(w1.timeline()[0]?.summary).toBe('Reset to the baseline; ids continue')
    expect(await created(w1)).toEqual(await created(unreset))
  })

  it.each([
    ['another value', { ids: 'again' }, 'reset ids: must be one of continue'],
    ['an unknown field', { id: 'continue' }, "reset id: unknown field, did you mean 'ids'?"],
    ['a list', [], 'reset: must be a JSON object'],
    ['null', 'null', 'reset: must be a JSON object'],
  ])('%s -> refused, and nothing changes', async (_, options, message) => {
    const sandbox = await startSandbox()
    sandbox.state.delete('order_events', 'ord_ada_1')
    const { status, json } = await askControl(sandbox, 'POST', '/reset', options)
    expect([status, json.error.message]).toEqual([400, message])
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
  })
})
