import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { perform } from '../../../src/cli/remote/remote-call.ts'
import { stop } from '../../../src/cli/remote/stop.ts'
import { answering } from '../../helpers/answering.ts'
import { cli, folderWith, quietIo, serve } from '../../helpers/fake-io.ts'
import { refused } from '../../helpers/asking.ts'
import { partnerOptions } from '../../helpers/partners.ts'
import { startSandbox } from '../../helpers/sandbox.ts'

describe('stop', () => {
  it.each([
    ['text', (url: string) => ({ stdout: '', stderr: `Sandbox at ${url} has stopped\n` })],
    ['json', () => ({ stdout: '{"status":"stopping"}\n', stderr: '' })],
  ])('a sandbox that was started -> it ends with exit 0, as by SIGTERM: %s', async (format, said) => {
    let outcome: object = {}
    let where = ''
    const { code } = await serve([], { cwd: await folderWith() }, async ({ url }) => {
      where = url
      outcome = await cli(['stop', '--url', url, '--format', format])
      // The next one has its port.
      const next = createServer().listen(Number(new URL(url).port), '127.0.0.1')
      await once(next, 'listening')
      next.close()
    })
    expect([code, outcome]).toEqual([0, { code: 0, ...said(where) }])
  })

  it('a sandbox in process -> its servers close; in process it answers on', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    expect((await cli(['stop', '--url', url])).code).toBe(0)
    expect((await sandbox.fetch('/_sandbox/health')).status).toBe(200)
  })

  it('guarded as the rest: without the token -> exit 7, and it goes on', async () => {
    const { url } = await (await startSandbox({ adminToken: 't' })).listen()
    expect(await cli(['stop', '--url', url])).toEqual(
      refused(
        7,
        'error: the sandbox requires a token: set --admin-token, SANDBOX_ADMIN_TOKEN or SANDBOX_ADMIN_TOKEN_FILE\nOr kill its process: kill PID, which `start --detach` printed\n',
      ),
    )
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
  })

  it('by the token of a partner -> exit 7, and no word of the process, which is not theirs', async () => {
    const sandbox = await startSandbox(partnerOptions)
    const { url } = await sandbox.listen()
    const { credentials } = await sandbox.workspaces.create({ name: 'acme' })
    const { code, stderr } = await cli([
      'stop',
      '--url',
      url,
      '--admin-token',
      credentials?.admin_token ?? '',
    ])
    expect([code, stderr]).toEqual([7, expect.stringMatching(/^error: [^\n]+\n$/)])
    expect(stderr).not.toContain('process')
  })

  it('one that still answers after a while -> said', async () => {
    const url = await answering((_method, path) =>
      path.startsWith('/_sandbox/stop')
        ? { status: 202, body: '{"status":"stopping"}' }
        : { status: 200, body: '{"status":"ok"}' },
    )
    let stderr = ''
    let now = 0
    const wait = async (milliseconds: number): Promise<boolean> => {
      now += milliseconds
      return true
    }
    const call = { args: [], flags: { url }, io: quietIo({ stderr: (text) => void (stderr += text) }) }
    await perform(call, 'POST /_sandbox/stop', stop(call, { wait, now: () => now }), { isAboutAll: true })
    expect(stderr).toBe(`Sandbox at ${url} still answers after the request to stop\n`)
    expect(now).toBeGreaterThanOrEqual(3_000)
  })
})
