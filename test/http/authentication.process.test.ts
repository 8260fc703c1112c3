import { describe, expect, test } from 'vitest'
import { scopeNames } from '../../src/contract/scopes.ts'
import { createdKey } from '../helpers/created-key.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { rawCaller } from '../helpers/wire.ts'
import { accepted, expectRefused, keyAndDates, messages, pairs, reward } from './authentication.ts'

describe('with a credential', () => {
  test.each(accepted)('%s over a socket: %s -> 200', async (_, __, authorization) => {
    const raw = await rawCaller(await startSandbox())
    const { status, json } = await raw('GET', reward, [`Authorization: ${authorization}`])
    expect({ status, id: json.id }).toEqual({ status: 200, id: 'rwd_ada_pending' })
  })
})

describe('two Authorization headers', () => {
  test.each(pairs)('case 8 over a socket: %s -> 401', async (_, first, second) => {
    const raw = await rawCaller(await startSandbox())
    const lines = [`Authorization: ${first}`, `aUTHORIZATION: ${second}`]
    expectRefused(await raw('GET', reward, lines), messages.noCredential)
  })
})

describe('creating keys', () => {
  test.each([
    ['without a Content-Length', []],
    ['with Content-Length 0', ['Content-Length: 0']],
    ['with a type and Content-Length 0', ['Content-Type: application/json', 'Content-Length: 0']],
    [
      'with a type and an empty chunked body',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    ],
  ])('case 17 over a socket: no body, %s -> 200', async (_, lines) => {
    const sandbox = await startSandbox()
    const raw = await rawCaller(sandbox)
    const end = lines.some((line) => line.includes('chunked')) ? '0\r\n\r\n' : ''
    const made = await raw('POST', '/v2/keys', [`Authorization: Bearer ${fullKey}`, ...lines], end)
    expect(made.status).toBe(200)
    expect(made.json).toEqual(keyAndDates)
    expect(createdKey(sandbox.state.list('api_keys'), made.json.key).scopes).toEqual(scopeNames)
  })
})
