import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderWith, withKey } from '../../helpers/fake-io.ts'
import { eventsOf } from '../../helpers/log.ts'
import { bin, isGone, launch, started } from '../../helpers/processes.ts'

/** An unrelated process, which ends with the test. */
function endLater(pid: number): void {
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  })
}

const startOutput = /^Sandbox listening on (\S+)\npid (\d+)\n$/

describe('start --detach', () => {
  it('-> prints where it listens and its pid, and ends; the sandbox goes on until stop', async () => {
    const cwd = await folderWith()
    const words = ['--detach', '--port', '0', '--log-file', 'my.log', '--url-file', 'url.txt']
    const parent = launch([bin, 'start', ...words], { cwd, env: { SANDBOX_SEDE: '1' } })
    expect([await parent.ended, parent.err()]).toEqual([
      0,
      expect.stringMatching(
        /^warning: SANDBOX_SEDE is not a variable of the sandbox, did you mean SANDBOX_SEED\?\nInspector: http:\/\/127\.0\.0\.1:\d+\/_sandbox\/ui\n$/,
      ),
    ])
    const [, url = '', pid = ''] = startOutput.exec(parent.out()) ?? []
    endLater(Number(pid))
    expect(await readFile(join(cwd, 'url.txt'), 'utf8')).toBe(`${url}\n`)
    expect((await fetch(`${url}/v2/customers`, withKey())).status).toBe(200)
    const stop = launch([bin, 'stop', '--url', url])
    expect([await stop.ended, stop.err()]).toEqual([0, `Sandbox at ${url} has stopped\n`])
    expect(await isGone(Number(pid))).toBe(true)
    expect(await readFile(join(cwd, 'my.log'), 'utf8')).toMatch(
      /^API key: .*\nInspector: .*\n.* customers \(26 of mk_summit\), .*\n200 GET \/v2\/customers .*\n202 POST \/_sandbox\/stop \(default\)\nStopped by POST \/_sandbox\/stop\.\n$/,
    )
    await expect(readFile(join(cwd, 'url.txt'))).rejects.toThrow('ENOENT')
  })

  it('--log-format json, without a verb and a log -> the one event', async () => {
    const parent = launch([bin, '--detach', '--log-format', 'json', '--port', '0'])
    expect([await parent.ended, parent.err()]).toEqual([0, ''])
    const { url, port, pid, ...rest } = JSON.parse(parent.out()) as { url: string; port: number; pid: number }
    endLater(pid)
    expect([rest, url]).toEqual([{ event: 'listening' }, `http://127.0.0.1:${port}`])
    expect(pid).not.toBe(parent.process.pid)
    expect((await fetch(`${url}/v2/customers`, withKey())).status).toBe(200)
    process.kill(pid, 'SIGTERM')
    expect(await isGone(pid)).toBe(true)
  })

  it('off loopback without a decision -> told, as nobody reads its log; stop says what is left', async () => {
    const parent = launch([bin, '--detach', '--host', '0.0.0.0', '--port', '0'])
    expect([await parent.ended, parent.err()]).toEqual([
      0,
      'The control plane is closed, as the sandbox listens off loopback without a decision who may use it: start with --admin-token TOKEN, or with --admin open\n',
    ])
    const [, url = '', pid = ''] = startOutput.exec(parent.out()) ?? []
    endLater(Number(pid))
    const stop = launch([bin, 'stop', '--url', url.replace('0.0.0.0', '127.0.0.1')])
    expect([await stop.ended, stop.err()]).toEqual([
      7,
      'error: Off loopback the control plane is closed by default: start with --admin-token TOKEN, or with --admin open.\nOr kill its process: kill PID, which `start --detach` printed\n',
    ])
  })

  it('a start that fails -> why, and its exit code', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    onTestFinished(() => void busy.close())
    const { port } = busy.address() as { port: number }
    const cwd = await folderWith({ 'bad.yaml': 'customers: 1\n' })
    const [bind, file, usage] = [
      launch([bin, 'start', '--detach', '--port', String(port)]),
      launch([bin, 'start', '--detach', '--fixtures', 'bad.yaml'], { cwd }),
      launch([bin, 'start', '--detach', '--port', 'x']),
    ]
    expect([await bind.ended, bind.out(), bind.err()]).toEqual([
      4,
      '',
      `error: cannot listen on 127.0.0.1:${port}: it is in use. Choose another with --port, or --port 0 for any free one.\n`,
    ])
    expect([await file.ended, file.out(), file.err()]).toEqual([
      3,
      '',
      'bad.yaml:1:12 customers: must be a list of rows\ncustomers: 1\n           ^\n',
    ])
    expect([await usage.ended, usage.err()]).toEqual([
      2,
      "error: --port: 'x' must be an integer from 0 to 65535\n",
    ])
  })
})

describe('start --stop-with-parent', () => {
  it('the parent is killed -> the sandbox ends', async () => {
    const script = `
      const { spawn } = require('node:child_process')
      const words = [${JSON.stringify(bin)}, 'start', '--port', '0', '--stop-with-parent', '--log-format', 'json']
      spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] })`
    const parent = launch(['--eval', script])
    await once(parent.process.stdout as NodeJS.ReadableStream, 'data')
    const { pid } = JSON.parse(parent.out()) as { pid: number }
    endLater(pid)
    parent.process.kill('SIGKILL')
    expect(await isGone(pid)).toBe(true)
    // Its streams are closed then.
    expect(await parent.ended).toBe('SIGKILL')
    expect(eventsOf(parent.err()).at(-1)).toMatchObject({
      event: 'stop',
      reason: 'the parent process has ended',
    })
  })
})

describe('requests --follow', () => {
  it('Ctrl-C -> exit 0, and it has printed what came', async () => {
    const { url, process: serving } = await started()
    await fetch(`${url}/v2/customers?limit=1`, withKey())
    const following = launch([bin, 'requests', '--follow', '--url', url])
    await once(following.process.stdout as NodeJS.ReadableStream, 'data')
    following.process.kill('SIGINT')
    expect([await following.ended, following.err()]).toEqual([0, ''])
    expect(following.out()).toMatch(/^\S+ {2}req_default_1 {2}200 GET \/v2\/customers\?limit=1 {2}success\n$/)
    serving.kill('SIGTERM')
  })
})
