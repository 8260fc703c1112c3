import { describe, expect, test } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import { rawCaller, sendRaw } from '../helpers/wire.ts'
import { expectUnsupported } from './versions.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const bearer = 'Authorization: Bearer sk_sandbox_full'

describe('choosing a version', () => {
  test.each(['X-SERVICE-VERSION', 'x-service-version', 'X-Service-Version', 'x-sErViCe-vErSiOn'])(
    'case 19 over a socket: the header is called %s -> its version',
    async (name) => {
      const raw = await rawCaller(await startSandbox())
      const answer = await raw('GET', reward, [bearer, `${name}: 2025-05-05`])
      expect({ status: answer.status, version: answer.version }).toEqual({
        status: 200,
        version: '2025-05-05',
      })
    },
  )

  test.each([':2025-05-05', ':    2025-05-05', ': 2025-05-05   ', ':\t2025-05-05\t', ':  latest '])(
    'case 24 over a socket: x-service-version%j -> accepted',
    async (rest) => {
      const raw = await rawCaller(await startSandbox())
      const answer = await raw('GET', reward, [bearer, `x-service-version${rest}`])
      expect({ status: answer.status, version: answer.version }).toEqual({
        status: 200,
        version: rest.slice(1).trim(),
      })
    },
  )
})

describe('an unsupported version', () => {
  test.each([
    ['2025-05-05', '2025-05-05'],
    ['2025-05-05', '2026-10-13'],
    ['latest', 'latest'],
  ])('case 23: the header twice, %s and %s -> 400', async (first, second) => {
    const sandbox = await startSandbox()
    const headers = new Headers({ authorization: 'Bearer sk_sandbox_full' })
    headers.append('x-service-version', first)
    headers.append('x-service-version', second)
    const response = await sandbox.fetch(reward, { headers })
    expect(response.status).toBe(400)
    expect(response.headers.get('x-service-version')).toBeNull()

    const raw = await rawCaller(sandbox)
    const lines = [bearer, `x-service-version: ${first}`, `X-Service-Version: ${second}`]
    expectUnsupported(await raw('GET', reward, lines), `${first}, ${second}`)
  })

  test.each([
    ['case 22', 'an empty value', '', ''],
    ['case 22', 'spaces only', '   ', ''],
    ['case 25', '10 KB', 'y'.repeat(10_240), 'y'.repeat(64)],
    ['case 25', 'a tab inside', '2025\t05', '2025?05'],
    ['case 25', 'bytes beyond ASCII', '\xff\xfe\x80é', '????'],
  ])('%s over a socket: %s -> 400', async (_, __, value, shown) => {
    const raw = await rawCaller(await startSandbox())
    expectUnsupported(await raw('GET', reward, [bearer, `x-service-version: ${value}`]), shown)
  })

  test.each([0x00, 0x01, 0x08, 0x0b, 0x1b, 0x1f, 0x7f])(
    'case 25 over a socket: control character %i -> 400 and no second answer',
    async (code) => {
      const server = await (await startSandbox()).listen()
      const value = `2025-05-05${String.fromCharCode(code)}`
      const answer = await sendRaw(
        server,
        [`GET ${reward} HTTP/1.1`, 'Host: localhost', bearer, `x-service-version: ${value}`, '', ''].join(
          '\r\n',
        ),
      )
      // These bytes are no header, so there is no request: nothing of them is echoed.
      expect(answer.json).toEqual({
        error: {
          type: 'BAD_REQUEST_ERROR',
          message: 'A header line is not "name: value", or has a character that headers must not have.',
        },
      })
      expect(answer.status).toBe(400)
      expect(answer.version).toBeNull()
      expect(answer.headers.get('connection')).toBe('close')
    },
  )

  test.each(['\r\n x', '\n x', '\r x'])('case 25 over a socket: a folded value %j -> 400', async (fold) => {
    const server = await (await startSandbox()).listen()
    const lines = [
      `GET ${reward} HTTP/1.1`,
      'Host: localhost',
      bearer,
      `x-service-version: 2025-05-05${fold}`,
    ]
    const answer = await sendRaw(server, [...lines, 'Connection: close', '', ''].join('\r\n'))
    expect(answer.status).toBe(400)
    expect(answer.version).toBeNull()
  })
})
