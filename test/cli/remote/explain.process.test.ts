import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../src/index.ts'
import { writeTrace } from '../../../src/testing/test-trace.ts'
import { execute, folderWith } from '../../helpers/fake-io.ts'

/** A folder with the trace of a failed test, whose workspace is gone; and the id that its failure named. */
async function failedTest(folder = 'partner-rewards-traces') {
  const cwd = await folderWith()
  await using sandbox = await createSandbox()
  const workspace = await sandbox.workspaces.create()
  const answer = await workspace.fetch('/v2/rewards/none')
  await writeTrace([workspace], { name: 'pays', file: 'a.test.ts' }, join(cwd, folder))
  return { cwd, id: answer.headers.get('x-sandbox-request-id') ?? '' }
}

/** A folder with the trace of a failed test that had an event; and the id of the event, whose workspace is gone. */
async function failedTestWithEvent() {
  const cwd = await folderWith()
  await using sandbox = await createSandbox({ webhooks: 'standard' })
  const workspace = await sandbox.workspaces.create()
  await workspace.fetch('/v2/rewards/rwd_ada_pending', {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${workspace.apiKey}`,
      'content-type': 'application/json',
      'x-service-merchant-key': 'mk_summit',
    },
    body: '{"status":"AVAILABLE"}',
  })
  const [event] = workspace.events.list()
  await writeTrace([workspace], { name: 'pays', file: 'a.test.ts' }, join(cwd, 'partner-rewards-traces'))
  return { cwd, id: event?.id ?? '' }
}

describe('explain of an event of a failed test', () => {
  it('no sandbox runs -> names the trace', async () => {
    const { cwd, id } = await failedTestWithEvent()
    const { code, stderr } = await execute(['explain', id, '--url', 'http://127.0.0.1:1'], { cwd })
    expect([code, stderr.split('\n')]).toEqual([
      7,
      [
        expect.stringMatching(/^error: no sandbox answers at /),
        `a trace has ${id} and explains it: open partner-rewards-traces/pays-trace.html`,
        '',
      ],
    ])
  })

  it.each(['evt_w3_1_1', undefined])(
    'its workspace is gone: %s -> names the trace, or where it looked',
    async (other) => {
      const { cwd, id } = await failedTestWithEvent()
      await using sandbox = await createSandbox()
      const { url } = await sandbox.listen()
      const { code, stderr } = await execute(['explain', other ?? id, '--url', url], { cwd })
      expect([code, stderr.split('\n')]).toEqual([
        8,
        [
          expect.stringMatching(/^error: no workspace is called '/),
          other === undefined
            ? `a trace has ${id} and explains it: open partner-rewards-traces/pays-trace.html`
            : `if a test caused it, it is only in the trace that the failed test names: no trace in partner-rewards-traces has ${other}`,
          '',
        ],
      ])
    },
  )
})

describe('explain of an id that a failed test printed', () => {
  it('no sandbox runs -> names the trace', async () => {
    const { cwd, id } = await failedTest()
    const { code, stderr } = await execute(['explain', id, '--url', 'http://127.0.0.1:1'], { cwd })
    expect([code, stderr]).toEqual([
      7,
      expect.stringMatching(
        new RegExp(
          `^error: no sandbox answers at .*\\na trace has ${id} and explains it: open partner-rewards-traces/pays-trace.html\\n$`,
        ),
      ),
    ])
  })

  it.each([
    ['partner-rewards-traces/matrix/create_status=200', {}],
    ['mine', { SANDBOX_TRACE_DIR: 'mine' }],
  ])('its workspace is gone -> names the trace in %s', async (folder, env) => {
    const { cwd, id } = await failedTest(folder)
    await using sandbox = await createSandbox()
    const { url } = await sandbox.listen()
    const { code, stderr } = await execute(['explain', id, '--url', url], { cwd, env })
    expect([code, stderr]).toEqual([
      8,
      expect.stringMatching(
        new RegExp(
          `^error: no workspace is called '.*\\na trace has ${id} and explains it: open ${folder}/pays-trace.html\\n$`,
        ),
      ),
    ])
  })

  it('no trace has it -> says where it looked', async () => {
    const { cwd } = await failedTest()
    const { code, stderr } = await execute(['explain', 'req_2-default_1', '--url', 'http://127.0.0.1:1'], {
      cwd,
    })
    expect([code, stderr]).toEqual([
      7,
      expect.stringMatching(
        /\nif a test caused it, .*: no trace in partner-rewards-traces has req_2-default_1\n$/,
      ),
    ])
  })

  it('the sandbox has it -> explains it', async () => {
    await using sandbox = await createSandbox()
    const { url } = await sandbox.listen()
    await sandbox.fetch('/v2/rewards/none')
    const { code, stdout } = await execute(['explain', 'req_default_1', '--url', url], {
      cwd: await folderWith(),
    })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^req_default_1: No credential was sent/)])
  })
})
