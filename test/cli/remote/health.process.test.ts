import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../helpers/sandbox.ts'
import { answering } from '../../helpers/answering.ts'
import { cli } from '../../helpers/fake-io.ts'

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
const next = 'start one with `partner-rewards-sandbox start`, or name another with --url'

describe('health', () => {
  it('of a sandbox that runs -> exit 0 and what it says', async () => {
    const { url } = await (await startSandbox()).listen()
    for (const [argv, env] of [
      [['--url', url], {}],
      [['--url', `${url}/`], {}],
      [[], { SANDBOX_URL: url }],
      [['--url', url], { SANDBOX_URL: 'http://127.0.0.1:9' }],
    ] as [string[], Record<string, string>][]) {
      const { code, stdout, stderr } = await cli(['health', ...argv], { env })
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toEqual({ status: 'ok', version, uptime_seconds: expect.any(Number) })
      expect(stdout.endsWith('}\n')).toBe(true)
    }
  })

  it('of one that is degraded -> exit 8 and what it says', async () => {
    const url = await answering(() => ({ status: 503, body: '{"status":"degraded"}', isSandbox: true }))
    expect(await cli(['health', '--url', url])).toEqual({
      code: 8,
      stdout: '{"status":"degraded"}\n',
      stderr: '',
    })
  })

  it('of one whose store is away -> exit 8, why, and what is per replica', async () => {
    const body = '{"status":"degraded","store":{"status":"away","reason":"It is.","per_replica":["metrics"]}}'
    const url = await answering(() => ({ status: 503, body, isSandbox: true }))
    expect(await cli(['health', '--url', url])).toEqual({ code: 8, stdout: `${body}\n`, stderr: '' })
  })

  it('of a port where nothing listens -> exit 7 and what to do', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    await sandbox.close()
    expect(await cli(['health', '--url', url])).toEqual({
      code: 7,
      stdout: '',
      stderr: `error: no sandbox answers at ${url} (ECONNREFUSED): ${next}\n`,
    })
  })

  it.each([
    ['a page', 200, '<h1>It works</h1>'],
    ['JSON of another kind', 200, '{"ok":true}'],
    ['an error', 404, 'not found'],
    ['a redirect', 302, ''],
  ])(
    'of another server, which answers %s -> exit 7, and it is not taken for one',
    async (_what, status, body) => {
      const url = await answering(() => ({ status, body }))
      expect(await cli(['health', '--url', url])).toEqual({
        code: 7,
        stdout: '',
        stderr: `error: no sandbox answers at ${url} (the server is not a sandbox: status ${status} for GET /_sandbox/health): ${next}\n`,
      })
    },
  )

  it.each([
    ['ok', 200, '{"status":"ok","version":"0.1.0","uptime_seconds":3}'],
    ['degraded', 503, '{"status":"degraded"}'],
  ])(
    'an answer like that of a sandbox, without its mark: %s -> exit 7, and a proxy may be why',
    async (_what, status, body) => {
      const url = await answering(() => ({ status, body }))
      expect(await cli(['health', '--url', url])).toEqual({
        code: 7,
        stdout: '',
        stderr: `error: no sandbox answers at ${url} (the server is not a sandbox, or a proxy removed the header x-sandbox: status ${status} for GET /_sandbox/health): ${next}\n`,
      })
    },
  )
})
