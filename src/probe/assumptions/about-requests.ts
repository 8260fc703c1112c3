// Probes of the assumptions about bodies, queries and headers of requests, and optional fields.
import { searchCustomers } from '../../endpoints/customers.ts'
import { retrieveReward } from '../../endpoints/rewards.ts'
import { retrieveTransactionIntent } from '../../endpoints/transaction-intents.ts'
import { pathTo } from '../path-to.ts'
import { assumptionCatalogue, valuesOf } from '../../contract/assumptions.ts'
import { docs } from '../../contract/docs.ts'
import { fieldsIn } from '../../contract/schema-shape.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { customer } from '../../contract/resources/customer.ts'
import { reward } from '../../contract/resources/reward.ts'
import { transactionIntent } from '../../contract/resources/transaction-intent.ts'
import { firstRequest } from '../request-sender.ts'
import type { Answer } from '../read-answer.ts'
import { bisect, type Bisected } from '../bisect.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, other, value, type Given, type Probe, type Reading, type Step } from '../probe.ts'
import { found, need } from '../target.ts'
import { anyRead, plainRead, step } from './common-steps.ts'
import type { ProbesOf } from './probes-of.ts'
import {
  asJson,
  rejectedIntentStep,
  faultless,
  fateOf,
  rejectedIntent,
  openRejectedIntent,
  ruleProbe,
  unlessFaultless,
} from './rejected-intent.ts'
import { idsOfIntent, newIntent } from './new-intent.ts'
import { isSuccess } from '../answers.ts'
import { answerTo } from './readings.ts'

type Ids =
  | 'malformed_json_shape'
  | 'unsupported_media_type'
  | 'body_max_bytes'
  | 'body_max_depth'
  | 'metadata_max_depth'
  | 'metadata_max_bytes'
  | 'accept_header'
  | 'json_byte_order_mark'
  | 'duplicate_json_keys'
  | 'unknown_body_fields'
  | 'unknown_query_parameters'
  | 'null_request_fields'
  | 'empty_optional_fields'
  | 'repeated_query_parameter'
  | 'idempotency_key'

/** A limit of the body of an intent for an unknown customer. */
function limitProbe(
  id: 'body_max_bytes' | 'body_max_depth' | 'metadata_max_depth' | 'metadata_max_bytes',
  how: Pick<Bisected, 'request' | 'passes' | 'control'>,
): Probe<number> {
  const range = assumptionCatalogue[id].range
  if (!range) throw new Error(`${id} has no range`)
  const ask = faultless
  return bisect({
    id,
    needs: [],
    range,
    likely: valuesOf(id),
    risk: 'refusal',
    method: ask.method,
    path: (given) => ask.path(given),
    ...how,
  })
}

