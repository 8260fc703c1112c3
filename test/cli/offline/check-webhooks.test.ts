// Tests of the verb webhooks check: deliveries that a description verifies, the first part that differs, and refusals.
import { describe, expect, it } from 'vitest'
import type { WebhookDescription } from '../../../src/events/description-type.ts'
import { writeDelivery, type EventContent } from '../../../src/events/delivery.ts'
import { presets } from '../../../src/events/presets/index.ts'
import { harText, rawHttp } from '../../helpers/captured-deliveries.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGJqZ0q1ZzEo='
const older = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludCwgMzIgYnl0ZXM='
const { standard, thin, documented } = presets
const content: EventContent = {
  id: 'evt_1',
  type: 'reward.updated',
  time: '2026-11-21T12:00:00.750Z',
  resource: {
    id: 'rwd_1',
    customer_id: 'cus_1',
    amount: 500,
    type: 'OFFER',
    status: 'AVAILABLE',
    created_at: '2026-11-20T08:00:00.000Z',
  },
  previous: null,
}
const sign = (description: WebhookDescription, secrets = [secret], event = content) =>
  writeDelivery(description, event, { time: Date.parse('2026-11-21T12:00:05Z'), secrets })
const delivery = sign(standard)
const signed = delivery.headers['webhook-signature'] ?? ''

const argv = [
  'webhooks',
  'check',
  'webhooks.json',
  '--delivery',
  'captured.http',
  '--secret-file',
  'secret.txt',
]
const check = async (files: Readonly<Record<string, string | object>> = {}, words = argv, stdin = '') => {
  const defaultFiles = {
    'webhooks.json': standard,
    'captured.http': rawHttp(delivery),
    'secret.txt': `${secret}\n`,
  }
  return cli(words, { cwd: await folderWith({ ...defaultFiles, ...files }), stdin })
}
const verified = { code: 0, stdout: 'webhooks.json verifies captured.http.\n', stderr: '' }
const with_ = (change: object): WebhookDescription => ({ ...standard, ...change })

describe('verifies', () => {
  const other = with_({
    names: { 'reward.updated': 'RewardChanged' },
    headers: { 'X-Event': '{event.type}', 'x-time': '{attempt.time}', 'x-sign': 'a={signature:hex}' },
    body: {
      v: 1,
      list: ['{event.time:unix}', { reward: '{resource.id}', before: '{previous}' }],
      text: 'reward {resource.id} at {event.time}, before: {previous.status}',
      event: { id: '{event.id}', all: '{resource}' },
    },
    signing: { algorithm: 'hmac-sha1', key: 'text', signed: '{attempt.time:unix}({body})' },
  })
  const deleted = { ...content, type: 'order_event.deleted', resource: { id: 'ord_1' } } as const

  it.each<[string, WebhookDescription]>([...Object.entries(presets), ['another', other]])(
    'a delivery of %s',
    async (_, description) => {
      const files = { 'webhooks.json': description, 'captured.http': rawHttp(sign(description)) }
      expect(await check(files)).toEqual(verified)
    },
  )

  it.each([
    ['a line break behind the body', { 'captured.http': rawHttp(delivery, { end: '\n' }) }],
    ['CRLF', { 'captured.http': rawHttp(delivery, { line: '\r\n', end: '\r\n' }) }],
    ['an archive', { 'captured.http': harText(delivery) }],
    ['another one in an archive', { 'captured.http': harText(delivery, delivery) }],
    ['two valid secrets', { 'captured.http': rawHttp(sign(standard, [older, secret])) }],
    ['a resource of one field', { 'captured.http': rawHttp(sign(standard, [secret], deleted)) }],
    [
      'no signature',
      { 'webhooks.json': with_({ signing: { algorithm: 'none' }, headers: {} }), 'secret.txt': 'any' },
    ],
  ])('a delivery with %s', async (_, files) => {
    expect(await check(files)).toEqual(verified)
  })

  it('with a preset as its description', async () => {
    const stdout = 'standard verifies captured.http.\n'
    expect(await check({}, argv.with(2, 'standard'))).toEqual({ ...verified, stdout })
  })

  it('with a secret on stdin', async () => {
    expect(await check({}, [...argv.slice(0, -1), '-'], secret)).toEqual(verified)
  })
})

