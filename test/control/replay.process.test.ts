import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { raw, request } from '../helpers/raw.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const reward = '/v2/rewards/rwd_ada_pending'

const replay = (sandbox: Sandbox, id: string, edits?: unknown, query = '') =>
  askControl(sandbox, 'POST', `/requests/${id}/replay${query}`, edits)

describe('POST /_sandbox/requests/{id}/replay', () => {
  it('a body that was refused unread -> the same refusal; 409 where it is asked for now', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': '22',
      Authorization: 'Bearer nobody',
    }
    const body = '{"status":"AVAILABLE"}'
    expect((await raw(server, request('PATCH', reward, headers, body))).status).toBe(401)
    expect((await replay(sandbox, 'req_default_1')).json.status).toBe(401)
    const edits = { headers: { authorization: `Bearer ${fullKey}` } }
    expect(await replay(sandbox, 'req_default_1', edits)).toMatchObject({
      status: 409,
      json: controlErrorBody(
        'CONFLICT',
        'The journal has no body of this request, as it was refused before its body was read: set body to the one to send.',
      ),
    })
    expect((await replay(sandbox, 'req_default_1', { ...edits, body })).json.status).toBe(200)
  })
})
