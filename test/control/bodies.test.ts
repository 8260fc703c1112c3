import { describe, expect, it } from 'vitest'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { tooLarge, unchanged } from './bodies.ts'

const json = { 'content-type': 'application/json' }

/** Every place that reads a body. */
const reading = [
  ['PUT', '/state'],
  ['PUT', '/state/account'],
  ['PATCH', '/state/account'],
  ['PUT', '/state/rewards/rwd_ada_pending'],
  ['PATCH', '/state/rewards/rwd_ada_pending'],
  ['POST', '/scenarios'],
  ['PUT', '/scenarios/active'],
  ['PUT', '/clock'],
  ['POST', '/clock/advance'],
] as const

describe.each([...reading, ['POST', '/workspaces'] as const])('%s %s', (method, path) => {
  it.each<[string, string, string, number, number]>([
    ['no JSON', '{"a": 1,}', 'expected a key in double quotes', 1, 9],
    ['a text that ends early', '{\n  "a": [1', 'expected a comma or ], but the file ends here', 2, 10],
    ['JSON with comments', '{} // x', 'expected the end of the file after the document', 1, 4],
    ['a key that stands twice', '{"a": 1, "a": 2}', 'duplicate key in an object', 1, 10],
    ['YAML', 'name: w1', 'expected a value', 1, 1],
    ['nesting without end', '['.repeat(200_000), 'is nested deeper than 100 levels', 1, 101],
  ])('%s -> 400 with line and column, nothing changed', async (_what, body, message, line, column) => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      const answer = await askControl(sandbox, method, path, body)
      expect([answer.status, answer.json.error.type]).toEqual([400, 'INVALID'])
      expect(answer.json.error.details[0]).toMatchObject({ source: 'body', line, column, message })
    })
  })

  it('no UTF-8 -> 400', async () => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      const body = new Uint8Array([0x22, 0xff, 0x22])
      const answer = await sandbox.fetch(`/_sandbox${path}`, { method, headers: json, body })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        controlErrorBody('INVALID', 'The body must be text in UTF-8.'),
      ])
    })
  })

  it('a byte order mark is passed over', async () => {
    const sandbox = await startSandbox()
    const answer = await askControl(sandbox, method, path, '\ufeff{"\\u0000": 1}')
    expect(answer.status).toBe(400)
    // It is no character of the text, of which no other could be wrong.
    expect(JSON.stringify(answer.json)).not.toMatch(/\ufeff|not JSON|expected a value/)
  })

  it.each([
    [{ 'content-type': 'text/plain' }, 'A body must be sent as Content-Type: application/json.'],
    [
      { 'content-type': 'application/json; charset=latin1' },
      'A body must be sent as Content-Type: application/json.',
    ],
    [{ ...json, 'content-encoding': 'gzip' }, 'A body must not be compressed.'],
  ])('%j -> 415', async (headers, message) => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      expect(await askControl(sandbox, method, path, '{}', headers)).toMatchObject({
        status: 415,
        json: controlErrorBody('UNSUPPORTED_MEDIA_TYPE', message),
      })
    })
  })

  it('a query parameter that nothing reads -> 400; one that stands twice -> 400', async () => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      expect((await askControl(sandbox, method, `${path}?worksapce=w1`, {})).json).toEqual(
        controlErrorBody('INVALID', "unknown query parameter 'worksapce', did you mean 'workspace'?"),
      )
      expect((await askControl(sandbox, method, `${path}?__proto__=1`, {})).json).toEqual(
        controlErrorBody(
          'INVALID',
          expect.stringMatching(/^unknown query parameter '__proto__', expected one of: workspace/),
        ),
      )
      expect((await askControl(sandbox, method, `${path}?workspace=w1&workspace=w2`, {})).json).toEqual(
        controlErrorBody('INVALID', "query parameter 'workspace' must be sent once"),
      )
    })
  })
})

describe('bodies where none is needed', () => {
  const bodiless = [
    ['PUT', '/snapshots/t'],
    ['POST', '/snapshots/s/restore'],
  ] as const

  it.each(bodiless)('%s %s: none or {} is fine, anything in it -> 400', async (method, path) => {
    const sandbox = await startSandbox()
    sandbox.snapshot('s')
    for (const body of [undefined, {}, '']) {
      expect((await askControl(sandbox, method, path, body)).status).toBe(200)
    }
    sandbox.clock.advance({ days: 1 })
    const before = [sandbox.clock.now(), sandbox.snapshots.list()]
    for (const body of [{ workspace: 'w1' }, [], 'null', '"x"']) {
      expect(await askControl(sandbox, method, path, body)).toMatchObject({
        status: 400,
        json: controlErrorBody('INVALID', 'This request must have no body.'),
      })
    }
    expect((await askControl(sandbox, method, path, '{')).status).toBe(400)
    expect([sandbox.clock.now(), sandbox.snapshots.list()]).toEqual(before)
  })

  it.each(reading)('%s %s without one -> 400', async (method, path) => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      for (const body of [undefined, '']) {
        expect(await askControl(sandbox, method, path, body)).toMatchObject({
          status: 400,
          json: controlErrorBody('INVALID', 'The body is empty: send JSON.'),
        })
      }
    })
  })

  it('DELETE ignores it, as the API does', async () => {
    const sandbox = await startSandbox()
    expect((await askControl(sandbox, 'DELETE', '/state/order_events/ord_ada_1', '{"x"')).status).toBe(204)
  })
})

describe('large bodies', () => {
  const mebibyte = 2 ** 20

  it('1 MiB for rows and settings, 64 MiB for state documents', async () => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      const small = ' '.repeat(mebibyte)
      expect((await askControl(sandbox, 'PUT', '/clock', small)).status).toBe(400)
      expect(await askControl(sandbox, 'PUT', '/clock', `${small} `)).toMatchObject({
        status: 413,
        json: tooLarge(mebibyte),
      })
      const body = new Uint8Array(64 * mebibyte + 1).fill(0x20)
      const headers = { 'content-type': 'application/json' }
      for (const [method, path] of [
        ['PUT', '/state'],
        ['POST', '/workspaces'],
      ] as const) {
        const answer = await sandbox.fetch(`/_sandbox${path}`, { method, headers, body })
        expect([answer.status, await answer.json()]).toEqual([413, tooLarge(64 * mebibyte)])
      }
    })
  })
})
