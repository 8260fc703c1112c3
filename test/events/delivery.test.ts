// Tests of src/events/delivery.ts: whole deliveries of each preset, verified by the libraries of their schemes.
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import { writeDelivery, type EventContent } from '../../src/events/delivery.ts'
import { presets } from '../../src/events/presets/index.ts'
import { secretOf } from '../../src/events/signature.ts'
import { derived, signingKey } from '../../src/runtime/random.ts'

const key = signingKey(1, 'webhooks')
const secret = secretOf(derived(key, 'endpoint', 1), 'whsec')
const older = secretOf(derived(key, 'endpoint', 0), 'whsec')

const event: EventContent = {
  id: 'evt_7',
  type: 'reward.updated',
  time: '2026-11-21T12:00:00.750Z',
  resource: { id: 'rwd_1', status: 'AVAILABLE', metadata: { note: 'Zoë, "2 €"\n' } },
  previous: { id: 'rwd_1', status: 'PENDING' },
}

/** Verifiers compare with the machine's time. */
const now = Date.now()
const seconds = Math.floor(now / 1000)
const minutes = 60_000

const deliver = (description: WebhookDescription, time = now, secrets = [secret]) =>
  writeDelivery(description, event, { time, secrets })

describe('a delivery of each preset', () => {
  const data = '{"id":"rwd_1","status":"AVAILABLE","metadata":{"note":"Zoë, \\"2 €\\"\\n"}}'
  const body = `{"id":"evt_7","type":"reward.updated","timestamp":"2026-11-21T12:00:00.750Z","data":${data}}`
  const hmac = (text: string, of: string | Buffer, encoding: 'hex' | 'base64'): string =>
    createHmac('sha256', of).update(text).digest(encoding)
  const raw = derived(key, 'endpoint', 1)

  it('standard', () => {
    expect(deliver(presets.standard)).toEqual({
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'evt_7',
        'webhook-timestamp': `${seconds}`,
        'webhook-signature': `v1,${hmac(`evt_7.${seconds}.${body}`, raw, 'base64')}`,
      },
      body,
    })
  })

  it('thin', () => {
    expect(deliver(presets.thin).body).toBe(body.replace(data, '{"id":"rwd_1"}'))
  })

  it('timestamped_hmac', () => {
    const signature = hmac(`${seconds}.${body}`, secret, 'hex')
    expect(deliver(presets.timestamped_hmac)).toEqual({
      headers: { 'content-type': 'application/json', 'webhook-signature': `t=${seconds},v1=${signature}` },
      body,
    })
  })

  it('body_hmac', () => {
    expect(deliver(presets.body_hmac)).toEqual({
      headers: { 'content-type': 'application/json', 'x-signature': `sha256=${hmac(body, secret, 'hex')}` },
      body,
    })
  })
})

/** Changes one character of a text. */
const changed = (text: string, at: number): string => {
  const other = text[at] === 'a' ? 'b' : 'a'
  return text.slice(0, at) + other + text.slice(at + 1)
}

