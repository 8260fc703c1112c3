import { describe, expect, test } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'

const pending = '/v2/rewards/rwd_ada_pending'

describe('updating a pending reward', () => {
  test('case 103: 50 updates at once through a socket -> one 200, the others 400', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, amount) => {
        const answer = await fetch(`${server.url}${pending}`, {
          method: 'PATCH',
          headers: { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' },
          body: JSON.stringify({ amount, status: 'AVAILABLE' }),
        })
        return { status: answer.status, json: await answer.json() }
      }),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toEqual(won[0]?.json)
  })
})
