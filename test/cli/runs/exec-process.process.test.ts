import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderWith } from '../../helpers/fake-io.ts'
import { bin, isGone, launch, type Running } from '../../helpers/processes.ts'

/** Facts that only real processes show: shared streams, signals, and that nothing is left behind. */

const call = `
  const { SANDBOX_URL: url, SANDBOX_API_KEY: key } = process.env
  const answer = await fetch(url + '/v2/transaction_intents', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
    body: JSON.stringify({ customer_id: 'cus_ada', amount: 731, currency: 'USD' }),
  })
`
/** Says that it is ready, and of which process; then stays, whatever it is asked. */
const deaf = `
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => console.error('got ' + signal))
  console.error('ready ' + process.pid)
  setInterval(() => {}, 1000)
`

/** A command line with a suite in a folder of its own. */
async function launched(
  verb: string,
  text: string,
  options: readonly string[] = [],
): Promise<Running & { cwd: string }> {
  const cwd = await folderWith({ 'suite.mjs': text })
  return { ...launch([bin, verb, ...options, '--', process.execPath, 'suite.mjs'], { cwd }), cwd }
}

/** The process id of a suite that is ready. */
async function pidOf(child: Running): Promise<number> {
  return Number(/ready (\d+)$/.exec(await child.errUntil(/ready \d+(?=\n)/))?.[1])
}

describe('exec as a process', () => {
  it('stdout is that of the command alone, so that it can be piped; its code is ours', async () => {
    const child = await launched('exec', `${call}console.log(answer.status); process.exit(3)`)
    expect([await child.ended, child.out()]).toEqual([3, '200\n'])
    expect(child.err()).toMatch(
      /^Sandbox listening on .*\nAPI key: .*\n.*\n200 POST \/v2\/transaction_intents \(default req_default_1\)\nContract coverage: /,
    )
  })

  it('the command reads what we are given to read', async () => {
    const child = spawn(process.execPath, [bin, 'exec', '--quiet', '--', 'cat'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stdin.end('from the pipe')
    expect([await once(child, 'close'), out]).toEqual([[0, null], 'from the pipe'])
  })

  it.each([
    ['KILL', 137],
    ['TERM', 143],
  ])('the command dies of SIG%s -> %i', async (signal, code) => {
    const child = launch([bin, 'exec', '--quiet', '--', 'sh', '-c', `kill -${signal} $$`])
    expect(await child.ended).toBe(code)
    expect(child.err()).toContain('Contract coverage: ')
  })

  it('SIGTERM -> the command ends in its own way, then its changes are saved and the report is written', async () => {
    const child = await launched(
      'exec',
      `${call}process.on('SIGTERM', () => process.exit(0)); console.error('ready 1'); setInterval(() => {}, 1000)`,
      ['--data', 'state.json', '--report', 'r.json'],
    )
    await pidOf(child)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    expect(await readFile(join(child.cwd, 'state.json'), 'utf8')).toContain('731')
    expect(JSON.parse(await readFile(join(child.cwd, 'r.json'), 'utf8'))).toMatchObject({
      total: expect.any(Number),
    })
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s is handed on', async (signal) => {
    const child = await launched(
      'exec',
      deaf.replace("console.error('got ' + signal)", "{ console.error('got ' + signal); process.exit(0) }"),
    )
    await pidOf(child)
    child.process.kill(signal)
    expect(await child.ended).toBe(0)
    expect(child.err()).toContain(`got ${signal}`)
  })

  it('a second signal -> 130 at once, and a command that ignores both is gone', async () => {
    const child = await launched('exec', deaf)
    const pid = await pidOf(child)
    child.process.kill('SIGTERM')
    await child.errUntil(/got SIGTERM/)
    child.process.kill('SIGINT')
    expect(await child.ended).toBe(130)
    expect(await isGone(pid)).toBe(true)
  })
})

describe('matrix as a process', () => {
  it('SIGINT -> 130, the table so far, and the suite is gone with all that it has started; then the rest is run', async () => {
    const text = `
      const { assumptions } = await (await fetch(process.env.SANDBOX_URL + '/_sandbox/assumptions')).json()
      await fetch(process.env.SANDBOX_URL + '/v2/customers')
      const { value } = assumptions.find(({ id }) => id === 'create_status')
      const { existsSync, writeFileSync } = await import('node:fs')
      if (value === 201 && !existsSync('seen')) {
        const { spawn } = await import('node:child_process')
        const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
        writeFileSync('seen', process.pid + ' ' + left.pid)
        process.kill(process.ppid, 'SIGINT')
        setInterval(() => {}, 1000)
      }`
    const options = ['--only', 'negative_amount,create_status,link_replaces']
    const child = await launched('matrix', text, options)
    expect(await child.ended).toBe(130)
    expect(child.out()).toMatch(/^negative_amount=accept pass\n\n[^]*create_status +201 +not run\n/)
    const [, rest = ''] = /Interrupted: --only (\S+) runs the rest\.\n$/.exec(child.err()) ?? []
    const pids = (await readFile(join(child.cwd, 'seen'), 'utf8')).split(' ').map(Number)
    for (const pid of pids) expect(await isGone(pid)).toBe(true)

    const words = ['matrix', '--only', rest, '--', process.execPath, 'suite.mjs']
    const again = launch([bin, ...words], { cwd: child.cwd })
    expect(await again.ended).toBe(0)
    expect(again.out()).toMatch(/^create_status=201 pass\nlink_replaces=replace pass\n\n/)
  })

  it('a second signal -> 130 at once, and the suite is gone', async () => {
    const child = await launched(
      'matrix',
      `${deaf}
      const { writeFileSync } = await import('node:fs')
      process.on('SIGTERM', () => process.kill(process.ppid, 'SIGINT'))
      writeFileSync('pid', String(process.pid))
      process.kill(process.ppid, 'SIGTERM')`,
    )
    expect(await child.ended).toBe(130)
    expect(await isGone(Number(await readFile(join(child.cwd, 'pid'), 'utf8')))).toBe(true)
  })
})
