import { once } from 'node:events'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, withKey } from '../helpers/fake-io.ts'
import { freePort } from '../helpers/free-port.ts'
import { bin, launch, started } from '../helpers/processes.ts'

/** Only what needs a process of its own is here, as each one takes as long as a hundred tests of the other files. */
const library = resolve('dist/index.mjs')
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }

/** A call that stays in flight: its headers have arrived when this is done, its body has not. */
async function hangingCall(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    [
      'POST /v2/transaction_intents HTTP/1.1',
      'Host: 127.0.0.1',
      'Authorization: Bearer sk_sandbox_full',
      'Content-Type: application/json',
      'Content-Length: 55',
      'Expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  )
  await once(socket, 'data')
  return socket
}

/** A module that a process loads first. */
const moduleOf = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`

/**
 * For a process whose waits of 0.3 s or more never come to their end while a test runs. It shows who waits for one; and
 * there is time on a busy machine for what is to be done before the 1.5 s are over that calls in flight are given, and
 * before the 0.3 s are over after which a last snapshot is given up.
 */
const lengthened =
  'const real = setTimeout; globalThis.setTimeout = (run, ms, ...rest) => real(run, ms < 300 ? ms : ms * 1e3, ...rest)'
const longWaits = ['--import', moduleOf(lengthened)]

/** For a process whose waits are over ten times as soon, where nothing else is to come before their end. */
const shortWaits = [
  '--import',
  moduleOf(
    'const real = setTimeout; globalThis.setTimeout = (run, ms, ...rest) => real(run, ms / 10, ...rest)',
  ),
]

/** For a process that renews its locks forty times as often. */
const frequentRenewals = [
  '--import',
  moduleOf('const real = setInterval; globalThis.setInterval = (run, ms) => real(run, ms / 40)'),
]

/**
 * For a process that waits for a lock: each of its looks comes after the next renewal, and counts as 1 s. So its 15 s pass
 * after 15 renewals, and the holder never looks as if it stood still.
 */
const waitsByRenewals = [
  '--import',
  moduleOf(`
  import { readFileSync } from 'node:fs'
  let [seconds, before] = [0, '']
  const { now } = performance
  performance.now = () => now.call(performance) + seconds * 1e3
  const real = setTimeout
  globalThis.setTimeout = (run, ms, ...rest) => real(function look() {
    if (ms !== 250) return run(...rest)
    const text = readFileSync('data.json.lock', 'utf8')
    if (text === before) return real(look, 5)
    before = text
    seconds += 1
    run(...rest)
  }, ms === 250 ? 5 : ms)
`),
]

/** Waits until a port refuses connections. */
async function refuses(port: number): Promise<void> {
  for (let refused = false; !refused;) {
    const socket = connect(port, '127.0.0.1')
    refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
  }
}

describe('a process', () => {
  it('prints the first line, and nothing else, on stdout', async () => {
    const child = await started()
    expect((await fetch(`${child.url}/v2/customers`, withKey())).status).toBe(200)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    expect(child.out()).toBe(`Sandbox listening on ${child.url}\n`)
    expect(child.err()).toMatch(
      /^API key: sk_sandbox_full {3}seed: 1 {3}version: .*\nInspector: .*\n.* customers \(26 of mk_summit\), .*\n200 GET \/v2\/customers \(default req_default_1\) 10 of 26, more to come\nStopped by a signal\.\n$/,
    )
  })

  it('--log-format json -> its own pid, and nothing but events on both streams', async () => {
    const child = await started(['--log-format', 'json'])
    await fetch(`${child.url}/v2/customers`)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    expect(JSON.parse(child.out())).toEqual({
      event: 'listening',
      url: child.url,
      port: child.port,
      pid: child.process.pid,
    })
    const events = child
      .err()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event)
    expect(events).toEqual(['ready', 'request', 'stop'])
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s -> exit 0, with kept-alive connections before one that waits for a call that never ends',
    async (signal) => {
      const [idle, busy] = await Promise.all([
        started([], { nodeArgs: longWaits }),
        started([], { nodeArgs: shortWaits }),
      ])
      // fetch keeps its connection.
      await (await fetch(`${idle.url}/v2/customers`, withKey())).text()
      const socket = await hangingCall(busy.port)
      busy.process.kill(signal)
      idle.process.kill(signal)
      expect(await idle.ended).toBe(0)
      expect(await busy.ended).toBe(0)
      socket.destroy()
    },
  )

  // A connection that is closed by force ends without its last chunk.
  it('SIGTERM with a stream open -> the stream ends with what waits, then exit 0', async () => {
    const child = await started()
    const stream = await fetch(`${child.url}/_sandbox/stream`)
    await (await fetch(`${child.url}/v2/customers`, withKey())).text()
    child.process.kill('SIGTERM')
    expect(await stream.text()).toContain('"id":"req_default_1"')
    expect(await child.ended).toBe(0)
  })

  it('SIGTERM with calls in flight -> they are answered, and who asks meanwhile is told that it is not ready', async () => {
    const child = await started([], { nodeArgs: longWaits })
    const socket = await hangingCall(child.port)
    expect((await fetch(`${child.url}/_sandbox/ready`)).status).toBe(200)
    child.process.kill('SIGTERM')
    await refuses(child.port)
    let answers = ''
    socket.on('data', (bytes) => (answers += String(bytes)))
    const closed = once(socket, 'close')
    // In one packet: between two of them the connection is idle, and idle ones are closed.
    const ready = 'GET /_sandbox/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
    socket.write(`{"customer_id":"cus_ada","amount":100,"currency":"USD"}${ready}`)
    await closed
    expect(answers).toMatch(/^HTTP\/1\.1 200 .*\}HTTP\/1\.1 503 .*"status":"not_ready"/s)
    expect(await child.ended).toBe(0)
  })

  it('SIGTERM with a call in flight -> the call is answered, then exit 0', async () => {
    const child = await started([], { nodeArgs: longWaits })
    const socket = await hangingCall(child.port)
    child.process.kill('SIGTERM')
    const answer = once(socket, 'data')
    socket.write('{"customer_id":"cus_ada","amount":100,"currency":"USD"}')
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 200 /)
    expect(await child.ended).toBe(0)
    socket.destroy()
  })

  it('one signal that arrives twice, as it is passed on too -> the call in flight is answered, then exit 0', async () => {
    // Its clock stands still, so that the second one comes soon after the first however slow this machine is.
    const child = await started([], {
      nodeArgs: ['--import', 'data:text/javascript,performance.now = () => 0', ...longWaits],
    })
    const socket = await hangingCall(child.port)
    child.process.kill('SIGINT')
    // Two at the same time would arrive as one.
    await refuses(child.port)
    child.process.kill('SIGINT')
    const answer = once(socket, 'data')
    socket.write('{"customer_id":"cus_ada","amount":100,"currency":"USD"}')
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 200 /)
    expect(await child.ended).toBe(0)
    socket.destroy()
  })

  // Waiting for the call would end in 0.
  it('a second signal -> exit 130 at once', async () => {
    const child = await started()
    const socket = await hangingCall(child.port)
    child.process.kill('SIGTERM')
    child.process.kill('SIGINT')
    expect(await child.ended).toBe(130)
    socket.destroy()
  })

  it('a busy port -> exit 4', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const { port } = busy.address() as { port: number }
    const child = launch([bin, 'start', '-p', String(port)])
    expect(await child.ended).toBe(4)
    expect([child.out(), child.err()]).toEqual([
      '',
      `error: cannot listen on 127.0.0.1:${port}: it is in use. Choose another with --port, or --port 0 for any free one.\n`,
    ])
    busy.close()
  })

  it('bad fixtures -> exit 3 with file:line:column as the user names the file', async () => {
    const cwd = await folderWith({ 'fixtures/bad.yaml': 'customers:\n  - id: cus_1\n    emial: x\n' })
    const child = launch([bin, '--fixtures', 'fixtures/bad.yaml'], { cwd })
    expect(await child.ended).toBe(3)
    expect(child.out()).toBe('')
    expect(child.err()).toMatch(
      /^fixtures\/bad\.yaml:3:5 customers\[0\]\.emial: unknown field.*\n {4}emial: x\n {4}\^\n$/,
    )
  })

  it.each([[[]], [['validate']], [['requests']], [['exec', '--', 'true']], [['--help']]])(
    '%j in a working directory that was removed -> exit 2',
    async (words) => {
      const cwd = await folderWith()
      const [folder, command] = [cwd, [bin, ...words]].map((value) => JSON.stringify(value))
      // Node keeps the path of its own working directory, so only the process below finds that it is gone.
      const script = `require('node:fs').rmdirSync(${folder});
        process.exitCode = require('node:child_process').spawnSync(process.execPath, ${command}, { stdio: 'inherit' }).status`
      const child = launch(['-e', script], { cwd })
      expect([await child.ended, child.out(), child.err()]).toEqual([
        2,
        '',
        'error: cannot read the working directory (ENOENT): change to a folder that exists and that you may read\n',
      ])
    },
  )

  it('a bad config file -> exit 3; wrong usage -> exit 2', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'sed: 1\n' })
    const config = launch([bin], { cwd })
    const usage = launch([bin, '--prot', '1'])
    expect([await config.ended, await usage.ended]).toEqual([3, 2])
    expect(config.err()).toBe(
      "sandbox.config.yaml:1:1 sed: unknown option 'sed', did you mean 'seed'?\nsed: 1\n^\n",
    )
    expect(usage.err()).toBe("error: unknown option '--prot'\n(Did you mean --port?)\n")
  })

  it('--version and --help -> exit 0', async () => {
    const [versionRun, help] = [launch([bin, '--version']), launch([bin, '--help'])]
    expect([await versionRun.ended, await help.ended]).toEqual([0, 0])
    expect([versionRun.out(), versionRun.err(), help.err()]).toEqual([`${version}\n`, '', ''])
    expect(help.out()).toMatch(/^Usage: partner-rewards-sandbox /)
  })

  it('a long result arrives whole through a pipe', async () => {
    const child = launch([bin, 'openapi'])
    expect(await child.ended).toBe(0)
    expect(child.out().length).toBeGreaterThan(65_536)
    expect(JSON.parse(child.out())).toHaveProperty('paths')
    expect(child.err()).toBe('')
  })

  it('a reader that goes away, as head does -> exit 0 without a word', async () => {
    const child = launch([bin, 'openapi'])
    child.process.stdout?.destroy()
    expect(await child.ended).toBe(0)
    expect(child.err()).toBe('')
  })

  it('readers of both streams that go away -> it serves on, and ends with exit 0', async () => {
    const child = await started()
    child.process.stdout?.destroy()
    child.process.stderr?.destroy()
    for (let call = 0; call < 3; call++) {
      expect((await fetch(`${child.url}/v2/customers`, withKey())).status).toBe(200)
    }
    child.process.kill('SIGTERM')
    const [code] = (await once(child.process, 'exit')) as [number | null]
    expect(code).toBe(0)
  })

  it('health finds it by SANDBOX_URL', async () => {
    const child = await started()
    const health = launch([bin, 'health'], { env: { SANDBOX_URL: child.url } })
    expect(await health.ended).toBe(0)
    expect(JSON.parse(health.out())).toMatchObject({ status: 'ok', version })
  })

  it('wait finds it once it serves, and reset takes its rows back', async () => {
    const port = await freePort()
    const env = { SANDBOX_URL: `http://127.0.0.1:${port}` }
    const waiting = launch([bin, 'wait'], { env })
    const child = launch([bin, '--port', String(port)])
    expect([await waiting.ended, waiting.out(), waiting.err()]).toEqual([
      0,
      '',
      `Sandbox is ready at ${env.SANDBOX_URL}\n`,
    ])
    const path = `${env.SANDBOX_URL}/_sandbox/state/order_events/oe_new`
    const headers = { 'content-type': 'application/json' }
    await fetch(path, { method: 'PUT', headers, body: '{"customer_id":"cus_ada"}' })
    const reset = launch([bin, 'reset'], { env })
    expect([await reset.ended, reset.out()]).toEqual([0, ''])
    expect(reset.err()).toMatch(/^Reset workspace 'default': 105 rows, clock \S+Z\n$/)
    expect((await fetch(path)).status).toBe(404)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  })

  it('SIGINT while wait waits -> exit 130', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const waiting = launch([bin, 'wait', '--url', `http://127.0.0.1:${port}`])
    const [socket] = (await once(server, 'connection')) as [Socket]
    waiting.process.kill('SIGINT')
    expect([await waiting.ended, waiting.err()]).toEqual([130, ''])
    socket.destroy()
    server.close()
  })

  it('runs from any folder, with the fixtures that come with it', async () => {
    const child = await started([], { cwd: await folderWith() })
    expect((await fetch(`${child.url}/v2/rewards/rwd_ada_pending`, withKey())).status).toBe(200)
  })
})

