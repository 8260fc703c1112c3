import type { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { Bindings } from '../../src/http/context.ts'
import type { WorkspaceVerbs } from '../../src/operations/sandbox-workspace.ts'
import { controlPlane } from '../helpers/control-plane.ts'

/** A control plane over a workspace whose changes are kept when the test says so. */
function keptLater(outcome: Promise<void> | undefined): { app: Hono<{ Bindings: Bindings }>; did: string[] } {
  const did: string[] = []
  const workspace = {
    name: 'default',
    reset: () => void did.push('reset'),
    use: () => () => undefined,
    state: { size: () => 0 },
    clock: { read: () => ({ now: '2026-11-21T12:00:00.000Z', frozen: true }) },
  } as unknown as WorkspaceVerbs
  return { app: controlPlane({ workspace: () => workspace }, { saved: () => outcome }), did }
}

const reset = { method: 'POST' }
const url = 'http://localhost/_sandbox/reset'

it('a change is answered once it is kept as safely as was asked for', async () => {
  let keep = (): void => undefined
  const kept = new Promise<void>((resolve) => (keep = resolve))
  const { app, did } = keptLater(kept)
  const answer = app.fetch(new Request(url, reset), {})
  const early = await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'still waiting'))])
  expect([early, did]).toEqual(['still waiting', ['reset']])
  keep()
  expect((await answer).status).toBe(200)
})

it('nothing to wait for -> at once; what cannot be kept -> a failure of ours, not of the request', async () => {
  expect((await keptLater(undefined).app.fetch(new Request(url, reset), {})).status).toBe(200)
  const failing = Promise.reject(new Error('the disk is full'))
  const answer = await keptLater(failing).app.fetch(new Request(url, reset), {})
  expect([answer.status, await answer.text()]).toEqual([500, 'the disk is full'])
})

it('a read waits for the changes that it may have seen, and does not fail with them', async () => {
  let fail = (): void => undefined
  const kept = new Promise<void>((_, reject) => (fail = () => reject(new Error('the disk is full'))))
  const { app } = keptLater(kept)
  const answer = app.fetch(new Request('http://localhost/_sandbox/clock'), {})
  const early = await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'still waiting'))])
  expect(early).toBe('still waiting')
  fail()
  expect((await answer).status).toBe(200)
})
