import { createServer } from 'node:http'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { explanationText, type Explanation, type SandboxOptions } from '../../../src/index.ts'
import { fullKey, startSandbox } from '../../helpers/sandbox.ts'
import { cli } from '../../helpers/fake-io.ts'

/** A sandbox on a port that refused a call in `default` and answered one in `w1`. */
async function serving(
  options: SandboxOptions = {},
): Promise<{ url: string; text: (id: string) => string; json: (id: string) => Explanation }> {
  const sandbox = await startSandbox(options)
  await sandbox.call('GET', '/v2/rewards/rwd_hana_pending')
  await sandbox.call('GET', '/v2/customers', { key: `${fullKey}.w1` })
  const { url } = await sandbox.listen()
  const json = (id: string): Explanation => {
    const found = sandbox.workspace(id.includes('w1') ? 'w1' : 'default').requests.explain(id)
    if (!found) throw new Error(id)
    return found
  }
  return { url, json, text: (id) => `${explanationText(json(id))}\n` }
}

describe('explain', () => {
  it('REQUEST_ID -> what the library says, as text', async () => {
    const { url, text } = await serving()
    expect(await cli(['explain', 'req_default_1', '--url', url])).toEqual({
      code: 0,
      stdout: text('req_default_1'),
      stderr: '',
    })
    expect(text('req_default_1')).toMatch(
      /^req_default_1: The reward 'rwd_hana_pending' exists, but it is in product 'mk_harbor', and the call is for 'mk_summit'\.\n\ncall\n {2}request: GET /,
    )
  })

  it('--format json -> the entry of the journal with its explanation', async () => {
    const { url, json } = await serving()
    const { code, stdout } = await cli(['explain', 'req_default_1', '--url', url, '--format', 'json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { id: 'req_default_1', status: 404, explanation: json('req_default_1') },
    ])
  })

  it('the workspace is the one that the id names, unless --workspace names it', async () => {
    const { url, text } = await serving()
    expect((await cli(['explain', 'req_w1_1', '--url', url])).stdout).toBe(text('req_w1_1'))
    expect(
      (await cli(['explain', 'req_w1_1', '--workspace', 'w1'], { env: { SANDBOX_URL: url } })).stdout,
    ).toBe(text('req_w1_1'))
    const other = await cli(['explain', 'req_w1_1', '--workspace', 'default', '--url', url])
    expect([other.code, other.stderr]).toEqual([
      8,
      "error: No request of workspace default has the id 'req_w1_1': it is one of workspace 'w1': name that one by --workspace, or by ?workspace=w1.\n",
    ])
  })

  it('a workspace whose name has underscores and digits', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/customers', { key: `${fullKey}.a_1_2` })
    const { url } = await sandbox.listen()
    expect((await cli(['explain', 'req_a_1_2_1', '--url', url])).stdout).toMatch(
      /^req_a_1_2_1: searchCustomers answered 200\./,
    )
  })

  it.each<[string, SandboxOptions, string, string]>([
    [
      'the journal is off',
      { journalSize: 0 },
      'req_default_1',
      "No request of workspace default has the id 'req_default_1': its journal is empty, as after a reset, `requests clear` or with --journal-size 0.",
    ],
    [
      'it was dropped',
      { journalSize: 1 },
      'req_default_0',
      "No request of workspace default has the id 'req_default_0': a reset or `requests clear` begins a new journal; `requests` (GET /_sandbox/requests) lists what it holds.",
    ],
  ])('%s -> exit 8 and what to do', async (_, options, id, message) => {
    const { url } = await serving(options)
    expect(await cli(['explain', id, '--url', url])).toEqual({
      code: 8,
      stdout: '',
      stderr: `error: ${message}\n`,
    })
  })

  it('a sandbox that asks for a token -> --admin-token or SANDBOX_ADMIN_TOKEN', async () => {
    const { url, text } = await serving({ admin: 'token', adminToken: 't0ken' })
    const argv = ['explain', 'req_default_1', '--url', url]
    expect((await cli([...argv, '--admin-token', 't0ken'])).stdout).toBe(text('req_default_1'))
    expect((await cli(argv, { env: { SANDBOX_ADMIN_TOKEN: 't0ken' } })).stdout).toBe(text('req_default_1'))
    expect(await cli(argv)).toEqual({
      code: 7,
      stdout: '',
      stderr:
        'error: the sandbox requires a token: set --admin-token, SANDBOX_ADMIN_TOKEN or SANDBOX_ADMIN_TOKEN_FILE\n',
    })
  })

  it('no sandbox there -> exit 7', async () => {
    expect(await cli(['explain', 'req_default_1', '--url', 'http://127.0.0.1:1'])).toEqual({
      code: 7,
      stdout: '',
      stderr:
        'error: no sandbox answers at http://127.0.0.1:1 (it cannot be reached): start one with `partner-rewards-sandbox start`, or name another with --url\n',
    })
  })

  it.each([
    ['no JSON', 200, 'hello'],
    ['no JSON and a failure', 500, '<html>'],
    ['other JSON', 200, '{"id":"x"}'],
  ])('something else answers with %s -> exit 7', async (_, status, body) => {
    const server = createServer((_request, answer) => answer.writeHead(status).end(body)).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const url = `http://127.0.0.1:${port}`
    const ran = await cli(['explain', 'req_default_1', '--url', url])
    server.closeAllConnections()
    server.close()
    const why = `the server is not a sandbox: status ${status} for GET /_sandbox/requests/req_default_1`
    const next = 'start one with `partner-rewards-sandbox start`, or name another with --url'
    const stderr = `error: no sandbox answers at ${url} (${why}): ${next}\n`
    expect(ran).toEqual({ code: 7, stdout: '', stderr })
  })

  it.each([
    [['explain'], "error: missing required argument 'request-id'\n"],
    [
      ['explain', 'nonsense'],
      "error: 'nonsense' is not a request id: expected the x-sandbox-request-id of an answer, such as req_default_1, or an event such as evt_1\n",
    ],
    [
      ['explain', 'req_default_1', '--url', 'nonsense'],
      "error: --url: 'nonsense' is not a URL such as http://127.0.0.1:4010\n",
    ],
    [
      ['explain', 'req_default_1', '--format', 'xml'],
      "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are text, json.\n",
    ],
  ])('%j -> exit 2', async (argv, message) => {
    expect(await cli(argv)).toEqual({ code: 2, stdout: '', stderr: message })
  })
})
