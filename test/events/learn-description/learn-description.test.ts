// Tests of src/events/learn-description: deliveries in the styles of known providers, and each that cannot be learned.
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  learnDescription,
  type Learning,
  type LearnedDescription,
} from '../../../src/events/learn-description/index.ts'
import { deliveriesIn } from '../../../src/events/learn-description/read-delivery.ts'
import { presets } from '../../../src/events/presets/index.ts'
import { harText, rawHttp } from '../../helpers/captured-deliveries.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGJqZ0q1ZzEo='
const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')

const reward = {
  id: 'rwd_1',
  customer_id: 'cus_1',
  amount: 500,
  type: 'OFFER',
  status: 'AVAILABLE',
  created_at: '2026-11-20T08:00:00.000Z',
}
const time = '2026-11-21T12:00:00.750Z'
const seconds = 1_795_262_405

const hmac = (
  text: string,
  { hash = 'sha256', key = secret as string | Buffer, encoding = 'hex' as 'hex' | 'base64' } = {},
): string => createHmac(hash, key).update(text).digest(encoding)

/** Learns from raw HTTP with these headers. */
async function learn(headers: Record<string, string>, body: string, end = ''): Promise<Learning> {
  return learnDescription(
    await deliveriesIn(Buffer.from(rawHttp({ headers, body }, { end })), 'captured.http'),
    secret,
  )
}

async function learned(headers: Record<string, string>, body: string): Promise<LearnedDescription> {
  const result = await learn(headers, body)
  if (!('description' in result)) throw new Error(result.nearest.reason)
  return result
}

/** The undecided parts that are not always so. */
const doubts = ({ undecided }: LearnedDescription): Record<string, string> =>
  Object.fromEntries(undecided.flatMap(({ at, why }) => (why.startsWith('of the preset') ? [] : [[at, why]])))

const copied = 'copied as it is; one delivery cannot show whether it varies'
const others = 'only reward.updated was seen; the others are named in the same style'