describe('names the first part that differs:', () => {
  const edited = (from: string, to: string) => ({ 'captured.http': rawHttp(delivery).replace(from, to) })
  const described = (change: object) => ({ 'webhooks.json': with_(change) })
  const body = (change: object) => described({ body: { ...standard.body, ...change } })
  const bytes = 'Check the secret, the bytes of the body and signing'
  it.each([
    [
      'no header',
      edited('webhook-id: evt_1\n', ''),
      'headers.webhook-id is missing; expected the form {event.id}. Correct headers',
    ],
    [
      'the form of a header',
      edited('webhook-timestamp: 1795262405', 'webhook-timestamp: 1795262405000'),
      'headers.webhook-timestamp is "1795262405000"; expected the form {attempt.time:unix}. Correct headers',
    ],
    [
      'the form of a signature',
      edited('v1,', 'v1='),
      `headers.webhook-signature is "${signed.replace(',', '=')}"; expected the form v1,{signature:base64}. Correct headers`,
    ],
    [
      'a secret',
      { 'secret.txt': older },
      `headers.webhook-signature is "${signed}"; expected the signature of {event.id}.{attempt.time:unix}.{body} by this secret. ${bytes}`,
    ],
    [
      'the bytes of the body',
      edited('"data":', '"data": '),
      `headers.webhook-signature is "${signed}"; expected the signature of {event.id}.{attempt.time:unix}.{body} by this secret. ${bytes}`,
    ],
    [
      'the signed text, in an archive',
      {
        ...described({ signing: { ...standard.signing, signed: '{body}' } }),
        'captured.http': harText(delivery),
      },
      `log.entries[1] of captured.http: headers.webhook-signature is "${signed}"; expected the signature of {body} by this secret. ${bytes}`,
    ],
    [
      'a signed value that is nowhere',
      described({ signing: { ...standard.signing, signed: '{attempt.time}{body}' } }),
      `the signed {attempt.time} is missing; expected it in a header or the body. ${bytes}`,
    ],
    [
      'a name',
      described({ names: { 'reward.created': 'reward.created' } }),
      'body.type is "reward.updated"; expected one of reward.created. Correct names',
    ],
    [
      'an id that is another one',
      edited('"id":"evt_1"', '"id":"evt_2"'),
      'body.id is "evt_2"; expected the {event.id} of headers.webhook-id, which is "evt_1". Correct body',
    ],
    [
      'a field',
      body({ created: '{event.time}' }),
      'body.created is missing; expected the form {event.time}. Correct body',
    ],
    [
      'the form of a time',
      body({ timestamp: '{event.time:unix}' }),
      'body.timestamp is "2026-11-21T12:00:00.750Z"; expected the form {event.time:unix}. Correct body',
    ],
    [
      'a resource',
      body({ data: { object: '{resource}' } }),
      'body.data.object is missing; expected the form {resource}. Correct body',
    ],
    [
      'a resource with its id alone',
      { 'captured.http': rawHttp(sign(thin)) },
      'body.data.customer_id is missing; expected a whole resource, as the API returns it; {resource.id} is its id alone. Correct body',
    ],
    [
      'a resource that is none',
      body({ timestamp: '{resource}', data: {} }),
      'body.timestamp is "2026-11-21T12:00:00.750Z"; expected a whole resource, as the API returns it; {resource.id} is its id alone. Correct body',
    ],
    [
      'a value',
      body({ timestamp: 1 }),
      'body.timestamp is "2026-11-21T12:00:00.750Z"; expected 1. Correct body',
    ],
    [
      'the second delivery of an archive',
      { 'captured.http': harText(delivery, sign(thin), sign(standard, [older])) },
      'log.entries[2] of captured.http: body.data.customer_id is missing; expected a whole resource, as the API returns it; {resource.id} is its id alone. Correct body',
    ],
  ])('%s', async (_, files, text) => {
    const what = text.startsWith('log.entries') ? text : `captured.http: ${text}`
    expect(await check(files)).toEqual({
      code: 6,
      stdout: '',
      stderr: `error: webhooks.json does not verify ${what} in webhooks.json.\n`,
    })
  })

  it.each([
    [
      'no JSON',
      edited('{"id"', '"id"'),
      String.raw`captured.http: body is "\"id\":\"evt_1\",\"type\":\"reward.updated\",\"timestamp\":\"2026-11-21T12:00:0…`,
    ],
    [
      'too deep',
      edited('"data":', `"deep":${'['.repeat(5000)}${']'.repeat(5000)},"data":`),
      String.raw`captured.http: body is "{\"id\":\"evt_1\",\"type\":\"reward.updated\",\"timestamp\":\"2026-11-21T12:00:…`,
    ],
    [
      'an array, in an archive',
      { 'captured.http': harText(delivery, { ...delivery, body: '[1]' }) },
      'log.entries[2] of captured.http: body is "[1]"',
    ],
  ])('a body that is %s, which no description can have', async (_, files, text) => {
    const expected = 'expected a JSON object, at most 64 deep'
    const next = 'The body of the delivery must be such an object: check captured.http.'
    expect(await check(files)).toEqual({
      code: 6,
      stdout: '',
      stderr: `error: webhooks.json does not verify ${text}; ${expected}. ${next}\n`,
    })
  })

  it('a delivery that differs from a preset', async () => {
    const ran = await check({ 'captured.http': rawHttp(sign(thin)) }, argv.with(2, 'standard'))
    expect(ran.stderr).toMatch(
      /Correct body in a copy of standard: webhooks presets standard > standard\.yaml\.\n$/,
    )
  })

  it('never shows the secret', async () => {
    const ran = await check({
      ...edited('webhook-id: evt_1', `webhook-id: ${secret}`),
    })
    expect(ran).toEqual({
      code: 6,
      stdout: '',
      stderr:
        'error: webhooks.json does not verify captured.http: body.id is "evt_1"; expected the {event.id} of headers.webhook-id, which is "***". Correct body in webhooks.json.\n',
    })
  })
})

