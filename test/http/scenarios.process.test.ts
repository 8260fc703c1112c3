import { describe, expect, test } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'

describe('which calls a rule is for', () => {
  test('a body that is empty where none is needed is read once', async () => {
    const used = { respond: { status: 299, body: 'used' } }
    const rules = [{ on: '*', when: { body: { amount: 1 } }, effect: used }]
    const armed = { name: 'armed', description: 'A scenario of a test.', rules }
    const sandbox = await startSandbox({ scenarios: [armed] })
    const { url } = await sandbox.listen()
    const headers = { authorization: 'Bearer sk_sandbox_full' }
    const body = new ReadableStream({ start: (controller) => controller.close() })
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await fetch(`${url}/v2/keys`, init)).status).toBe(200)
  })
})
