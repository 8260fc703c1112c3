import { describe, expect, it } from 'vitest'
import { asking, refused } from '../../helpers/asking.ts'

const reward = '/v2/rewards/rwd_ada_pending'

describe('replay', () => {
  it('REQUEST_ID -> the answer, and where it was sent', async () => {
    const { sandbox, ask } = await asking()
    await sandbox.workspace('w1').fetch(reward)
    const { code, stdout, stderr } = await ask(['replay', 'req_w1_1'])
    expect([code, stderr]).toEqual([0, "req_replay-1_1 in workspace 'replay-1': answered 200\n"])
    expect(JSON.parse(stdout)).toMatchObject({ id: 'rwd_ada_pending' })
    const asJson = await ask(['replay', 'req_w1_1', '--workspace', 'mine', '--format', 'json'])
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      workspace: 'mine',
      request_id: 'req_mine_1',
      status: 200,
    })
  })

  it('an id of a workspace with underscores in its name -> that workspace', async () => {
    const { sandbox, ask } = await asking()
    await sandbox.workspace('my_shop_1').fetch(reward)
    expect((await ask(['replay', 'req_my_shop_1_1'])).code).toBe(0)
  })

  it('--method, --path, --header and --body edit it', async () => {
    const { sandbox, ask } = await asking({ 'body.json': { status: 'AVAILABLE' } })
    await sandbox.workspace('default').fetch('/v2/customers')
    const edits = ['--method', 'PATCH', '--path', reward, '--header', 'content-type: application/json']
    for (const body of ['{"status":"AVAILABLE"}', '@body.json']) {
      const { stdout } = await ask(['replay', 'req_default_1', ...edits, '--body', body])
      expect(JSON.parse(stdout)).toMatchObject({ status: 'AVAILABLE' })
    }
    const { stderr } = await ask(['replay', 'req_default_1', '--header', 'authorization:'])
    expect(stderr).toBe("req_replay-3_1 in workspace 'replay-3': answered 401\n")
  })

  it('a connection that breaks off is said', async () => {
    const { sandbox, ask } = await asking()
    await sandbox.workspace('default').fetch(reward)
    await sandbox.scenarios.activate('reset')
    expect(await ask(['replay', 'req_default_1'])).toEqual({
      code: 0,
      stdout: '',
      stderr: "req_replay-1_1 in workspace 'replay-1': the answer was lost or corrupted on its way\n",
    })
  })

  it.each([
    [
      ['req_default_9'],
      8,
      /^error: No request of workspace default has the id 'req_default_9': its journal is empty/,
    ],
    [['req_w9_1'], 8, /^error: no workspace is called 'w9'/],
    [['nothing'], 2, /^error: 'nothing' is not a request id/],
    [['req_default_1', '--header', 'x'], 2, /^error: --header 'x': must be a header such as/],
    [['req_default_1', '--workspace', 'a b'], 2, /^error: workspace 'a b': a name is/],
  ])('%j -> exit %i, and no workspace is made', async (words, code, stderr) => {
    const { sandbox, ask } = await asking()
    expect(await ask(['replay', ...words])).toEqual(refused(code, expect.stringMatching(stderr)))
    expect(sandbox.workspaces.list()).toHaveLength(1)
  })
})
