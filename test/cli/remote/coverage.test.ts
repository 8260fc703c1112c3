import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../helpers/sandbox.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

/** A sandbox on a port that has answered one call in the default workspace and one in w1. */
async function served(): Promise<{ url: string; sandbox: Awaited<ReturnType<typeof startSandbox>> }> {
  const sandbox = await startSandbox()
  const { url } = await sandbox.listen()
  await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
  await sandbox.call('GET', '/v2/rewards/nobody', { key: 'sk_sandbox_full.w1' })
  return { url, sandbox }
}

describe('coverage', () => {
  it('prints the text report of a running sandbox', async () => {
    const { url, sandbox } = await served()
    const report = await sandbox.coverage.report('text', { url })
    expect(await cli(['coverage', '--url', url])).toEqual({ code: 0, stdout: report, stderr: '' })
    expect(await cli(['coverage'], { env: { SANDBOX_URL: `${url}/` } })).toEqual({
      code: 0,
      stdout: report,
      stderr: '',
    })
  })

  it('--workspace narrows it, --format says how it is written', async () => {
    const { url, sandbox } = await served()
    const { code, stdout } = await cli(['coverage', '--url', url, '--workspace', 'w1', '--format', 'json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, await sandbox.coverage.get({ workspace: 'w1', url })])
  })

  it('-o writes it into a file', async () => {
    const { url, sandbox } = await served()
    const cwd = await folderWith()
    const argv = ['coverage', '--url', url, '--format', 'html', '-o', 'report.html']
    expect(await cli(argv, { cwd })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await readFile(join(cwd, 'report.html'), 'utf8')).toBe(
      await sandbox.coverage.report('html', { url }),
    )
  })

  it('a file that cannot be written -> exit 2, naming it', async () => {
    const { url } = await served()
    const { code, stderr } = await cli(['coverage', '--url', url, '-o', 'no/such/folder/x.txt'], {
      cwd: await folderWith(),
    })
    expect([code, stderr]).toEqual([2, "error: --output: cannot write 'no/such/folder/x.txt' (ENOENT)\n"])
  })

  it('an unknown format -> exit 2, listing what there is', async () => {
    const { code, stderr } = await cli(['coverage', '--format', 'pdf'])
    expect(code).toBe(2)
    expect(stderr).toContain('Allowed choices are json, text, markdown, html, junit.')
  })

  it('what can be no workspace -> exit 2, before anything is asked', async () => {
    const { url } = await served()
    const { code, stdout, stderr } = await cli(['coverage', '--url', url, '--workspace', 'a b'])
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `error: workspace 'a b': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -\n`,
    ])
  })

  it('nobody there -> exit 7 with the next step', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    await server.close()
    const { code, stderr } = await cli(['coverage', '--url', server.url])
    expect([code, stderr]).toEqual([
      7,
      `error: no sandbox answers at ${server.url} (ECONNREFUSED): start one with \`partner-rewards-sandbox start\`, or name another with --url\n`,
    ])
  })

  it('what is no URL -> exit 2', async () => {
    const { code, stderr } = await cli(['coverage', '--url', 'nowhere'])
    expect([code, stderr]).toEqual([
      2,
      "error: --url: 'nowhere' is not a URL such as http://127.0.0.1:4010\n",
    ])
  })
})