describe('the style of', () => {
  it('Standard Webhooks', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'reward.updated', timestamp: time, data: reward })
    const signature = hmac(`evt_1.${seconds}.${body}`, { key: bytes, encoding: 'base64' })
    const result = await learned(
      { 'Webhook-Id': 'evt_1', 'Webhook-Timestamp': `${seconds}`, 'Webhook-Signature': `v1,${signature}` },
      body,
    )
    expect(result.description).toEqual(presets.standard)
    expect(result.found).toEqual({
      signature: 'headers.webhook-signature, as base64',
      'signed bytes': '"{event.id}.{attempt.time:unix}.{body}"',
      key: 'hmac-sha256, secret as whsec',
      id: 'headers.webhook-id, body.id',
      type: 'body.type',
      'time of the event': 'body.timestamp',
      'time of the attempt': 'headers.webhook-timestamp',
      resource: 'whole: body.data',
    })
    expect(result.undecided).toEqual([
      { at: 'names', why: others },
      ...['signing.join', 'retries', 'success', 'disable_on', 'timeout'].map((at) => ({
        at,
        why: 'of the preset standard: one delivery does not show it',
      })),
    ])
  })

  it('Standard Webhooks, while two secrets are valid, beside an asymmetric signature', async () => {
    const body = JSON.stringify({ type: 'REWARD_UPDATED', timestamp: time, data: { id: 'rwd_1' } })
    const signed = `msg_2b.${seconds}.${body}`
    const own = hmac(signed, { key: bytes, encoding: 'base64' })
    const older = hmac(signed, { key: 'older', encoding: 'base64' })
    const headers = { 'webhook-id': 'msg_2b', 'webhook-timestamp': `${seconds}` }
    const two = await learned({ ...headers, 'webhook-signature': `v1,${older} v1,${own}` }, body)
    expect(two.description).toEqual({
      ...presets.thin,
      names: 'RESOURCE_ACTION',
      body: { type: '{event.type}', timestamp: '{event.time}', data: { id: '{resource.id}' } },
    })
    expect(two.undecided.map(({ at }) => at)).not.toContain('signing.join')
    const ed25519 = Buffer.alloc(64, 7).toString('base64')
    const mixed = await learned({ ...headers, 'webhook-signature': `v1,${own} v1a,${ed25519}` }, body)
    expect(mixed.description.headers).toEqual(presets.standard.headers)
  })

  it('Stripe, with a further signature in the header', async () => {
    const object = { ...reward, object: 'reward' }
    const body = JSON.stringify(
      {
        id: 'evt_1',
        api_version: '2024-01-01',
        created: 1_795_262_400,
        type: 'reward.updated',
        livemode: false,
        data: { object },
      },
      null,
      2,
    )
    const [own, test] = [hmac(`${seconds}.${body}`), hmac('another')]
    const result = await learned({ 'Stripe-Signature': `t=${seconds},v1=${own},v0=${test}` }, body)
    expect(result.description).toEqual({
      ...presets.timestamped_hmac,
      body: {
        id: '{event.id}',
        api_version: '2024-01-01',
        created: '{event.time:unix}',
        type: '{event.type}',
        livemode: false,
        data: { object: '{resource}' },
      },
      headers: { 'stripe-signature': 't={attempt.time:unix},v1={signature:hex}' },
    })
    expect(doubts(result)).toEqual({
      'body.id': 'taken as the id of the event; no header has it',
      names: others,
      'body.api_version': copied,
      'body.livemode': copied,
      'body.data.object': 'the sandbox has no object in this resource',
      'headers.stripe-signature':
        'other signatures in it were removed: a description has one, repeated as a whole for a second secret',
    })
  })

  it('GitHub, with the resource at the top of the body', async () => {
    const body = JSON.stringify(reward)
    const result = await learned(
      {
        'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
        'X-GitHub-Event': 'reward.updated',
        'X-GitHub-Hook-ID': '292430182',
        'X-Hub-Signature': `sha1=${hmac(body, { hash: 'sha1' })}`,
        'X-Hub-Signature-256': `sha256=${hmac(body)}`,
      },
      body,
    )
    expect(result.description).toEqual({
      ...presets.body_hmac,
      body: Object.fromEntries(Object.keys(reward).map((key) => [key, `{resource.${key}}`])),
      headers: {
        'x-github-delivery': '{event.id}',
        'x-github-event': '{event.type}',
        'x-github-hook-id': '292430182',
        'x-hub-signature-256': 'sha256={signature:hex}',
      },
    })
    expect(doubts(result)).toEqual({
      names: others,
      body: 'has the fields of the resource at its top; other resources may have other fields',
      'headers.x-github-hook-id': copied,
      'headers.x-hub-signature': 'omitted: it looks like another signature',
    })
  })

  it('Slack, with an own name of the type', async () => {
    const body = JSON.stringify({
      event_id: 'Ev1',
      event_time: 1_795_262_401,
      event: { type: 'points_changed', reward_id: 'rwd_1' },
      token: secret,
    })
    const result = await learned(
      {
        'X-Slack-Request-Timestamp': `${seconds}`,
        'X-Slack-Signature': `v0=${hmac(`v0:${seconds}:${body}`)}`,
      },
      body,
    )
    expect(result.description).toEqual({
      ...presets.timestamped_hmac,
      names: { 'reward.updated': 'points_changed' },
      body: {
        event_id: '{event.id}',
        event_time: '{event.time:unix}',
        event: { type: '{event.type}', reward_id: '{resource.id}' },
      },
      headers: {
        'x-slack-request-timestamp': '{attempt.time:unix}',
        'x-slack-signature': 'v0={signature:hex}',
      },
      signing: { ...presets.timestamped_hmac.signing, signed: 'v0:{attempt.time:unix}:{body}' },
    })
    expect(doubts(result)).toEqual({
      names: 'only reward.updated has a name: add those of the other types, or they are not sent',
      'body.event_id': 'taken as the id of the event; no header has it',
      'body.event.reward_id': 'taken as the id of the resource',
      'body.token': 'omitted, as it contains a secret',
    })
  })

  it('Shopify, with a whole intent and the type in a header', async () => {
    const intent = {
      id: 'int_1',
      customer_id: 'cus_1',
      amount: 1,
      currency: 'USD',
      status: 'CONFIRMED',
      created_at: time,
    }
    const body = JSON.stringify({ payload: intent, customer_id: 'cus_1' })
    const result = await learned(
      {
        'X-Shopify-Topic': 'transaction_intents/create',
        'X-Shopify-Webhook-Id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
        'X-Shopify-Hmac-Sha256': hmac(body, { encoding: 'base64' }),
        'X-Shopify-Access-Token': 'shpat_1',
      },
      body,
    )
    expect(result.description).toEqual({
      ...presets.body_hmac,
      names: { 'transaction_intent.created': 'transaction_intents/create' },
      body: { payload: '{resource}', customer_id: '{resource.customer_id}' },
      headers: {
        'x-shopify-topic': '{event.type}',
        'x-shopify-webhook-id': '{event.id}',
        'x-shopify-hmac-sha256': '{signature:base64}',
      },
    })
    expect(doubts(result)).toEqual({
      names: 'only transaction_intent.created has a name: add those of the other types, or they are not sent',
      'body.customer_id': 'equals the field of the resource',
      'headers.x-shopify-access-token': 'omitted: its name or value looks secret',
    })
  })
})