describe.each(['standard', 'thin'] as const)('standardwebhooks and %s', (name) => {
  const { headers, body } = deliver(presets[name])
  const verify = (text = body, sent: Readonly<Record<string, string>> = headers, by = secret): unknown =>
    new Webhook(by).verify(text, { ...sent })

  it('verifies the delivery, during a rotation with either secret', () => {
    expect(verify()).toEqual(JSON.parse(body))
    const rotating = deliver(presets[name], now, [secret, older])
    for (const by of [secret, older])
      expect(verify(rotating.body, rotating.headers, by)).toEqual(JSON.parse(body))
  })

  it('refuses each changed byte', () => {
    for (let at = 0; at < body.length; at++) expect(() => verify(changed(body, at)), `byte ${at}`).toThrow()
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses a delivery without %s',
    (header) => {
      const { [header]: _omitted, ...rest } = headers
      expect(() => verify(body, rest)).toThrow('Missing required headers')
    },
  )

  it('refuses another secret, and another id', () => {
    expect(() => verify(body, headers, older)).toThrow('No matching signature found')
    expect(() => verify(body, { ...headers, 'webhook-id': 'evt_8' })).toThrow('No matching signature found')
  })

  it('refuses a time ten minutes ago, and one ten minutes ahead', () => {
    expect(() => verify(body, deliver(presets[name], now - 10 * minutes).headers)).toThrow('too old')
    expect(() => verify(body, deliver(presets[name], now + 10 * minutes).headers)).toThrow('too new')
  })
})

describe('stripe and timestamped_hmac', () => {
  const { webhooks } = new Stripe('sk_test_unused')
  const { headers, body } = deliver(presets.timestamped_hmac)
  const verify = (text = body, sent = headers, by = secret): unknown =>
    webhooks.constructEvent(text, sent['webhook-signature'] ?? '', by)

  it('verifies the delivery, during a rotation with either secret', () => {
    expect(verify()).toEqual(JSON.parse(body))
    const rotating = deliver(presets.timestamped_hmac, now, [secret, older])
    for (const by of [secret, older]) expect(verify(body, rotating.headers, by)).toEqual(JSON.parse(body))
  })

  it('refuses each changed byte', () => {
    for (let at = 0; at < body.length; at++) expect(() => verify(changed(body, at)), `byte ${at}`).toThrow()
  })

  it('refuses another secret, a missing header, and a time ten minutes ago', () => {
    expect(() => verify(body, headers, older)).toThrow('No signatures found')
    expect(() => verify(body, {})).toThrow()
    expect(() => verify(body, deliver(presets.timestamped_hmac, now - 10 * minutes).headers)).toThrow(
      'outside the tolerance zone',
    )
  })
})

describe('templates', () => {
  const { standard } = presets
  const written = (body: Record<string, unknown>): unknown => JSON.parse(deliver({ ...standard, body }).body)

  it.each([
    ['a value of any JSON', '{resource.metadata}', { note: 'Zoë, "2 €"\n' }],
    ['a missing value', '{resource.amount}', null],
    ['the name of an inherited member', '{resource.constructor}', null],
    ['a path through a text', '{resource.status.more}', null],
    ['the resource before the change', '{previous.status}', 'PENDING'],
    ['seconds are a number', '{event.time:unix}', 1_795_262_400],
    [
      'several placeholders in one text',
      'reward {resource.id}: {previous.status} -> {resource.status}',
      'reward rwd_1: PENDING -> AVAILABLE',
    ],
    ['a missing value within a text', '[{resource.amount}]', '[]'],
    ['an object within a text', 'is {previous}', 'is {"id":"rwd_1","status":"PENDING"}'],
    ['other braces', '{}{ x }{1}', '{}{ x }{1}'],
    ['lists and constants', ['{event.id}', 1, null, { is: true }], ['evt_7', 1, null, { is: true }]],
  ])('%s', (_, template, value) => {
    expect(written({ value: template })).toEqual({ value })
  })

  it('names events as the provider does', () => {
    const typeWith = (names: WebhookDescription['names']): unknown =>
      JSON.parse(deliver({ ...standard, names }).body).type
    expect(typeWith('RESOURCE_ACTION')).toBe('REWARD_UPDATED')
    expect(typeWith({ 'reward.updated': 'reward_changed' })).toBe('reward_changed')
    expect(() => typeWith({ 'reward.created': 'reward_new' })).toThrow(
      'the description has no name for reward.updated',
    )
  })

  it.each([
    ['hex', 64, /^[0-9a-f]+$/],
    ['base64', 44, /^[0-9A-Za-z+/]+=$/],
    ['whsec', 50, /^whsec_/],
    ['text', 50, /^whsec_/],
  ] as const)('a secret of the form %s signs', (form, length, pattern) => {
    const own = secretOf(derived(key, 'own'), form)
    expect(own).toHaveLength(length)
    expect(own).toMatch(pattern)
    const signing = { ...standard.signing, key: form }
    const { headers, body } = writeDelivery({ ...standard, signing }, event, { time: now, secrets: [own] })
    const bytes = form === 'text' ? own : derived(key, 'own')
    const expected = createHmac('sha256', bytes).update(`evt_7.${seconds}.${body}`).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${expected}`)
  })

  it.each(['sha1', 'sha256', 'sha512'] as const)('signs by hmac-%s', (hash) => {
    const signing = { ...standard.signing, algorithm: `hmac-${hash}` } as const
    const { headers, body } = deliver({ ...standard, signing })
    const bytes = derived(key, 'endpoint', 1)
    const expected = createHmac(hash, bytes).update(`evt_7.${seconds}.${body}`).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${expected}`)
  })

  it('without a join only the newest secret signs', () => {
    expect(deliver(presets.body_hmac, now, [secret, older])).toEqual(deliver(presets.body_hmac))
  })
})
