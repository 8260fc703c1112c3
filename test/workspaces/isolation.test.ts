import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'
import { startSandbox, testNow } from '../helpers/sandbox.ts'

const mine = {
  name: 'mine',
  description: 'Every third read fails.',
  rules: [{ on: 'retrieveReward', calls: 'every 3', effect: { error: 'SERVICE_UNAVAILABLE_ERROR' } }],
}

describe('what is done in one workspace leaves the others alone', () => {
  const reward = '/v2/rewards/rwd_ada_pending'

  it.each<[string, (sandbox: Sandbox) => unknown]>([
    ['rows', (sandbox) => askControl(sandbox, 'DELETE', '/state/order_events/ord_ada_1?workspace=w1')],
    ['a whole state', (sandbox) => askControl(sandbox, 'PUT', '/state?workspace=w1', { customers: [] })],
    ['ids', (sandbox) => sandbox.workspace('w1').fetch('/v2/keys', { method: 'POST' })],
    ['the clock', (sandbox) => sandbox.workspace('w1').clock.advance({ days: 1 })],
    ['request numbers', (sandbox) => sandbox.workspace('w1').fetch(reward)],
    ['snapshots', (sandbox) => sandbox.workspace('w1').snapshot('s')],
    [
      'scenarios and their counts',
      async (sandbox) => {
        await sandbox.workspace('w1').scenarios.register(mine)
        await sandbox.workspace('w1').scenarios.activate('mine')
        await sandbox.workspace('w1').fetch(reward)
      },
    ],
    ['a reset', (sandbox) => askControl(sandbox, 'POST', '/reset?workspace=w1')],
    ['its end', (sandbox) => askControl(sandbox, 'DELETE', '/workspaces/w1')],
  ])('%s', async (_what, act) => {
    /** All that could be seen of a workspace. */
    const view = async (sandbox: Sandbox, name: string): Promise<unknown> => {
      const workspace = sandbox.workspace(name)
      const answer = await workspace.fetch(reward)
      const made = await workspace.fetch('/v2/keys', { method: 'POST' })
      return {
        document: workspace.state.document(),
        clock: workspace.clock.read(),
        scenarios: await workspace.scenarios.list(),
        snapshots: workspace.snapshots.list(),
        answer: [answer.headers.get('x-sandbox-request-id'), answer.headers.get('date'), await answer.text()],
        made: await made.text(),
      }
    }
    const [touched, fresh] = [await startSandbox(), await startSandbox()]
    for (const name of ['w1', 'w2']) touched.workspace(name)
    await act(touched)
    for (const name of ['default', 'w2', 'w3']) {
      expect(await view(touched, name)).toEqual(await view(fresh, name))
    }
    expect(touched.clock.now()).toBe(testNow)
  })
})
