import {
  byName,
  byValue,
  canaryKey,
  canarySecret,
  canaryToken,
  cardNumber,
  pick,
  type randomFrom,
} from './canaries.ts'
import { fullKey } from './sandbox.ts'

/** A request as it goes out, canaries and all. */
export interface CanaryRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** The part of the request that its refusal must name: the contract demands the path and a rejected version. */
  named?: string
}

type Random = ReturnType<typeof randomFrom>
type Make = (random: Random) => CanaryRequest

const json = { 'content-type': 'application/json' }
const known = { authorization: `Bearer ${fullKey}` }
const encoded = (random: Random): string => encodeURIComponent(byValue(random))
const header = (random: Random): string => byValue(random).replace(/["\\]/g, '\\$&')
const basic = (credential: string): string => `Basic ${Buffer.from(credential).toString('base64')}`

const intent = (fields: object): object => ({
  customer_id: 'cus_ada',
  amount: 100,
  currency: 'USD',
  ...fields,
})
const posted = (body: string, headers: Record<string, string> = json): CanaryRequest => ({
  method: 'POST',
  path: '/v2/transaction_intents',
  headers: { ...known, ...headers },
  body,
})
const get = (path: string, headers: Record<string, string> = {}): CanaryRequest => ({
  method: 'GET',
  path,
  headers: { ...known, ...headers },
})

/** A position for a secret, recognized by the name next to it. */
const secrets = (random: Random): object => ({
  note: byValue(random),
  [byValue(random)]: 'as a name',
  card: { pan: byValue(random), cvv: byName(random), list: [byValue(random)] },
  ssn4: [byName(random)],
  CVV: { code: byName(random) },
  'payment[cvv]': byName(random),
  Authorization: byName(random),
})

/** Every place a client can put something, well-formed and not. */
const places: Readonly<Record<string, Make>> = {
  path: (random) => {
    const path = `/v2/${pick(random, ['rewards', 'payment_methods', 'transaction_intents', 'nowhere'])}/${encoded(random)}`
    return { ...get(path), named: path }
  },
  'encoded path': (random) => {
    const hex = [...Buffer.from(byValue(random))].map((byte) => `%${byte.toString(16)}`).join('')
    return { ...get(`/v2/rewards/${hex}`), named: `/v2/rewards/${hex}` }
  },
  query: (random) =>
    get(
      `/v2/customers?partner_customer_id=${encoded(random)}&cvv=${byName(random)}&card[ssn4]=${byName(random)}`,
    ),
  'repeated query': (random) =>
    get(
      `/v2/customers?cvv=${byName(random)}&cvv=${byName(random)}&${encoded(random)}=1&limit=${encoded(random)}`,
    ),
  headers: (random) =>
    get('/v2/customers?limit=1', {
      'x-note': header(random),
      referer: `http://app.example/?key=${encodeURIComponent(canaryKey)}`,
      cookie: `session=${byName(random)}`,
      'proxy-authorization': byName(random),
    }),
  'product header': (random) => get('/v2/customers', { 'x-service-merchant-key': header(random) }),
  'version header': (random) => {
    const value = header(random)
    return { ...get('/v2/customers', { 'x-service-version': value }), named: value.slice(0, 64) }
  },
  'a good key': () => get('/v2/customers?limit=1', { authorization: `Bearer ${canaryKey}` }),
  'a good key pair': () => get('/v2/customers?limit=1', { authorization: basic(`key_z:${canarySecret}`) }),
  'a wrong key': (random) => get('/v2/customers', { authorization: `Bearer ${byName(random)}` }),
  'a wrong key pair': (random) =>
    get('/v2/customers', { authorization: basic(`${byName(random)}:${byName(random)}`) }),
  'no scheme': (random) => get('/v2/customers', { authorization: byName(random) }),
  'the token as a key': () => get('/v2/customers', { authorization: `Bearer ${canaryToken}` }),
  'body fields': (random) =>
    posted(JSON.stringify(intent({ customer_id: byValue(random), merchant_name: byValue(random) }))),
  'wrong types': (random) =>
    posted(
      JSON.stringify(
        intent({ amount: byValue(random), merchant_address: byValue(random), currency: byValue(random) }),
      ),
    ),
  'unknown fields': (random) => posted(JSON.stringify(intent(secrets(random)))),
  metadata: (random) => posted(JSON.stringify(intent({ metadata: { deep: [{ deeper: secrets(random) }] } }))),
  numbers: (random) =>
    posted(
      `{"customer_id":"cus_ada","amount":100,"currency":"USD","metadata":{"pan":${cardNumber(random)},"cvv":123}}`,
    ),
  'card search': (random) => ({
    ...posted(JSON.stringify({ customer_id: 'cus_ada', pan: byValue(random), type: byValue(random) })),
    path: '/v2/payment_methods',
  }),
  link: (random) => ({
    ...posted(JSON.stringify({ partner_customer_id: byValue(random), cvv: byName(random) })),
    path: '/v2/customers/cus_ben/link',
  }),
  'a body that breaks off': (random) => posted(JSON.stringify(intent(secrets(random))).slice(0, -3)),
  'a body in other quotes': (random) =>
    posted(`{'cvv':'${byName(random)}','note':${JSON.stringify(byValue(random))}}`),
  'a body with more behind it': (random) =>
    posted(`{"amount":1} ssn4=${byName(random)}&pan=${byValue(random)}`),
  'a text': (random) => posted(JSON.stringify(byValue(random))),
  'a form': (random) =>
    posted(`cvv=${byName(random)}&pan=${encoded(random)}`, {
      'content-type': 'application/x-www-form-urlencoded',
    }),
  'plain text': (random) => posted(`${byName(random)} ${byValue(random)}`, { 'content-type': 'text/plain' }),
  'an odd type': (random) => posted('{}', { 'content-type': `application/json; x="${header(random)}"` }),
  'a key to be made': (random) => ({ ...posted(JSON.stringify(secrets(random))), path: '/v2/keys' }),
}

const heavy: Readonly<Record<string, Make>> = {
  'too large': (random) =>
    posted(JSON.stringify({ cvv: byName(random), fill: `${byValue(random)} `.repeat(60_000) })),
  'too deep': (random) => posted(`${'['.repeat(2000)}${JSON.stringify(byValue(random))}${']'.repeat(2000)}`),
}

/** Calls of the control plane that are refused, for their token or for what they send. */
const control: Readonly<Record<string, Make>> = {
  'a wrong token': (random) => get('/_sandbox/state', { authorization: `Bearer ${byName(random)}` }),
  'no token': (random) => ({
    method: 'PUT',
    path: `/_sandbox/state/customers/${encoded(random)}`,
    headers: json,
    body: JSON.stringify(secrets(random)),
  }),
  'a broken body': (random) => ({
    method: 'PUT',
    path: '/_sandbox/state/customers/cus_new',
    headers: { ...json, authorization: `Bearer ${canaryToken}` },
    body: JSON.stringify({ first_name: '4242 4242 4242 4242', last_name: cardNumber(random) }).slice(0, -1),
  }),
}

/** One of them after the other; the heavy ones come seldom. */
export function canaryRequest(random: Random, number: number): { place: string; request: CanaryRequest } {
  const [among, every] = number % 400 === 0 ? [heavy, 400] : number % 20 === 0 ? [control, 20] : [places, 1]
  const names = Object.keys(among)
  const place = names[Math.floor(number / every) % names.length] ?? ''
  const make = among[place]
  if (!make) throw new Error(`there is no place '${place}'`)
  return { place, request: make(random) }
}
