// Targets that are no service, over the network: nothing is concluded from them, and it ends.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CannotBeAsked } from '../../src/probe/request-sender.ts'
import { calibrate } from '../../src/probe/calibrate.ts'
import { conform } from '../../src/probe/conform.ts'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import { thisMachine, type Machine } from '../../src/probe/start-run.ts'
import { cli, folderWith } from '../helpers/fake-io.ts'
import { madeLines } from '../helpers/probing.ts'

/** Long enough for any server that answers: only a silent one reaches the timeout. */
const [soon, never] = [0.2, 60]
const late = `no answer within ${soon} s`

/** The reaction of a target to a request, and the resulting message. */
interface Kind {
  answer: RequestListener
  notCalled: string
}
const kinds: Record<string, Kind> = {
  hangs: { answer: () => undefined, notCalled: late },
  'trickles without end': {
    answer: (_, res) => {
      const timer = setInterval(() => res.write(' '), 10)
      res.on('close', () => clearInterval(timer))
    },
    notCalled: late,
  },
  resets: { answer: (req) => req.socket.resetAndDestroy(), notCalled: 'no answer: ECONNRESET' },
  'answers HTML': {
    answer: (_, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome'),
    notCalled: 'the answer is HTML, not JSON: check url',
  },
  'answers 10 MB': {
    answer: (_, res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end('1'.repeat(10_000_000)),
    notCalled: 'it answered more than 5 MB',
  },
  redirects: {
    answer: (_, res) => res.writeHead(302, { location: '/elsewhere' }).end(),
    notCalled: 'it answered with a redirect, which is not followed',
  },
}

/** Serves so, and the first request as a service does if that is asked for; tells how many requests there were. */
async function serving({ answer, notCalled }: Kind, firstIsFine: boolean) {
  let requests = 0
  const server: Server = createServer((req, res) => {
    requests += 1
    if (firstIsFine && requests === 1)
      res.setHeader('content-type', 'application/json').end('{"currency":"USD"}')
    else answer(req, res)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const budget = { per_second: 1e6, timeout_seconds: notCalled === late ? soon : never }
  const target: GivenTarget = { url, confirm_host: '127.0.0.1', keys: { full: 'sk_full' }, budget }
  return { target, requests: () => requests }
}

const machine = (): Machine => ({ ...thisMachine(), made: madeLines() })

/** The first answer does come, so it is waited for as long as it takes, however busy this machine is. */
function waitingForFirst(): Machine {
  const { timing, ...rest } = thisMachine()
  let limits = 0
  const patient: Machine['timing'] = {
    ...timing,
    wait: (milliseconds, ...signals) => {
      const isFirst = milliseconds === soon * 1000 && limits++ === 0
      return timing.wait(isFirst ? never * 1000 : milliseconds, ...signals)
    },
  }
  return { ...rest, timing: patient, made: madeLines() }
}

describe.each(Object.entries(kinds))('a target that %s', (_, kind) => {
  const { notCalled } = kind

  it('is not asked: exit 7 of both verbs, after one request', async () => {
    const { target, requests } = await serving(kind, false)
    const { fetch: _own, ...written } = target
    const cwd = await folderWith({ 'target.json': written })
    for (const [place, verb] of ['calibrate', 'conform'].entries()) {
      const { code, stdout, stderr } = await cli([verb, '--target', 'target.json'], { cwd })
      expect([code, stdout]).toEqual([7, ''])
      expect(stderr).toContain(`error: 127.0.0.1 cannot be tested: ${notCalled}\n`)
      expect(requests()).toBeLessThanOrEqual(place + 1)
    }
    await expect(calibrate(target, {}, machine())).rejects.toThrow(CannotBeAsked)
  })

  it('once it was asked, says nothing: nothing is concluded, and it is soon left alone', async () => {
    const { target, requests } = await serving(kind, true)
    const { assume, observations } = await calibrate(target, {}, waitingForFirst())
    expect(assume).toEqual({})
    const whys = Object.values(observations).filter(({ verdict }) => verdict === 'not_called')
    expect(whys.length).toBeGreaterThan(5)
    for (const { why } of whys) expect([notCalled, 'the target has stopped answering']).toContain(why)
    expect(requests()).toBeLessThanOrEqual(6)
  })

  it('breaks no point', async () => {
    const { target, requests } = await serving(kind, true)
    const { summary } = await conform(target, {}, waitingForFirst())
    expect(summary).toMatchObject({ broken: 0, holds: 0, unstable: 0 })
    expect(summary.not_called).toBeGreaterThan(5)
    expect(requests()).toBeLessThanOrEqual(6)
  })
})

it('a service that has none of the paths shows nothing of what it does with them', async () => {
  const none = async (): Promise<Response> => Response.json({}, { status: 404 })
  const target: GivenTarget = { fetch: none, keys: { full: 'sk_full' }, budget: { per_second: 1e6 } }
  const { assume } = await calibrate(
    target,
    { only: ['not_found_status', 'unknown_merchant_key_status'] },
    machine(),
  )
  expect(assume).toEqual({})
})