describe('a process with a data file', () => {
  const newIntent: RequestInit = {
    method: 'POST',
    headers: { ...withKey().headers, 'content-type': 'application/json' },
    body: '{"customer_id":"cus_ada","amount":100,"currency":"USD"}',
  }
  const create = async (url: string): Promise<string> => {
    const answer = await fetch(`${url}/v2/transaction_intents`, newIntent)
    expect(answer.status).toBe(200)
    return answer.text()
  }
  const read = async (url: string, made: string): Promise<string> => {
    const { id } = JSON.parse(made) as { id: string }
    return (await fetch(`${url}/v2/transaction_intents/${id}`, withKey())).text()
  }

  it('kill -9 -> what was answered is there after the next start, and the lock of the dead is taken over', async () => {
    const cwd = await folderWith()
    const first = await started(['--data', 'data.json'], { cwd })
    const made = await Promise.all(Array.from({ length: 20 }, () => create(first.url)))
    first.process.kill('SIGKILL')
    await first.ended
    const second = await started(['--data', 'data.json'], { cwd, nodeArgs: longWaits })
    for (const one of made) expect(await read(second.url, one)).toBe(one)
    second.process.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect((await readdir(cwd)).toSorted()).toEqual([
      'data.json',
      expect.stringMatching(/^data\.json\.\d+\.log$/),
      'data.json.previous',
    ])
  })

  it('SIGTERM -> saves, exit 0; the checkpoint has everything', async () => {
    const cwd = await folderWith()
    const first = await started(['--data', 'data.json'], { cwd })
    const made = await create(first.url)
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(await readFile(join(cwd, 'data.json'), 'utf8')).toContain((JSON.parse(made) as { id: string }).id)
    const second = await started(['--data', 'data.json'], { cwd })
    expect(await read(second.url, made)).toBe(made)
  })

  it('a second process on the file -> waits 15 s and says so, then exit 3, naming the first', async () => {
    const cwd = await folderWith()
    const first = await started(['--data', 'data.json'], { cwd, nodeArgs: frequentRenewals })
    const second = launch([...waitsByRenewals, bin, '--port', '0', '--data', 'data.json'], { cwd })
    expect([await second.ended, second.out(), second.err()]).toEqual([
      3,
      '',
      `data.json is in use by another sandbox (process ${first.process.pid}): waiting up to 15 s for it to stop\n` +
        `data.json: is in use by another sandbox (process ${first.process.pid}); stop it, or give each its own file with --data\n`,
    ])
    expect(await create(first.url)).toContain('"id"')
  })

  it('a second process while the first ends -> goes on from what it left', async () => {
    const cwd = await folderWith()
    const first = await started(['--data', 'data.json'], { cwd })
    const made = await create(first.url)
    const second = started(['--data', 'data.json'], { cwd })
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(await read((await second).url, made)).toBe(made)
  })

  it('stopped, and another container has the file -> exit 74 once it goes on, and says who', async () => {
    const cwd = await folderWith()
    const first = await started(['--data', 'data.json'], { cwd })
    const made = await create(first.url)
    // In flight before: a process that has seen first what befell it takes no new ones.
    const late = await hangingCall(first.port)
    first.process.kill('SIGSTOP')
    const theirs = { pid: 1, started: 'then', host: 'pod-b', namespace: 'other', nonce: 'bb', beat: 0 }
    await writeFile(join(cwd, 'next.lock'), JSON.stringify(theirs))
    await rename(join(cwd, 'next.lock'), join(cwd, 'data.json.lock'))
    const answer = once(late, 'data')
    await new Promise((sent) => late.write('{"customer_id":"cus_ada","amount":100,"currency":"USD"}', sent))
    first.process.kill('SIGCONT')
    // A renewal may come first, which sees the same.
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 50[03] /)
    late.destroy()
    expect(await first.ended).toBe(74)
    expect(first.err()).toContain(
      'error: data.json cannot be written any more: another sandbox (process 1 on pod-b) took it over, as this one did not run for more than 10 s. It has every acknowledged change; stop one of the two, or give each its own file with --data.\n',
    )
    expect(await readFile(join(cwd, 'data.json.lock'), 'utf8')).toBe(JSON.stringify(theirs))
    expect(await readFile(join(cwd, 'data.json.1.log'), 'utf8')).toContain(
      (JSON.parse(made) as { id: string }).id,
    )
  })

  it('a damaged file -> exit 3, and it is left as it is', async () => {
    const text = '{"schema_version":1'
    const cwd = await folderWith({ 'data.json': text, 'data.json.previous': '{"schema_version":1}' })
    const refused = launch([bin, '--port', '0', '--data', 'data.json'], { cwd })
    expect(await refused.ended).toBe(3)
    expect(refused.err()).toMatch(
      /^data\.json: .*data\.json: is not JSON: .*\. The checkpoint before is .*data\.json\.previous\. /,
    )
    expect(await readFile(join(cwd, 'data.json'), 'utf8')).toBe(text)
  })
})

