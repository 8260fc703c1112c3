import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHandles } from '../../helpers/open-handles.ts'
import { cli, folderWith, serve, withKey } from '../../helpers/fake-io.ts'
import { eventsOf } from '../../helpers/log.ts'

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }

describe('the first line', () => {
  it.each([
    ['start', ['start']],
    ['no verb', []],
    ['no verb, but options', ['--host', '127.0.0.1']],
  ])('%s -> Sandbox listening on URL, alone on stdout, once it serves', async (_what, argv) => {
    const { code, stdout } = await serve(argv, {}, async ({ url, firstLine }) => {
      expect(firstLine).toBe(`Sandbox listening on ${url}\n`)
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect((await fetch(`${url}/v2/customers`, withKey())).status).toBe(200)
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Sandbox listening on http:\/\/127\.0\.0\.1:\d+\n$/)
  })

  it('--log-format json -> one event with url, port and pid', async () => {
    const { stdout } = await serve(['--log-format', 'json'], {}, async ({ url }) => {
      expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    })
    const { port, url, ...rest } = JSON.parse(stdout) as { url: string; port: number }
    expect(stdout).toBe(`${JSON.stringify({ event: 'listening', url, port, pid: 4242 })}\n`)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(rest).toEqual({ event: 'listening', pid: 4242 })
  })

  it('is never coloured, and the rest is where the terminal shows colours', async () => {
    const { stdout, stderr } = await serve([], { colour: true }, async ({ fetch: call }) => {
      await call('/v2/customers')
    })
    expect(stdout).toMatch(/^[\x20-\x7e]+\n$/)
    expect(stderr).toContain('\u001b[')
    const plain = await serve([], {}, async ({ fetch: call }) => call('/v2/customers'))
    expect(plain.stderr).not.toContain('\u001b[')
  })

  it('has the host that was asked for', async () => {
    const { stdout } = await serve(['--host', '0.0.0.0', '--admin', 'open'], {})
    expect(stdout).toMatch(/^Sandbox listening on http:\/\/0\.0\.0\.0:\d+\n$/)
  })
})

describe('what goes to stderr', () => {
  it('a ready key, the seed and the rows, then a line per request, with the reason on a 4xx', async () => {
    let address = ''
    const { stderr } = await serve(['--seed', '7'], {}, async ({ url, fetch: call }) => {
      address = url
      await call('/v2/rewards/rwd_ada_pending?token=secret', withKey())
      await call('/v2/rewards/unknown', withKey())
      await call('/v2/customers?limit=0', withKey())
      await call('/v2/customers')
      await call('/_sandbox/health')
    })
    expect(stderr.split('\n')).toEqual([
      `API key: sk_sandbox_full   seed: 7   version: ${version}`,
      `Inspector: ${address}/_sandbox/ui`,
      // As the key of the first line sees them: GET /v2/customers answers a total of 26.
      '2 products, 10 api keys, 28 customers (26 of mk_summit), 3 accounts (2 of mk_summit), 8 payment methods (7 of mk_summit), ' +
        '13 rewards (11 of mk_summit), 3 transaction intents (2 of mk_summit), 30 statements (27 of mk_summit), ' +
        '3 orders (2 of mk_summit), 5 order events (4 of mk_summit), from built-in rows',
      '200 GET /v2/rewards/rwd_ada_pending?token=*** (default req_default_1)',
      '404 GET /v2/rewards/unknown (default req_default_2) No reward has this reward_id.',
      expect.stringMatching(/^400 GET \/v2\/customers\?limit=0 \(default req_default_3\) limit: must be /),
      expect.stringMatching(/^401 GET \/v2\/customers \(default req_default_4\) No API key was sent\./),
      'Stopped by a signal.',
      '',
    ])
  })

  const keepsNothing = 'Without --data FOLDER/ and --store, all workspaces of partners are lost when'
  const isShort = 'The token of --admin-token opens everything and has fewer than 16 characters'
  const revives = 'With --isolation-secret and without --data FOLDER or --store, a restart makes revoked keys'
  it.each([
    ['nothing kept', [], [keepsNothing]],
    ['a secret', ['--isolation-secret', 'sixteen-or-more.'], [keepsNothing, revives]],
    ['a short token', ['--admin-token', 'fifteen-of-them'], [keepsNothing, isShort]],
  ])('partners apart, %s -> says how keys are made, and warns', async (_, more, warnings) => {
    const argv = ['--isolation', 'partner', '--admin-token', 'sixteen-or-more.', ...more]
    const { stderr } = await serve(argv, {})
    expect(stderr).toMatch(/^API key: create one by workspaces create NAME {3}seed: 1 /m)
    expect(stderr).not.toContain('sk_sandbox_full')
    const warned = [...stderr.matchAll(/^warning: (.*)$/gm)].map(([, text = '']) => text)
    expect(warned).toEqual(warnings.map((text) => expect.stringContaining(text)))
  })

  it('--log-format json -> one event a line', async () => {
    const { stderr } = await serve(['--log-format', 'json'], {}, async ({ fetch: call }) => {
      await call('/v2/rewards/rwd_ada_pending?a=1&cvv=123', withKey())
      await call('/v2/rewards/unknown', withKey())
      await call('/_sandbox/clock')
      await call('/_sandbox/reset?workspace=w1', { method: 'POST' })
    })
    const ofCall = {
      workspace: 'default',
      key_id: 'key_full',
      method: 'GET',
      query: '',
      operation: 'retrieveReward',
      duration_ms: expect.any(Number),
    }
    expect(eventsOf(stderr)).toEqual([
      {
        level: 'info',
        event: 'ready',
        api_key: 'sk_sandbox_full',
        seed: 1,
        version,
        rows: {
          products: 2,
          api_keys: 10,
          customers: 28,
          accounts: 3,
          payment_methods: 8,
          rewards: 13,
          transaction_intents: 3,
          statements: 30,
          orders: 3,
          order_events: 5,
        },
        rows_from: ['built-in rows'],
        inspector: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/_sandbox\/ui$/),
      },
      {
        level: 'info',
        event: 'request',
        ...ofCall,
        id: 'req_default_1',
        path: '/v2/rewards/rwd_ada_pending',
        query: 'a=1&cvv=***',
        status: 200,
        outcome: 'success',
      },
      {
        level: 'warn',
        event: 'request',
        ...ofCall,
        id: 'req_default_2',
        path: '/v2/rewards/unknown',
        status: 404,
        outcome: 'not_found',
        reason: 'No reward has this reward_id.',
      },
      {
        level: 'info',
        event: 'control',
        ...ofCall,
        id: null,
        workspace: 'w1',
        key_id: null,
        method: 'POST',
        path: '/_sandbox/reset',
        query: 'workspace=w1',
        operation: null,
        status: 200,
        outcome: 'success',
      },
      {
        level: 'info',
        event: 'stop',
        ...Object.fromEntries(Object.keys(ofCall).map((field) => [field, null])),
        id: null,
        path: null,
        status: null,
        outcome: null,
        reason: 'by a signal',
      },
    ])
  })

  it.each([
    ['without a token', 'isolation: partner\n', [], "'partner' needs a token to create workspaces"],
    [
      'closed',
      'isolation: partner\n',
      ['--admin', 'off', '--admin-token', 'token'],
      "'off' closes the control",
    ],
    ['closed, without a token', 'isolation: partner\n', ['--admin', 'off'], "'off' closes the control"],
  ])(
    'partners apart, and a control plane %s -> exit 2, also by a config file',
    async (_, yaml, argv, why) => {
      const cwd = await folderWith({ 'sandbox.config.yaml': yaml })
      const { code, stdout, stderr } = await cli(['start', '--port', '0', ...argv], { cwd })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(why)
    },
  )

  it.each([
    ['--isolation-secret', 'sixteen-or-more.', 'needs --isolation partner: '],
    ['--store-prefix', 'p', 'needs a store: set --store '],
  ])('%s without the option that it belongs to -> exit 2, which names both', async (flag, value, why) => {
    const { code, stdout, stderr } = await cli(['start', '--port', '0', flag, value])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`error: ${flag}: ${why}`)
  })

  it.each([
    [
      'data',
      [
        'warning: A file of --data stores no workspace of a partner: all are lost when this process ends. ' +
          'data is a file: stop, move it away, and name a folder, with a slash at its end: --data data/',
      ],
    ],
    ['data/', []],
  ])('partners apart with --data %s -> %j', async (data, expected) => {
    const cwd = await folderWith({})
    const argv = ['--isolation', 'partner', '--admin-token', 'sixteen-or-more.', '--data', data]
    const { stderr } = await serve(argv, { cwd })
    expect(stderr.split('\n').filter((line) => line.startsWith('warning'))).toEqual(expected)
  })

  it.each(['pretty', 'json'])('--quiet with %s lines -> nothing but the first line', async (format) => {
    const { code, stdout, stderr } = await serve(
      ['--quiet', '--log-format', format],
      {},
      async ({ fetch: call }) => {
        await call('/v2/rewards/unknown', withKey())
      },
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('options', () => {
  const rewards = (amount: number): object => ({
    customers: [{ id: 'cus_1' }],
    rewards: [
      {
        id: 'rwd_1',
        customer_id: 'cus_1',
        amount,
        type: 'OFFER',
        status: 'PENDING',
        created_at: '2026-01-01T00:00:00Z',
      },
    ],
  })

  it('--fixtures, several, a folder among them: the later wins', async () => {
    const cwd = await folderWith({
      'a.json': rewards(1),
      'b/c.yaml': 'rewards:\n  - { id: rwd_1, amount: 2 }\n',
    })
    const { code } = await serve(
      ['--fixtures', 'a.json', '--fixtures', 'b'],
      { cwd },
      async ({ fetch: call }) => {
        const answer = await call('/v2/rewards/rwd_1', withKey())
        expect(await answer.json()).toMatchObject({ amount: 2 })
      },
    )
    expect(code).toBe(0)
  })

  it('--clock, --frozen, --environment, --assume', async () => {
    const argv = ['--clock', '2026-05-05T00:00:00Z', '--frozen', '--environment', 'production']
    await serve(
      [...argv, '--assume', 'not_found_status=400', '--assume', 'create_status=200'],
      {},
      async ({ fetch: call }) => {
        const missing = await call('/v2/rewards/unknown', withKey('sk_production_full'))
        expect([missing.status, missing.headers.get('date')]).toEqual([400, 'Tue, 05 May 2026 00:00:00 GMT'])
        expect(missing.headers.get('x-service-version')).toBe('2025-05-05')
        expect((await call('/v2/customers', withKey())).status).toBe(401)
      },
    )
  })

  it.each<[string, string[], Record<string, string>]>([
    ['--calibrated', ['--calibrated', 'found/c.yaml'], {}],
    ['SANDBOX_CALIBRATED', [], { SANDBOX_CALIBRATED: 'found/c.yaml' }],
    ['the config file, relative to it', ['--config', 'found/config.yaml'], {}],
  ])('what was calibrated, by %s; one of another version is told on stderr', async (_, argv, env) => {
    const head = '{target: sandbox.example.com, at: 2026-11-22T10:00:00Z, version: 0.0.1, package: x}'
    const cwd = await folderWith({
      'found/c.yaml': `calibrated: ${head}\nassume:\n  not_found_status: 410\n`,
      'found/config.yaml': 'calibrated: c.yaml\n',
    })
    const { stderr } = await serve(argv, { cwd, env }, async ({ fetch: call }) => {
      expect((await call('/v2/rewards/unknown', withKey())).status).toBe(410)
      expect(await (await call('/_sandbox/assumptions/not_found_status')).json()).toMatchObject({
        value: 410,
        provenance: 'calibrated',
        calibrated: { host: 'sandbox.example.com', at: '2026-11-22T10:00:00Z' },
      })
    })
    expect(stderr).toMatch(
      /^warning: .*found\/c\.yaml:1:78 calibrated\.version: was calibrated with version 0\.0\.1 of this package/,
    )
  })

  it('a calibrated file that holds nothing -> exit 3, and why', async () => {
    const cwd = await folderWith({ 'c.json': { calibrated: {}, assume: {} } })
    const { code, stderr } = await cli(['start', '--calibrated', 'c.json'], { cwd })
    expect([code, stderr]).toEqual([3, expect.stringContaining('c.json:1:15 calibrated.target: is required')])
  })

  it('--admin-token guards the control plane; --cors-origin and --base-url reach the API', async () => {
    const argv = [
      '--admin-token',
      't',
      '--cors-origin',
      'https://app.example',
      '--base-url',
      'https://gw.example/api',
    ]
    await serve(argv, {}, async ({ fetch: call }) => {
      expect((await call('/_sandbox')).status).toBe(401)
      expect((await call('/_sandbox', withKey('t'))).status).toBe(200)
      const { headers } = withKey()
      const answer = await call('/api/v2/customers', {
        headers: { ...headers, origin: 'https://app.example' },
      })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        200,
        'https://app.example',
      ])
    })
  })

  it('--max-workspaces', async () => {
    await serve(['--max-workspaces', '0'], {}, async ({ fetch: call }) => {
      expect((await call('/v2/customers', withKey('sk_sandbox_full.w1'))).status).toBe(503)
    })
  })

  it('off loopback without a decision -> serves, and the control plane is closed', async () => {
    const { code } = await serve(['--host', '0.0.0.0'], {}, async ({ url }) => {
      const local = url.replace('0.0.0.0', '127.0.0.1')
      expect((await fetch(`${local}/v2/customers`, withKey())).status).toBe(200)
      expect((await fetch(`${local}/_sandbox`)).status).toBe(403)
    })
    expect(code).toBe(0)
  })
})

describe('--url-file', () => {
  it('holds the URL before the first line is printed, relative to the working directory', async () => {
    const cwd = await folderWith()
    await serve(['--url-file', 'url.txt'], { cwd }, async ({ url }) => {
      expect(await readFile(join(cwd, 'url.txt'), 'utf8')).toBe(`${url}\n`)
    })
  })

  it('that cannot be written -> exit 2, no first line, nothing listens', async () => {
    const cwd = await folderWith()
    const before = await openHandles('TCPServerWrap')
    const { code, stdout, stderr } = await cli(['--port', '0', '--url-file', 'none/url.txt'], { cwd })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(`error: --url-file: cannot write '${join(cwd, 'none/url.txt')}' (ENOENT)\n`)
    expect(await openHandles('TCPServerWrap')).toBe(before)
  })
})

describe('what cannot start', () => {
  it('a busy port -> exit 4, naming the port and --port 0', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const { port } = busy.address() as { port: number }
    const { code, stdout, stderr } = await cli(['--port', String(port)])
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toBe(
      `error: cannot listen on 127.0.0.1:${port}: it is in use. Choose another with --port, or --port 0 for any free one.\n`,
    )
    busy.close()
    await once(busy, 'close')
  })

  it('an address of another machine -> exit 4', async () => {
    const { code, stderr } = await cli(['--port', '0', '--host', '203.0.113.1'])
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /^error: cannot listen on 203\.0\.113\.1:0: the address does not belong to this machine\. Choose another with --host, /,
    )
  })

  it('bad fixtures -> exit 3 with every problem at file:line:column, no first line', async () => {
    const cwd = await folderWith({
      'bad.yaml':
        'customers:\n  - id: cus_1\n    emial: a@b.example\nrewards:\n  - id: rwd_1\n    customer_id: cus_2\n    status: GONE\n',
    })
    const { code, stdout, stderr } = await cli(['--port', '0', '--fixtures', 'bad.yaml'], { cwd })
    expect([code, stdout]).toEqual([3, ''])
    // Files are shown as their user names them from the working directory of the process, which this one is not in.
    const file = join(cwd, 'bad.yaml')
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining(`${file}:3:5 customers[0].emial: unknown field`),
      '    emial: a@b.example',
      '    ^',
      `${file}:6:18 rewards[0].customer_id: no customer has the id 'cus_2'`,
      '    customer_id: cus_2',
      '                 ^',
      `${file}:7:13 rewards[0].status: must be one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED`,
      '    status: GONE',
      '            ^',
      '',
    ])
  })

  it('a fixture file that is not there -> exit 3', async () => {
    const cwd = await folderWith()
    const { code, stderr } = await cli(['--fixtures', 'none.json'], { cwd })
    expect([code, stderr]).toEqual([3, `${join(cwd, 'none.json')}: there is no such file\n`])
  })
})

describe('the end', () => {
  it('exit 0, the port is free again, and the URL file is gone', async () => {
    const cwd = await folderWith()
    let served = ''
    const { code } = await serve(['--url-file', 'url.txt'], { cwd }, async ({ url }) => {
      served = url
    })
    expect(code).toBe(0)
    await expect(fetch(served)).rejects.toThrow('fetch failed')
    await expect(stat(join(cwd, 'url.txt'))).rejects.toThrow('ENOENT')
  })
})
