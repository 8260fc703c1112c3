// Tests of src/events/read-description.ts: valid descriptions, and each problem at its line.
import { describe, expect, it } from 'vitest'
import { eventKinds, eventTypeNames } from '../../src/contract/event-types.ts'
import { presets } from '../../src/events/presets/index.ts'
import { readDescription } from '../../src/events/read-description.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { sourceFromObject, sourceFromText } from '../../src/input/source-file.ts'

const valid = `names: resource.action
body:
  id: '{event.id}'
  data: '{resource}'
headers:
  webhook-signature: 'v1,{signature:base64}'
signing:
  algorithm: hmac-sha256
  key: whsec
  signed: '{event.id}.{attempt.time:unix}.{body}'
  join: ' '
retries: [5s, 5m]
success: 2xx
disable_on: [410]
timeout: 15s
`

const problemsOf = async (text: string): Promise<string[]> => {
  const source = await sourceFromText(text, 'webhooks.yaml', '.yaml')
  try {
    readDescription(source)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return error.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)
  }
  return []
}

const cases: { situation: string; old: string; now: string; problems: string[] }[] = [
  { situation: 'a key for anchors', old: 'names:', now: 'x-note: 1\nnames:', problems: [] },
  { situation: 'the longest timeout', old: '15s', now: '120s', problems: [] },
  {
    situation: 'statuses that are final',
    old: 'disable_on: [410]',
    now: 'give_up_on: [400, 404]',
    problems: [],
  },
  { situation: 'no retries', old: '[5s, 5m]', now: 'none', problems: [] },
  { situation: 'a list of statuses', old: '2xx', now: '[200, 204]', problems: [] },
  {
    situation: 'names of the provider',
    old: 'resource.action',
    now: "{ reward.updated: 'REWARD' }",
    problems: [],
  },
  {
    situation: 'a mistyped field',
    old: 'retries',
    now: 'retrys',
    problems: ['1 retries: is required', "12 retrys: unknown field, did you mean 'retries'?"],
  },
  {
    situation: 'an unknown placeholder in the body',
    old: '{event.id}',
    now: '{event.uid}',
    problems: [
      '3 body.id: must not contain {event.uid}: expected {event.id}, {event.type}, {event.time}, {event.time:unix}, {event.time:unix_ms}, {resource}, {resource.FIELD}, {previous}, {previous.FIELD}, {merchant_key}, {customer_metadata}, {transaction_intent}, {reward}, {customer}, {order_event}, {statement}, {transaction}, {payment_method}, {account}, {card}',
    ],
  },
  {
    situation: 'the time of an attempt in the body, which would differ in each run',
    old: '{event.id}',
    now: '{attempt.time}',
    problems: [
      '3 body.id: must not contain {attempt.time}: expected {event.id}, {event.type}, {event.time}, {event.time:unix}, {event.time:unix_ms}, {resource}, {resource.FIELD}, {previous}, {previous.FIELD}, {merchant_key}, {customer_metadata}, {transaction_intent}, {reward}, {customer}, {order_event}, {statement}, {transaction}, {payment_method}, {account}, {card}',
    ],
  },
  {
    situation: 'a signature without an encoding',
    old: '{signature:base64}',
    now: '{signature}',
    problems: [
      '6 headers.webhook-signature: must not contain {signature}: expected {signature:hex}, {signature:base64}',
    ],
  },
  {
    situation: 'no signature, with an algorithm',
    old: 'v1,{signature:base64}',
    now: 'v1',
    problems: [
      '8 signing.algorithm: must be none, or a header must contain {signature:hex} or {signature:base64}',
    ],
  },
  {
    situation: 'a signature that does not cover the body',
    old: '.{body}',
    now: '',
    problems: [
      '10 signing.signed: must contain {body}: a signature that does not cover the body protects nothing',
    ],
  },
  {
    situation: 'a header that the sandbox sets',
    old: 'webhook-signature:',
    now: 'Content-Type: text/plain\n  webhook-signature:',
    problems: ['6 headers.Content-Type: must be omitted: the sandbox sets it'],
  },
  {
    situation: 'a name that is no header',
    old: 'webhook-signature:',
    now: "'web hook': x\n  webhook-signature:",
    problems: ['6 headers.web hook: must be the name of a header, such as webhook-id'],
  },
  {
    situation: 'an unknown event type',
    old: 'resource.action',
    now: '{ reward.changed: REWARD }',
    problems: [`1 names.reward.changed: must be one of ${eventTypeNames.join(', ')}`],
  },
  {
    situation: 'an interval that is no duration',
    old: '5m]',
    now: '5 minutes]',
    problems: ['12 retries[1]: must be a duration, such as 5s, 30m or 24h'],
  },
  {
    situation: 'a timeout that is too long',
    old: '15s',
    now: '10m',
    problems: ['15 timeout: must be 1s to 120s, such as 15s'],
  },
  {
    situation: 'a timeout that is one second too long',
    old: '15s',
    now: '121s',
    problems: ['15 timeout: must be 1s to 120s, such as 15s'],
  },
  {
    situation: 'a placeholder with the name of an inherited member',
    old: '{event.id}.{attempt',
    now: '{constructor}.{attempt',
    problems: [
      '10 signing.signed: must not contain {constructor}: expected {event.id}, {event.type}, {event.time}, {event.time:unix}, {event.time:unix_ms}, {attempt.time}, {attempt.time:unix}, {attempt.time:unix_ms}, {body}',
    ],
  },
  {
    situation: 'a text of the resource in a header, which cannot carry any text',
    old: 'v1,{sig',
    now: '{resource.id},{sig',
    problems: [
      '6 headers.webhook-signature: must not contain {resource.id}: expected {event.id}, {event.type}, {event.time}, {event.time:unix}, {event.time:unix_ms}, {attempt.time}, {attempt.time:unix}, {attempt.time:unix_ms}, {signature:hex}, {signature:base64}',
    ],
  },
  {
    situation: 'a header that no client could send',
    old: 'v1,{sig',
    now: 'é,{sig',
    problems: ['6 headers.webhook-signature: must be printable ASCII characters'],
  },
  {
    situation: 'no algorithm',
    old: '  algorithm: hmac-sha256\n',
    now: '',
    problems: ['8 signing.algorithm: is required'],
  },
  {
    situation: 'no template of the body',
    old: "body:\n  id: '{event.id}'\n  data: '{resource}'\n",
    now: '',
    problems: ['1 body: is required'],
  },
  {
    situation: 'a status that is none',
    old: '[410]',
    now: '[99]',
    problems: ['14 disable_on[0]: must be 100 to 599'],
  },
  { situation: 'no status of success', old: '2xx', now: '[]', problems: ['13 success: must have a status'] },
  {
    situation: 'an empty list of retries',
    old: '[5s, 5m]',
    now: '[]',
    problems: ['12 retries: must have an item, or be none'],
  },
  {
    situation: 'an unknown algorithm',
    old: 'hmac-sha256',
    now: 'hmac-sha265',
    problems: [
      "8 signing.algorithm: must be one of hmac-sha256, hmac-sha1, hmac-sha512, none, did you mean 'hmac-sha256'?",
    ],
  },
  {
    situation: 'an unknown algorithm, next to other problems of the block',
    old: "hmac-sha256\n  key: whsec\n  signed: '{event.id}.{attempt.time:unix}.{body}'\n  join: ' '",
    now: "hmac-sha265\n  key: hexx\n  signed: '{event.id}'\n  joins: ' '",
    problems: [
      "8 signing.algorithm: must be one of hmac-sha256, hmac-sha1, hmac-sha512, none, did you mean 'hmac-sha256'?",
      "9 signing.key: must be one of whsec, text, hex, base64, sha256, sha256_hex, did you mean 'hex'?",
      '10 signing.signed: must contain {body}: a signature that does not cover the body protects nothing',
      '11 signing.joins: unknown field',
    ],
  },
  {
    situation: 'no algorithm, and the other fields of the block',
    old: 'hmac-sha256',
    now: 'none',
    problems: [
      '6 headers.webhook-signature: must not contain {signature}, as signing.algorithm is none',
      '9 signing.key: must be omitted, as signing.algorithm is none',
      '10 signing.signed: must be omitted, as signing.algorithm is none',
      '11 signing.join: must be omitted, as signing.algorithm is none',
    ],
  },
  {
    situation: 'a line break between signatures',
    old: "join: ' '",
    now: 'join: "\\n"',
    problems: ['11 signing.join: must be printable ASCII characters'],
  },
  {
    situation: 'a header that is no text',
    old: "'v1,{signature:base64}'",
    now: '{}',
    problems: ['6 headers.webhook-signature: must be a text'],
  },
  {
    situation: 'names of no type',
    old: 'resource.action',
    now: '{}',
    problems: ['1 names: must name an event type, such as {"reward.updated": "REWARD"}'],
  },
  {
    situation: 'a name that JavaScript keeps in a prototype, among the names',
    old: 'resource.action',
    now: '{"__proto__": x, reward.updated: REWARD}',
    problems: [`1 names.__proto__: must be one of ${eventTypeNames.join(', ')}`],
  },
  {
    situation: 'a name that JavaScript keeps in a prototype, among the headers',
    old: 'webhook-signature:',
    now: "__proto__: 'a\u00e9'\n  webhook-signature:",
    problems: ['6 headers.__proto__: must be printable ASCII characters'],
  },
  { situation: 'sorted keys', old: 'retries:', now: 'sort_keys: true\nretries:', problems: [] },
  {
    situation: 'sorted keys that are no switch',
    old: 'retries:',
    now: 'sort_keys: 1\nretries:',
    problems: ['12 sort_keys: must be true or false'],
  },
  ...['sha256', 'sha256_hex'].map((key) => ({
    situation: `a key that is the ${key} of the secret`,
    old: 'whsec',
    now: key,
    problems: [],
  })),
  {
    situation: 'bodies of a type and of a kind',
    old: 'headers:',
    now: "bodies:\n  reward.updated: { id: '{reward.id}', of: '{transaction.id?}' }\n  REWARD: { id: '{customer.id}' }\nheaders:",
    problems: [],
  },
  {
    situation: 'a body of no type and no kind, and a name that JavaScript keeps in a prototype',
    old: 'headers:',
    now: 'bodies:\n  REWARDS: {}\n  "__proto__": {}\nheaders:',
    problems: ['6 bodies.REWARDS', '7 bodies.__proto__'].map(
      (at) => `${at}: must be a type or a kind: ${[...eventTypeNames, ...eventKinds].join(', ')}`,
    ),
  },
  {
    situation: 'a body that is no object',
    old: 'headers:',
    now: 'bodies:\n  REWARD: text\nheaders:',
    problems: ['6 bodies.REWARD: must be an object of fields and templates'],
  },
  {
    situation: 'a resource that events of the kind do not have',
    old: 'headers:',
    now: "bodies:\n  ACCOUNT_STATUS: { of: ['{reward.id}'] }\nheaders:",
    problems: [
      '6 bodies.ACCOUNT_STATUS.of[0]: must not contain {reward.id}: expected {event.id}, {event.type}, {event.time}, {event.time:unix}, {event.time:unix_ms}, {resource}, {resource.FIELD}, {previous}, {previous.FIELD}, {merchant_key}, {customer_metadata}, {customer}, {account}',
    ],
  },
  {
    situation: 'bodies of some types only, and no body',
    old: "body:\n  id: '{event.id}'\n  data: '{resource}'\n",
    now: `bodies: { ${eventKinds.filter((kind) => !['REWARD', 'STREAK'].includes(kind)).join(': {}, ')}: {}, reward.created: {} }\n`,
    problems: ['2 bodies: must have a body for reward.updated, STREAK, or add body for all types'],
  },
  {
    situation: 'bodies of all types that are sent, and no body',
    old: "names: resource.action\nbody:\n  id: '{event.id}'\n  data: '{resource}'\n",
    now: 'names: { reward.created: R, STREAK: S }\nbodies: { REWARD: {}, STREAK: {} }\n',
    problems: [],
  },
  ...[
    ['within a text', "'a {resource.id?}'", 'body.id'],
    ['in a list', "['{resource.id?}']", 'body.id[0]'],
  ].map(([where, now = '', at]) => ({
    situation: `a question mark ${where}`,
    old: "'{event.id}'\n  data",
    now: `${now}\n  data`,
    problems: [
      `3 ${at}: must not contain {resource.id?}: a question mark omits a field of the body, whose whole text the placeholder must be`,
    ],
  })),
  ...[
    ['header', 'v1,{sig', '{event.id?}v1,{sig', '6 headers.webhook-signature'],
    ['signed text', '.{body}', '.{event.id?}{body}', '10 signing.signed'],
  ].map(([where, old = '', now = '', at]) => ({
    situation: `a question mark in a ${where}`,
    old,
    now,
    problems: [
      `${at}: must not contain {event.id?}: a question mark omits a field of the body, whose whole text the placeholder must be`,
    ],
  })),
  {
    situation: 'a format that the placeholder does not have',
    old: "'{event.id}'\n  data",
    now: "'{event.time:ms}'\n  data",
    problems: [
      '3 body.id: must not contain {event.time:ms}: expected {event.time}, {event.time:unix}, {event.time:unix_ms}',
    ],
  },
]

describe('a description', () => {
  it('is valid as its presets are', async () => {
    expect(await problemsOf(valid)).toEqual([])
    for (const preset of Object.values(presets)) {
      expect(readDescription(sourceFromObject(preset, 'webhooks'))).toEqual(preset)
    }
  })

  it.each(cases)('$situation', async ({ old, now, problems }) => {
    expect(valid).toContain(old)
    expect(await problemsOf(valid.replace(old, now))).toEqual(problems)
  })

  it('without a signature', async () => {
    const unsigned = valid
      .replace(/signing:\n(?: {2}.*\n)+/, 'signing: { algorithm: none }\n')
      .replace('v1,{signature:base64}', '{event.id}')
    expect(await problemsOf(unsigned)).toEqual([])
    const signed = unsigned.replace("webhook-signature: '{event.id}'", "webhook-signature: '{signature:hex}'")
    expect(await problemsOf(signed)).toEqual([
      '6 headers.webhook-signature: must not contain {signature}, as signing.algorithm is none',
    ])
  })

  it.each([[null], [[]], ['text'], [{}]])('%j is refused', (value) => {
    expect(() => readDescription(sourceFromObject(value, 'webhooks'))).toThrow(DocumentError)
  })
})