describe('the library in a process of its own', () => {
  const script = `
    const names = () => new Set([...Object.getOwnPropertyNames(globalThis)])
    const before = names()
    const web = [Request, Response, Headers, fetch]
    const events = process.eventNames().length
    const { createSandbox } = await import(${JSON.stringify(new URL(`file://${library}`).href)})
    const loaded = names()
    const sandbox = await createSandbox()
    const server = await sandbox.listen()
    const answer = await sandbox.fetch('/v2/customers', { headers: { authorization: 'Bearer ' + sandbox.apiKey } })
    await sandbox.close()
    console.log(JSON.stringify({
      status: answer.status,
      byLoading: [...loaded].filter((name) => !before.has(name)),
      byUsing: [...names()].filter((name) => !loaded.has(name)),
      sameWeb: [Request, Response, Headers, fetch].every((value, at) => value === web[at]),
      events: process.eventNames().length - events,
    }))
  `

  it('touches no global when used, and ends by itself once closed', async () => {
    const child = launch(['--input-type=module', '--eval', script])
    expect(await child.ended).toBe(0)
    expect(child.err()).toBe('')
    const { byLoading, ...rest } = JSON.parse(child.out()) as { byLoading: string[] }
    expect(rest).toEqual({ status: 200, byUsing: [], sameWeb: true, events: 0 })
    // The bundled zod keeps these two; nothing of ours stands in them.
    expect(byLoading.filter((name) => !name.startsWith('__zod_'))).toEqual([])
  })

  it('can be loaded from a folder that has nothing else', async () => {
    const cwd = await folderWith({
      'use.mjs': `import { createSandbox } from ${JSON.stringify(new URL(`file://${library}`).href)}\nconst s = await createSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })\nconsole.log(s.state.size('customers'))\n`,
    })
    const child = launch([join(cwd, 'use.mjs')], { cwd })
    expect([await child.ended, child.out(), child.err()]).toEqual([0, '1\n', ''])
  })
})
