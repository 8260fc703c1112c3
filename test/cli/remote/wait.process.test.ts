import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { waitUntilReady } from '../../../src/cli/remote/health.ts'
import { perform } from '../../../src/cli/remote/remote-call.ts'
import { answering, type Reply } from '../../helpers/answering.ts'
import { cli, quietIo } from '../../helpers/fake-io.ts'

const ok: Reply = { status: 200, body: '{"status":"ok"}', isSandbox: true }
const degraded: Reply = { status: 503, body: '{"status":"degraded"}', isSandbox: true }
const gateway: Reply = { status: 502, body: 'bad gateway' }
const next = 'start one with `partner-rewards-sandbox start`, or name another with --url'

interface Waited {
  code: number | string
  stderr: string
  /** How many times it looked. */
  looks: number
  /** How long an answer to each might take. */
  limits: number[]
  /** How long it waited after each. */
  pauses: number[]
}

/** The limits of requests, which are noted and never reached, however slow this machine is. */
function notedLimits(): number[] {
  const limits: number[] = []
  const noted = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    limits.push(milliseconds)
    return new AbortController().signal
  })
  onTestFinished(() => noted.mockRestore())
  return limits
}

/** Waits for a server that answers these, the last one for ever; time passes only in its pauses. */
async function waiting(replies: readonly Reply[], timeout: string, stopAfter = Infinity): Promise<Waited> {
  const limits = notedLimits()
  let looks = 0
  const url = await answering(() => replies[Math.min(looks++, replies.length - 1)] ?? ok)
  let stderr = ''
  let stop: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const io = quietIo({
    stdout: (text) => (stderr += `stdout: ${text}`),
    stderr: (text) => (stderr += text.replace(url, 'URL')),
    stopped,
    stop: () => stop(),
  })
  let now = 0
  const pauses: number[] = []
  const wait = async (milliseconds: number): Promise<boolean> => {
    pauses.push(milliseconds)
    now += milliseconds
    if (pauses.length >= stopAfter) stop()
    return true
  }
  const call = { args: [], flags: { url, timeout }, io }
  const work = waitUntilReady(call, { wait, now: () => now })
  const code = await perform(call, 'GET /_sandbox/health', work, {}).catch((error: unknown) => {
    if (!(error instanceof Error && 'exitCode' in error)) throw error
    stderr += error.message.replace(url, 'URL')
    return Number(error.exitCode)
  })
  return { code: Number(code), stderr, looks, limits, pauses }
}

describe('wait', () => {
  it.each<[string, Reply[], string, Waited]>([
    [
      'well at once -> one line',
      [ok],
      '30',
      { code: 0, stderr: 'Sandbox is ready at URL\n', looks: 1, limits: [5_000], pauses: [] },
    ],
    [
      'well at once, no time -> it looks once',
      [ok],
      '0',
      { code: 0, stderr: 'Sandbox is ready at URL\n', looks: 1, limits: [100], pauses: [] },
    ],
    [
      'a gateway first, then degraded, then well -> it goes on looking',
      [gateway, degraded, ok],
      '30',
      {
        code: 0,
        stderr: 'Sandbox is ready at URL\n',
        looks: 3,
        limits: [5_000, 5_000, 5_000],
        pauses: [100, 100],
      },
    ],
    [
      'degraded for ever -> exit 5, in time',
      [degraded],
      '0.25',
      {
        code: 5,
        stderr: `error: no sandbox was ready at URL within 0.25 s (it is degraded): ${next}`,
        looks: 4,
        limits: [250, 150, 100, 100],
        pauses: [100, 100, 50],
      },
    ],
    [
      'never a sandbox, no time -> exit 5',
      [gateway],
      '0',
      {
        code: 5,
        stderr: `error: no sandbox was ready at URL within 0 s (the server is not a sandbox: status 502 for GET /_sandbox/health): ${next}`,
        looks: 1,
        limits: [100],
        pauses: [],
      },
    ],
  ])('%s', async (_what, replies, timeout, outcome) => {
    expect(await waiting(replies, timeout)).toEqual(outcome)
  })

  it('asked to end meanwhile -> exit 130 without a word', async () => {
    const { code, stderr, pauses } = await waiting([degraded], '30', 2)
    expect([code, stderr, pauses.length]).toEqual([130, '', 2])
  })

  it.each(['soon', '-1', '1e3', '', '100000'])('--timeout %j -> exit 2', async (timeout) => {
    expect(await cli(['wait', `--timeout=${timeout}`])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: --timeout: '${timeout}' must be seconds from 0 to 99999, such as 30 or 0.5\n`,
    })
  })
})