describe('bodies by kind', () => {
  const base = { ...content, related: { merchant_key: 'mk_1', customer_metadata: { tier: 'gold' } } }
  const card = { id: 'pm_1', customer_id: 'cus_1', status: 'ACTIVE', created_at: '2026-11-20T08:00:00.000Z' }
  const events: EventContent[] = [
    base,
    { ...base, related: { ...base.related, transaction: { id: 'txn_1' } } },
    { ...base, type: 'payment_method.updated', resource: card, previous: { ...card, status: 'INACTIVE' } },
    { ...base, type: 'account.closed', resource: { id: 'acct_1', customer_id: 'cus_1', status: 'CLOSED' } },
    { ...base, type: 'STREAK', resource: { customer_id: 'cus_1', event: 'ENROLLED' } },
  ]
  const token = 'a-token-of-the-provider'
  const checkDocumented = async (
    event: EventContent,
    change: (text: string) => string = (text) => text,
    description: WebhookDescription = documented,
  ) =>
    check({
      'webhooks.json': description,
      'captured.http': change(rawHttp(sign(documented, [token], event))),
      'secret.txt': token,
    })

  it.each(events)('verifies $type', async (event) => {
    expect(await checkDocumented(event)).toEqual(verified)
  })

  it('verifies a key that is hex text, and only that', async () => {
    const hexText = { ...documented, signing: { ...documented.signing, key: 'sha256_hex' } } as const
    const files = { 'captured.http': rawHttp(sign(hexText, [token], base)), 'secret.txt': token }
    expect(await check({ ...files, 'webhooks.json': hexText })).toEqual(verified)
    expect((await check({ ...files, 'webhooks.json': documented })).stderr).toContain('Check the secret')
  })

  it('names further fields, and verifies the delivery', async () => {
    const names = { ...documented.names, 'reward.updated': 'REWARD' } as const
    const { REWARD } = documented.bodies
    const data: Record<string, string> = { ...REWARD.data }
    delete data['amount']
    const smaller = { ...documented, names, bodies: { ...documented.bodies, REWARD: { ...REWARD, data } } }
    const { stdout, code } = await checkDocumented(base, undefined, smaller)
    expect({ stdout, code }).toEqual({
      code: 0,
      stdout: `${verified.stdout}captured.http: body.data.amount is a further field, which webhooks.json does not have.\n`,
    })
  })

  it.each<[string, (text: string) => string, string]>([
    [
      'a missing field of the kind',
      (text) => text.replace('"amount":500,', ''),
      'body.data.amount is missing; expected the form {reward.amount}. Correct bodies.REWARD',
    ],
    [
      'an unknown kind',
      (text) => text.replace('"object":"REWARD"', '"object":"PRIZE"'),
      'body.object is "PRIZE"; expected one of REWARD, CUSTOMER_LINK, TRANSACTION, PAYMENT_METHOD, ACCOUNT_STATUS, APPLICATION, STREAK. Correct names',
    ],
    [
      'fields that are not sorted',
      (text) => text.replace(/"merchant_key":"mk_1",(.*)\}(,"object)/, '$1,"merchant_key":"mk_1"}$2'),
      'the order of fields in body.data is ["type","merchant_key"]; expected sorted fields. Correct sort_keys',
    ],
    [
      'the form of the header',
      (text) => text.replace('t=1795', 't=2026-1795'),
      'expected the form t={attempt.time:unix_ms},s={signature:hex}. Correct headers',
    ],
  ])('names %s', async (_, change, text) => {
    const { code, stderr } = await checkDocumented(base, change)
    expect(code).toBe(6)
    expect(stderr).toContain(`${text} in webhooks.json.\n`)
  })
})

describe('refuses', () => {
  const line = 'must have the secret of the endpoint in one line'
  const request =
    'captured.http:1: must begin with a request line, such as POST /webhooks HTTP/1.1, or be HAR\n'
  const archive = 'captured.http: must be an HTTP Archive (HAR) with a POST in log.entries\n'
  it.each<[string, Readonly<Record<string, string | object>>, string]>([
    ['a description', { 'webhooks.json': 'names: 1' }, 'webhooks.json:1:1: expected a value\nnames: 1\n^\n'],
    ['a secret of two lines', { 'secret.txt': 'a\nb' }, `secret.txt: ${line}\n`],
    ['no secret', { 'secret.txt': '\n' }, `secret.txt: ${line}\n`],
    [
      'a secret of another form',
      { 'secret.txt': 'a b' },
      'secret.txt: must be whsec_ and base64, as signing.key is whsec\n',
    ],
    ['an empty delivery', { 'captured.http': '' }, request],
    ['a response', { 'captured.http': 'HTTP/1.1 200 OK\n\n{}' }, request],
    [
      'a header',
      { 'captured.http': 'POST / HTTP/1.1\na: b\n{}\n\n{}' },
      'captured.http:3: must be a header, such as webhook-id: evt_1, or an empty line before the body\n',
    ],
    [
      'no body',
      { 'captured.http': 'POST / HTTP/1.1\na: b\n\n' },
      'captured.http:2: has no body; expected it behind an empty line\n',
    ],
    ['another document', { 'captured.http': { events: [] } }, archive],
    [
      'another method',
      { 'captured.http': rawHttp(delivery).replace('POST', 'GET') },
      'captured.http:1: must be a POST, as every delivery is, not GET\n',
    ],
    [
      'an archive with a POST that has no body',
      { 'captured.http': { log: { entries: [{ request: { method: 'POST', headers: [] } }] } } },
      `captured.http:1:31 log.entries[0].request: has no body; expected postData.text\n{"log":{"entries":[{"request":{"method":"POST","headers":[]}}]}}\n${' '.repeat(30)}^\n`,
    ],
    ['an archive without a POST', { 'captured.http': { log: { entries: [] } } }, archive],
    [
      'an archive that is no JSON',
      { 'captured.http': '{"log":' },
      'captured.http:1:8 log: expected a value, but the file ends here\n{"log":\n       ^\n',
    ],
  ])('%s', async (_, files, stderr) => {
    expect(await check(files)).toEqual({ code: 3, stdout: '', stderr })
  })

  it.each([
    ['no description', ['no.json', ...argv.slice(3)], 3, 'no.json: there is no such file\n'],
    [
      'no delivery',
      [...argv.slice(2, 4), 'no.http', ...argv.slice(5)],
      3,
      'no.http: there is no such file\n',
    ],
    ['no secret', [...argv.slice(2, 6), 'no.txt'], 3, 'no.txt: there is no such file\n'],
    [
      'no --delivery',
      ['webhooks.json', ...argv.slice(5)],
      2,
      "error: required option '--delivery <file>' not specified\n",
    ],
    [
      'no --secret-file',
      argv.slice(2, 5),
      2,
      "error: required option '--secret-file <file>' not specified\n",
    ],
    [
      'two files on stdin',
      ['webhooks.json', '--delivery', '-', '--secret-file', '-'],
      2,
      'error: --delivery and --secret-file: only one of the two can be stdin\n',
    ],
    ['no file', argv.slice(3), 2, "error: missing required argument 'file'\n"],
  ])('%s', async (_, words, code, stderr) => {
    expect(await check({}, ['webhooks', 'check', ...words])).toEqual({ code, stdout: '', stderr })
  })
})
