import { describe, expect, test } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'

const path = '/v2/order_events'

describe('deleting an order event', () => {
  test('case 108: with a body through a socket -> 204, and the connection goes on', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const headers = { authorization: 'Bearer sk_sandbox_full' }
    for (const [id, status] of [
      ['ord_ada_1', 204],
      ['ord_ada_1', 400],
      ['ord_ada_2', 204],
    ] as const) {
      const answer = await fetch(`${server.url}${path}/${id}`, { method: 'DELETE', headers, body: '{junk' })
      await answer.text()
      expect(answer.status).toBe(status)
    }
  })
})