describe('undecided is', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'reward.updated', timestamp: time, data: reward })

  it.each([
    [
      'a time that is equal in header and body',
      `${Math.floor(Date.parse(time) / 1000)}`,
      {
        'headers.x-time':
          'equals body.timestamp: it may be the time of the event, and is that of the attempt here',
      },
    ],
    [
      'a time that is not signed',
      `${seconds}`,
      { 'headers.x-time': 'taken as the time of the attempt; it may be that of the event, or be constant' },
    ],
    [
      'a time in milliseconds',
      `${seconds}123`,
      {
        'headers.x-time':
          'is a time as milliseconds since 1970; the sandbox writes it like 2026-11-21T12:00:00.000Z',
      },
    ],
  ])('%s', async (_, sent, expected) => {
    const result = await learned({ 'x-id': 'evt_1', 'x-time': sent, 'x-signature': hmac(body) }, body)
    expect(doubts(result)).toEqual({ names: others, ...expected })
  })

  it.each([
    [
      'milliseconds',
      { timestamp: 1_795_262_400_750 },
      { timestamp: 1_795_262_400_750 },
      'is a time as milliseconds since 1970, which a description cannot write: it is copied and will not change',
    ],
    [
      'RFC 3339 without milliseconds',
      { timestamp: '2026-11-21T12:00:00Z' },
      { timestamp: '{event.time}' },
      'the sandbox writes times like 2026-11-21T12:00:00.000Z',
    ],
    [
      'seconds as a text',
      { timestamp: '1795262400' },
      { timestamp: '{event.time:unix}' },
      'is a text, and the sandbox writes a number',
    ],
    ['braces', { text: 'Hi {name}' }, {}, 'omitted: a description would take its braces as a placeholder'],
    [
      'a number that JSON readers change',
      { text: 12345678901234567890n },
      {},
      'omitted: a number that JSON readers change',
    ],
    ['the secret', { text: `key ${bytes.toString('hex')}` }, {}, 'omitted, as it contains a secret'],
    ['an API key', { text: 'sk_live_123456' }, {}, 'omitted, as it contains a secret'],
    [
      'a bearer token',
      { text: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln' },
      {},
      'omitted, as it contains a secret',
    ],
    ['a token', { verification_token: 'Jhj5dZrV' }, {}, 'omitted: its name looks secret'],
    ['a password', { auth: { password: 'hunter2' } }, { auth: {} }, 'omitted: its name looks secret'],
    ['credentials', { text: { auth: 'hunter2' } }, { text: {} }, 'omitted: its name looks secret'],
    ['a key that is a number', { apiKey: 123456 }, {}, 'omitted: its name looks secret'],
    [
      'the id within a text',
      { text: '/events/evt_12' },
      { text: '/events/{event.id}' },
      'a part of the text is taken as an id, and the rest is copied',
    ],
    [
      'another whole resource',
      { text: { ...reward, status: 'PENDING' } },
      { text: '{previous}' },
      'taken as the resource before the change',
    ],
    ['a list', { text: ['a', 'evt_12'] }, { text: ['a', '{event.id}'] }, copied],
    [
      'null before the change',
      { previous: null },
      { previous: '{previous}' },
      'is null, and taken as the resource before the change',
    ],
    [
      'the changed fields',
      { previous: { status: 'PENDING' } },
      { previous: { status: '{previous.status}' } },
      'has some fields of the resource before the change; other events may have other fields',
    ],
  ])('%s in the body', async (_, fields, template, why) => {
    const text = JSON.stringify(
      { id: 'evt_12', type: 'reward.updated', ...fields, data: reward },
      (_key, value: unknown) => (typeof value === 'bigint' ? `#${value}#` : value),
    ).replaceAll(/"#(\d+)#"/g, '$1')
    const result = await learned({ 'x-id': 'evt_12', 'x-signature': hmac(text) }, text)
    expect(result.description.body).toEqual({
      id: '{event.id}',
      type: '{event.type}',
      ...template,
      data: '{resource}',
    })
    expect(Object.values(doubts(result))).toContain(why)
  })
})