/** If the limit of metadata is exceeded, the answer is a violation; any other refusal comes from another limit. */
function metadataPasses(answer: Answer): boolean | undefined {
  if (fateOf(answer) === 'passed') return true
  const error = errorIn(answer)
  return error?.shape === 'A' && error.details.some((detail) => detail.includes('metadata'))
    ? false
    : undefined
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const maxLevels = assumptionCatalogue.metadata_max_depth.range?.[1] ?? 0
/** The size is equal at any depth, so that a limit of size is not mistaken for one of depth. */
const maxBytesOfNested = `{"":${nested(maxLevels)},"p":""}`.length
function nestedMetadata(levels: number): string {
  const inner = levels > 1 ? `"":${nested(levels - 1)},` : ''
  return `{${inner}"p":"${'x'.repeat(maxBytesOfNested - inner.length - `{"p":""}`.length)}"}`
}

const withMetadata = (metadata: string) => asJson(`${openRejectedIntent},"metadata":${metadata}}`)
const unknownField = (json: string) => asJson(`${openRejectedIntent},"cannot_exist":${json}}`)
const anUnknownField = rejectedIntentStep('unknown field', unknownField('1'))

const malformed = `${openRejectedIntent},`
const twice = (first: string, second: string) =>
  asJson(
    JSON.stringify(rejectedIntent).replace(
      '"currency":"USD"',
      `"currency":"${first}","currency":"${second}"`,
    ),
  )

/** Rows that probably lack some optional field. */
const rowsWithOptional = [
  { name: 'customers', endpoint: searchCustomers, schema: customer },
  { name: 'reward', endpoint: retrieveReward, schema: reward, id: 'ids.reward' },
  { name: 'intent', endpoint: retrieveTransactionIntent, schema: transactionIntent, id: 'ids.intent' },
] as const

const rowSteps = rowsWithOptional.map((row): Step => {
  const { name, endpoint } = row
  if (!('id' in row)) return step(name, 'read', 'GET', endpoint.path)
  const [parameter = ''] = Object.keys(endpoint.params)
  return {
    name,
    risk: 'read',
    method: 'GET',
    path: ({ target }) => pathTo(endpoint, { [parameter]: found(target, row.id) }),
    request: ({ target }) => (found(target, row.id) === undefined ? undefined : {}),
  }
})

/** Three are enough to show the rule. */
const some = (fields: ReadonlySet<string>): string => [...fields].slice(0, 3).join(', ')

/** Returns how rows show optional fields without a value; fields that need a missing scope are excluded. */
function readEmptyFields(given: Given): Reading<'absent' | 'null'> {
  const absent = new Set<string>()
  const empty = new Set<string>()
  for (const { name, schema } of rowsWithOptional) {
    const json = given.answer(name)?.json
    const rows = isJsonObject(json) && Array.isArray(json['data']) ? json['data'] : [json]
    const optional = fieldsIn(schema)
      .filter(({ isOptional, schema: field }) => isOptional && !docs.get(field)?.['x-requires-scope'])
      .map(({ name: field }) => field)
    for (const row of rows.filter((one) => isJsonObject(one) && typeof one['id'] === 'string')) {
      for (const field of optional) {
        if (row[field] === null) empty.add(`${name}.${field}`)
        else if (row[field] === undefined) absent.add(`${name}.${field}`)
      }
    }
  }
  if (absent.size === 0 && empty.size === 0)
    return cannotTell(
      'every optional field of the rows read has a value',
      '1 row with an optional field that has none',
    )
  if (absent.size > 0 && empty.size > 0) return other(`null: ${some(empty)}; omitted: ${some(absent)}`)
  return value(absent.size > 0 ? 'absent' : 'null')
}

const searchFor = (name: string, ...ids: ((given: Pick<Given, 'target'>) => string)[]): Step => ({
  name,
  risk: 'read',
  method: 'GET',
  path: (given) => {
    const query = ids.map((id) => `partner_customer_id=${encodeURIComponent(id(given))}`)
    return `${searchCustomers.path}?${query.join('&')}`
  },
  request: () => ({}),
})
const theOne = ({ target }: Pick<Given, 'target'>): string => need(target, 'ids.partner_customer_id')
const unknownCustomer = (): string => 'cannot_exist'

/** Whether a search found exactly the requested customer. */
function isFound(given: Given, name: string): boolean {
  const { json } = answerTo(given, name)
  const data = isJsonObject(json) ? json['data'] : undefined
  if (!Array.isArray(data) || data.length !== 1) return false
  return isJsonObject(data[0]) && data[0]['partner_customer_id'] === theOne(given)
}

export const requestProbes: Pick<ProbesOf<Ids>, Ids> = {
  malformed_json_shape: {
    id: 'malformed_json_shape',
    needs: [],
    steps: [faultless, rejectedIntentStep('malformed', asJson(malformed))],
    read(given) {
      const unclear = unlessFaultless(given)
      if (unclear) return unclear
      const answer = answerTo(given, 'malformed')
      const fate = fateOf(answer)
      return fate === 'A' || fate === 'B' ? value(fate) : other(briefly(answer))
    },
  },
  unsupported_media_type: {
    id: 'unsupported_media_type',
    needs: [],
    steps: [
      faultless,
      rejectedIntentStep('as text', {
        body: JSON.stringify(rejectedIntent),
        headers: { 'content-type': 'text/plain' },
      }),
    ],
    read(given) {
      const unclear = unlessFaultless(given)
      if (unclear) return unclear
      const answer = answerTo(given, 'as text')
      if (fateOf(answer) === 'passed') return value('accept')
      const known = valuesOf('unsupported_media_type').find((status) => status === answer.status)
      return known === undefined ? other(briefly(answer)) : value(known)
    },
  },
  body_max_bytes: limitProbe('body_max_bytes', {
    control: faultless,
    request: (size) => asJson(JSON.stringify(rejectedIntent).padEnd(size)),
    passes(answer) {
      const fate = fateOf(answer)
      if (fate === 'passed') return true
      return answer.status === 413 || fate !== undefined ? false : undefined
    },
  }),
  body_max_depth: limitProbe('body_max_depth', {
    control: anUnknownField,
    request: (levels) => unknownField(nested(levels - 1)),
    passes(answer, control) {
      if (fateOf(answer) === 'passed') return true
      if (fateOf(answer) === undefined) return undefined
      // An unknown field is refused at any depth.
      const [details, usual] = [answer, control].map((one) => one && errorIn(one))
      return fateOf(answer) === 'A' && JSON.stringify(details) === JSON.stringify(usual)
    },
  }),
  metadata_max_depth: limitProbe('metadata_max_depth', {
    control: rejectedIntentStep('flat', withMetadata(nestedMetadata(1))),
    request: (levels) => withMetadata(nestedMetadata(levels)),
    passes: metadataPasses,
  }),
  metadata_max_bytes: limitProbe('metadata_max_bytes', {
    control: faultless,
    request: (size) => withMetadata(`{"p":"${'x'.repeat(size - `{"p":""}`.length)}"}`),
    passes: metadataPasses,
  }),
  accept_header: {
    id: 'accept_header',
    needs: [],
    steps: [plainRead, anyRead('as XML', { headers: { accept: 'application/xml' } })],
    read(given) {
      const [plain, answer] = [answerTo(given, plainRead.name), answerTo(given, 'as XML')]
      if (!isSuccess(plain)) return cannotTell(`a read is answered ${briefly(plain)}`)
      const isJson = answer.status === plain.status && answer.json !== undefined
      return isJson ? value('ignored') : other(briefly(answer))
    },
  },
  json_byte_order_mark: {
    id: 'json_byte_order_mark',
    needs: [],
    steps: [faultless, rejectedIntentStep('with a mark', asJson(`\ufeff${JSON.stringify(rejectedIntent)}`))],
    read(given) {
      const unclear = unlessFaultless(given)
      if (unclear) return unclear
      const answer = answerTo(given, 'with a mark')
      const fate = fateOf(answer)
      if (fate === 'passed') return value('accepted')
      return fate === undefined ? other(briefly(answer)) : value('refused')
    },
  },
  duplicate_json_keys: {
    id: 'duplicate_json_keys',
    needs: [],
    steps: [
      faultless,
      rejectedIntentStep('the same twice', asJson(twice('USD', 'USD').body ?? '')),
      rejectedIntentStep('a wrong one first', asJson(twice('none', 'USD').body ?? '')),
    ],
    read(given) {
      const unclear = unlessFaultless(given)
      if (unclear) return unclear
      const same = answerTo(given, 'the same twice')
      const fate = fateOf(same)
      if (fate === undefined) return other(briefly(same))
      if (fate !== 'passed') return value('refused')
      const wrongFirst = answerTo(given, 'a wrong one first')
      return fateOf(wrongFirst) === 'passed' ? value('last_wins') : other(briefly(wrongFirst))
    },
  },
  unknown_body_fields: ruleProbe('unknown_body_fields', unknownField('1'), {
    passed: 'ignore',
    refused: 'refuse',
  }),
  unknown_query_parameters: {
    id: 'unknown_query_parameters',
    needs: [],
    steps: [anyRead('plain'), step('unknown', 'refusal', 'GET', `${firstRequest.path}?cannot_exist=1`)],
    read(given) {
      const answer = answerTo(given, 'unknown')
      if (isSuccess(answer)) return value('ignore')
      return fateOf(answer) === 'A' ? value('refuse') : other(briefly(answer))
    },
  },
  null_request_fields: ruleProbe(
    'null_request_fields',
    { json: { ...rejectedIntent, merchant_name: null } },
    { passed: 'absent', refused: 'refuse' },
  ),
  empty_optional_fields: { id: 'empty_optional_fields', needs: [], steps: rowSteps, read: readEmptyFields },
  repeated_query_parameter: {
    id: 'repeated_query_parameter',
    needs: ['ids.partner_customer_id'],
    steps: [
      searchFor('once', theOne),
      searchFor('first', theOne, unknownCustomer),
      searchFor('last', unknownCustomer, theOne),
    ],
    read(given) {
      if (!isFound(given, 'once'))
        return cannotTell(
          'a search for ids.partner_customer_id does not find one customer',
          'the partner_customer_id of a customer',
        )
      const answers = ['first', 'last'].map((name) => answerTo(given, name))
      if (answers.every((answer) => fateOf(answer) === 'A')) return value('refuse')
      const failed = answers.find((answer) => !isSuccess(answer))
      if (failed) return other(briefly(failed))
      const [first, last] = [isFound(given, 'first'), isFound(given, 'last')]
      if (first === last)
        return other(first ? 'each of the two is looked for' : 'neither of the two is looked for')
      return value(first ? 'first' : 'last')
    },
  },
  // A header that is not refused may still have an effect, so two intents are created.
  idempotency_key: {
    id: 'idempotency_key',
    needs: idsOfIntent,
    steps: [
      rejectedIntentStep('for an unknown customer', {
        json: rejectedIntent,
        headers: { 'idempotency-key': 'cannot_exist' },
      }),
      newIntent('once', withIdempotencyKey),
      newIntent('again', withIdempotencyKey),
    ],
    read(given) {
      const refused = answerTo(given, 'for an unknown customer')
      const fate = fateOf(refused)
      if (fate === undefined) return other(briefly(refused))
      if (fate !== 'passed') return value('refused')
      const [once, again] = [answerTo(given, 'once'), answerTo(given, 'again')]
      if (!isSuccess(once))
        return cannotTell(
          `an intent is answered ${briefly(once)}`,
          'ids of a customer and their payment method',
        )
      if (isSuccess(again))
        return idIn(once) === idIn(again) ? other('the first intent again') : value('ignored')
      // Refused for the network id of the first one: the call was processed again.
      const error = errorIn(again)
      const isProcessedAgain =
        error?.shape === 'A' && error.details.some((detail) => detail.includes('network_transaction_id'))
      return isProcessedAgain ? value('ignored') : other(briefly(again))
    },
  },
}

function withIdempotencyKey(given: Given) {
  if (fateOf(answerTo(given, 'for an unknown customer')) !== 'passed') return undefined
  return { headers: { 'idempotency-key': `${given.run}-idempotency` }, networkId: 'idempotency' }
}

function idIn({ json }: Answer): unknown {
  return isJsonObject(json) ? json['id'] : undefined
}
