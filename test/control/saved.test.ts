import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { dispatch } from '../../src/control/dispatch.ts'
import type { ControlHandler } from '../../src/control/context.ts'
import type { Handled } from '../../src/control/resource.ts'
import type { Verbs } from '../../src/operations/index.ts'
import type { WorkspaceVerbs } from '../../src/operations/sandbox-workspace.ts'
import type { Bindings } from '../../src/http/context.ts'
import { NotSavedError } from '../../src/workspaces/saver.ts'
import { gate, watchDisk } from '../helpers/disk.ts'
import { startOn } from '../helpers/data.ts'
import { serviceSaving } from '../helpers/served-call.ts'

// A write that failed is retried after a time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Calls a noun whose workspace saves as the test says. */
async function answered(
  method: string,
  handler: ControlHandler,
  saved: () => Promise<void>,
): Promise<Response> {
  const handled = (route: Handled['route']): Handled => ({
    id: '',
    route,
    about: 'a test',
    result: z.unknown(),
    handle: handler,
  })
  const resource = { path: '/x', operations: [handled('GET /_sandbox/x'), handled('PUT /_sandbox/x')] }
  const verbs = {
    workspace: () => ({ use: () => () => undefined }) as unknown as WorkspaceVerbs,
  } as unknown as Verbs
  const { workspaces } = serviceSaving(saved)
  const app = new Hono<{ Bindings: Bindings }>()
  app.all('/x', (c) =>
    dispatch(resource, verbs, c, {
      workspaces,
      slotFor: () => Promise.reject(new Error('no answer of this test is expensive')),
    }),
  )
  return app.request('/x', { method })
}

const done: ControlHandler = () => Response.json({ done: true })
const never = (): Promise<void> => Promise.reject(new Error('nobody should wait'))

describe('a control call', () => {
  it('that may have written is answered once that is kept', async () => {
    const order: string[] = []
    const handler: ControlHandler = () => {
      order.push('written')
      return Response.json({ done: true })
    }
    const saved = async (): Promise<void> => {
      await new Promise(setImmediate)
      order.push('kept')
    }
    const answer = await answered('PUT', handler, saved)
    order.push('answered')
    expect(order).toEqual(['written', 'kept', 'answered'])
    expect([answer.status, await answer.json()]).toEqual([200, { done: true }])
  })

  it.each(['GET', 'HEAD'])('%s does not fail with the write of another call', async (method) => {
    expect((await answered(method, done, never)).status).toBe(200)
  })

  it.each([
    ['rolled back', 500, 'INTERNAL'],
    ['not made', 503, 'UNAVAILABLE'],
  ] as const)('whose write was %s -> %j %s', async (outcome, status, type) => {
    const error = new NotSavedError('data.json cannot be written.', outcome)
    const whileSaving = await answered('PUT', done, () => Promise.reject(error))
    const whileWriting = await answered(
      'PUT',
      () => {
        throw error
      },
      never,
    )
    for (const answer of [whileSaving, whileWriting]) {
      expect([answer.status, await answer.json()]).toEqual([
        status,
        { error: { type, message: error.message } },
      ])
    }
  })

  it('that writes nothing works while nothing can be written', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk)
    disk.judge = () => 'ENOSPC'
    sandbox.state.put('order_events', 'ord_new', { customer_id: 'cus_ada' })
    await expect(sandbox.saved()).rejects.toThrow(NotSavedError)
    const cleared = await sandbox.fetch('/_sandbox/requests', { method: 'DELETE' })
    expect(cleared.status).toBe(204)
    const put = await sandbox.fetch('/_sandbox/scenarios/active', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '["slow"]',
    })
    expect([put.status, await sandbox.scenarios.active()]).toEqual([503, []])
  })
})

describe('a control call that changes nothing of a data file', () => {
  it.each([
    ['POST', '/workspaces', { name: 'w2' }, 201],
    ['DELETE', '/workspaces/w1', undefined, 204],
    ['DELETE', '/coverage', undefined, 204],
  ] as const)('%s %s is answered while the disk is busy with what others wrote', async (...row) => {
    const [method, path, json, status] = row
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk)
    sandbox.workspace('w1')
    const { opened, open } = gate()
    disk.judge = (step) => (step.startsWith('fdatasync') ? opened : undefined)
    sandbox.state.put('order_events', 'ord_new', { customer_id: 'cus_ada' })
    const answer = await sandbox.fetch(`/_sandbox${path}`, {
      method,
      ...(json ? { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } } : {}),
    })
    expect(answer.status).toBe(status)
    open()
  })
})

describe('savingOf', () => {
  it('a write that was rolled back before anybody asked -> told once, then no more', async () => {
    const disk = await watchDisk()
    const { sandbox, says } = await startOn(disk)
    disk.judge = (step) => (step.startsWith('write') ? 'ENOSPC' : undefined)
    const failed = says()
    sandbox.state.put('order_events', 'ord_new', { customer_id: 'cus_ada' })
    await failed
    disk.judge = () => undefined
    const works = says()
    await vi.advanceTimersByTimeAsync(100)
    await works
    await expect(sandbox.saved()).rejects.toThrow(/so it was rolled back/)
    await sandbox.saved()
  })
})