it.each([
  ['its bytes as text', { 'x-note': 'printable bytes of a secret' }],
  ['credentials', { 'x-auth': 'abc' }],
  ['a bearer token', { 'x-caller': 'Bearer abc' }],
])('%s in a header -> omitted', async (_, header) => {
  const printable = `whsec_${Buffer.from('printable bytes of a secret').toString('base64')}`
  const body = JSON.stringify({ id: 'evt_1', type: 'reward.updated', data: reward })
  const headers = { ...header, 'x-signature': hmac(body, { key: printable }) }
  const requests = await deliveriesIn(Buffer.from(rawHttp({ headers, body }, {})), 'captured.http')
  expect(learnDescription(requests, printable)).toMatchObject({
    description: { headers: { 'x-signature': '{signature:hex}' } },
    undecided: expect.arrayContaining([
      { at: `headers.${Object.keys(header)[0]}`, why: 'omitted: its name or value looks secret' },
    ]),
  })
})

describe('nothing is learned', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'reward.updated', data: reward })
  const ms = `${seconds}123`
  const iso = '2026-11-21T12:00:05Z'

  it.each([
    [
      'from another secret',
      { 'x-signature': hmac(body, { key: 'another' }) },
      'check that the secret is that of this endpoint, and that the body has the bytes that were sent',
    ],
    [
      'from a delivery without a signature',
      {},
      'no header has hex or base64 of 20, 32 or 64 bytes: a delivery without an HMAC cannot be verified',
    ],
    [
      'from signed milliseconds',
      { 'x-time': ms, 'x-signature': hmac(`${ms}.${body}`) },
      'the signature covers the time as milliseconds since 1970, which a description cannot write (hmac-sha256, key text)',
    ],
    [
      'from a signed time of another form',
      { 'x-time': iso, 'x-signature': hmac(`${iso}.${body}`) },
      'the signature covers the time as another form of RFC 3339, which a description cannot write (hmac-sha256, key text)',
    ],
    [
      'from the address',
      { 'x-signature': hmac(`https://receiver.example/webhooks${body}`) },
      'the signature covers the address of the request, which a description cannot write (hmac-sha256, key text)',
    ],
    [
      'from hex in upper case',
      { 'x-signature': hmac(body).toUpperCase() },
      'the signature is hex in upper case, which a description cannot write (hmac-sha256, key text)',
    ],
    [
      'from base64 for URLs',
      { 'x-signature': hmac(body, { encoding: 'base64' }).replace(/=$/, '') },
      'the signature is base64 without padding or for URLs, which a description cannot write (hmac-sha256, key text)',
    ],
    [
      'from a body that was formatted',
      { 'x-signature': hmac(JSON.stringify(JSON.parse(body), null, 2)) },
      'the signature is that of the body with other spaces or line breaks: save the bytes of the body as they were sent',
    ],
    [
      'from a shortened body',
      { 'content-length': '1000', 'x-signature': hmac(`${body} `) },
      'content-length is 1000, and the body in the file has another length: save the bytes as they were sent',
    ],
  ])('%s', async (_, headers, reason) => {
    const result = await learn(headers, body)
    expect('nearest' in result && result.nearest.reason).toBe(reason)
  })

  it('from a body that is no JSON object', async () => {
    const result = await learn({ 'x-signature': hmac('[1]') }, '[1]')
    expect(result).toMatchObject({
      nearest: { reason: 'the signature matches, but the body is no JSON object' },
    })
  })
})

it('takes the entry of an archive whose signature it can compute', async () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'reward.updated', data: reward })
  const har = harText({ headers: { 'x-signature': hmac(body) }, body })
  const result = learnDescription(await deliveriesIn(Buffer.from(har), 'captured.har'), secret)
  expect(result).toMatchObject({ position: 'entry 3 of 3', others: 0 })
})
