// Tests of src/events/learn-description/read-delivery.ts: raw HTTP and HAR, and files that cannot be read.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { deliveriesIn } from '../../../src/events/learn-description/read-delivery.ts'
import { DocumentError } from '../../../src/input/problems.ts'

const read = async (text: string | Buffer): Promise<unknown> => {
  const requests = await deliveriesIn(Buffer.from(text), 'captured')
  return requests.map(({ headers, ...rest }) => ({ ...rest, headers: Object.fromEntries(headers) }))
}

async function refusal(text: string | Buffer): Promise<string> {
  try {
    await read(text)
  } catch (error) {
    if (error instanceof DocumentError) return error.message
    throw error
  }
  return 'it was read'
}

const har = (...requests: object[]): string =>
  JSON.stringify({ log: { entries: requests.map((request) => ({ request })) } })
const post = (more: object): object => ({ method: 'POST', url: 'https://a.example/', headers: [], ...more })
const digest = 'a'.repeat(64)

describe('raw HTTP', () => {
  const body = '{"id":"evt_1"}'

  it.each([
    ['LF', `POST /hook HTTP/1.1\nX-Id: evt_1\n\n${body}`, [body]],
    ['CRLF', `POST /hook HTTP/1.1\r\nx-id:evt_1 \r\n\r\n${body}`, [body]],
    [
      'a byte order mark, empty lines and a comment before, no version',
      `\ufeff\n### one\n// two\n\nPOST /hook\nx-id: evt_1\n\n${body}`,
      [body],
    ],
    ['a line break behind the body', `POST /hook HTTP/1.1\nx-id: evt_1\n\n${body}\n`, [`${body}\n`, body]],
    ['empty lines within the body', `POST /hook HTTP/1.1\nx-id: evt_1\n\n{\n\n}`, ['{\n\n}']],
  ])('with %s', async (_, text, bodies) => {
    expect(await read(text)).toEqual([
      { position: undefined, target: '/hook', headers: { 'x-id': 'evt_1' }, bodies },
    ])
  })

  it.each([
    ['whose length counts the line break', 15, { bodies: [`${body}\n`] }],
    ['whose length does not count the line break', 14, { bodies: [body] }],
    ['with another length', 99, { bodies: [`${body}\n`, body], declaredLength: 99 }],
  ])('%s', async (_, length, expected) => {
    const headers = { 'content-length': String(length) }
    const text = `POST / HTTP/1.1\ncontent-length: ${length}\n\n${body}\n`
    expect(await read(text)).toEqual([{ position: undefined, target: '/', headers, ...expected }])
  })

  it('joins headers of one name', async () => {
    expect(await read('POST / HTTP/1.1\nX-Sig: a\nx-sig: b\n\n{}')).toMatchObject([
      { headers: { 'x-sig': 'a, b' } },
    ])
  })

  it.each([
    ['an empty file', ' \n', 'captured: is empty; expected a request as raw HTTP or HAR'],
    [
      'a response',
      'HTTP/1.1 200 OK\n\n{}',
      'captured:1: must begin with a request line, such as POST /webhooks HTTP/1.1',
    ],
    [
      'headers alone',
      '\nx-id: evt_1\n\n{}',
      'captured:2: must begin with a request line, such as POST /webhooks HTTP/1.1',
    ],
    [
      'no header',
      'POST / HTTP/1.1\n\n{}',
      'captured:2: has no headers; expected them after the request line',
    ],
    [
      'a line that is no header',
      'POST / HTTP/1.1\na: b\n{}\n\n{}',
      'captured:3: must be a header, such as webhook-id: evt_1, or an empty line before the body',
    ],
    [
      'no body',
      'POST / HTTP/1.1\na: b\n\n',
      'captured:3: has no body; expected the body behind an empty line',
    ],
    [
      'no empty line',
      'POST / HTTP/1.1\na: b',
      'captured:3: has no body; expected the body behind an empty line',
    ],
    [
      'a compressed body',
      'POST / HTTP/1.1\ncontent-encoding: gzip\n\nxx',
      'captured:3: has a body in the encoding gzip: save it as it was before',
    ],
    [
      'chunks',
      'POST / HTTP/1.1\ntransfer-encoding: chunked\n\n2\r\n{}\r\n0\r\n\r\n',
      'captured:3: has a body in chunks: save the body itself, without the lengths of the chunks',
    ],
    [
      'a long body',
      `POST / HTTP/1.1\na: b\n\n${'x'.repeat(2 ** 20 + 1)}`,
      'captured:3: has a body of 1048577 bytes, and at most 1048576 can be searched',
    ],
    [
      'other bytes than UTF-8',
      gzipSync('x'),
      'captured:1: must be text in UTF-8; it has an invalid byte at 1',
    ],
  ])('%s is refused', async (_, text, message) => {
    expect(await refusal(text)).toBe(message)
  })
})

describe('HAR', () => {
  it('takes every POST with a header that looks like a signature', async () => {
    const headers = [{ name: 'X-Sig', value: digest }]
    const text = har(
      post({ method: 'GET' }),
      post({ postData: { text: '{}' } }),
      post({ headers, postData: { text: '{"a":1}' } }),
      post({ headers, postData: { text: Buffer.from('{"b":2}').toString('base64'), encoding: 'base64' } }),
    )
    const common = { target: 'https://a.example/', headers: { 'x-sig': digest } }
    expect(await read(text)).toEqual([
      { ...common, position: 'entry 3 of 4', bodies: ['{"a":1}'] },
      { ...common, position: 'entry 4 of 4', bodies: ['{"b":2}'] },
    ])
  })

  it('takes every POST if none has one', async () => {
    expect(await read(har(post({ postData: { text: '{}' } })))).toMatchObject([{ position: 'entry 1 of 1' }])
  })

  it.each([
    ['invalid JSON', '{"log":', /^captured:1:8 log: expected a value/],
    ['another document', '{"events":[]}', /^captured:1:1 log: is required/],
    [
      'an entry without headers',
      har({ method: 'POST', url: '/' }),
      /^captured:1:\d+ log\.entries\[0\]\.request\.headers: is required/,
    ],
    [
      'no POST',
      har(post({ method: 'GET' })),
      /^captured log\.entries: has no POST; expected an archive with a delivery$/,
    ],
    [
      'no body',
      har(post({})),
      /^captured log\.entries: entry 1 of 1 has no body; expected the body behind an empty line$/,
    ],
  ])('%s is refused', async (_, text, message) => {
    expect(await refusal(text)).toMatch(message)
  })
})
