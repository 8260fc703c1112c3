import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { effects as declaredEffects } from '../../src/scenarios/effects/index.ts'
import { readScenario } from '../../src/scenarios/read-scenario.ts'
import type { Scenario } from '../../src/scenarios/scenario.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { sourceFromObject, sourceFromText } from '../../src/input/source-file.ts'
import { rowSchemas } from '../../src/store/rows.ts'
import { cli, folderWith } from '../helpers/fake-io.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** A scenario with these rules, as YAML. */
function rules(...written: string[]): string {
  const list = written.map((rule) => `  - ${rule.split('\n').join('\n    ')}\n`)
  return `name: x\ndescription: d\nrules:\n${list.join('')}`
}

async function read(text: string): Promise<Scenario> {
  return readScenario(await sourceFromText(text, 'x.yaml', '.yaml'))
}

/** Everything that is said about a text; empty when it is fine. */
async function messageOf(text: string): Promise<string> {
  try {
    await read(text)
    return ''
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return error.message
  }
}

/** Each scenario with everything that is said about it. */
const broken: [title: string, text: string, message: string][] = [
  [
    'no object',
    `hello
`,
    `x.yaml:1:1: must be an object with name, description and rules
hello
^`,
  ],
  [
    'a key that nothing reads, and no rules',
    `name: x
description: d
rulez: []
`,
    `x.yaml:3:1 rulez: unknown key 'rulez', did you mean 'rules'?
rulez: []
^`,
  ],
  [
    'no name, no description, no rule',
    `name: Late Answer
rules: []
`,
    `x.yaml:1:7 name: must be 1 to 64 of a-z, 0-9 and -, such as reward-vanishes
name: Late Answer
      ^
x.yaml:1:1 description: must describe the scenario in one line
name: Late Answer
^
x.yaml:2:8 rules: must be a list with at least one rule
rules: []
       ^`,
  ],
  [
    'an unknown operation',
    rules(`on: retreiveReward
effect: not_found`),
    `x.yaml:4:9 rules[0].on: unknown operation 'retreiveReward', did you mean 'retrieveReward'?
  - on: retreiveReward
        ^`,
  ],
  [
    'an unknown operation in a list',
    rules(`on: [retrieveReward, updateRewards]
effect: not_found`),
    `x.yaml:4:26 rules[0].on[1]: unknown operation 'updateRewards', did you mean 'updateReward'?
  - on: [retrieveReward, updateRewards]
                         ^`,
  ],
  [
    'no operation',
    rules('effect: unauthenticated'),
    `x.yaml:4:5 rules[0].on: must be an operation id, a list of them, or "*"
  - effect: unauthenticated
    ^`,
  ],
  [
    'an unknown effect',
    rules(`on: retrieveReward
effect: notfound`),
    `x.yaml:5:13 rules[0].effect: unknown effect 'notfound', did you mean 'not_found'?
    effect: notfound
            ^`,
  ],
  [
    'an unknown effect with a value',
    rules(`on: retrieveReward
effect: { latencey: 250 }`),
    `x.yaml:5:15 rules[0].effect.latencey: unknown effect 'latencey', did you mean 'latency'?
    effect: { latencey: 250 }
              ^`,
  ],
  [
    'no effect',
    rules(`on: "*"
calls: "1"`),
    `x.yaml:4:5 rules[0].effect: must be an effect, or a list of them: ${declaredEffects.map(({ name }) => name).join(', ')}
  - on: "*"
    ^`,
  ],
  [
    'an effect for every operation that fits none',
    rules(`on: "*"
effect: { not_found: shoe_id }`),
    `x.yaml:5:26 rules[0].effect.not_found: createTransactionIntent has no not-found error for 'shoe_id', expected one of: customer_id, payment_method_id
    effect: { not_found: shoe_id }
                         ^`,
  ],
  [
    'an effect that needs a value',
    rules(`on: "*"
effect: latency`),
    `x.yaml:5:13 rules[0].effect: needs a value, as in {latency: …}: Delays the call: fixed, uniform between min and max, or lognormal around a median.
    effect: latency
            ^`,
  ],
  [
    'two effects in one',
    rules(`on: "*"
effect: { latency: 1, transport: reset }`),
    `x.yaml:5:13 rules[0].effect: has several effects (latency, transport): write them as a list
    effect: { latency: 1, transport: reset }
            ^`,
  ],
  [
    'unknown keys of a rule and of when',
    rules(`on: "*"
when: { method: GET }
effekt: not_found
effect: unauthenticated`),
    `x.yaml:6:5 rules[0].effekt: unknown key 'effekt', did you mean 'effect'?
    effekt: not_found
    ^
x.yaml:5:13 rules[0].when.method: unknown key 'method', expected one of: params, query, headers, body, key, product
    when: { method: GET }
            ^`,
  ],
  [
    'a mistyped effect is told once',
    rules(`on: "*"
efect: not_found`),
    `x.yaml:5:5 rules[0].efect: unknown key 'efect', did you mean 'effect'?
    efect: not_found
    ^`,
  ],
  [
    'an unknown key beside an effect',
    rules(`on: "*"
effect: { transport: reset, after: 1 }`),
    `x.yaml:5:33 rules[0].effect.after: unknown key 'after', expected one of: transport, at
    effect: { transport: reset, after: 1 }
                                ^`,
  ],
  [
    'an unknown error',
    rules(`on: retrieveReward
effect: { error: RATE_LIMT_ERROR }`),
    `x.yaml:5:22 rules[0].effect.error: unknown error 'RATE_LIMT_ERROR', did you mean 'RATE_LIMIT_ERROR'?
    effect: { error: RATE_LIMT_ERROR }
                     ^`,
  ],
  [
    'an error that the operation does not declare',
    rules(`on: retrieveReward
effect: { error: FORBIDDEN_ERROR }`),
    `x.yaml:5:22 rules[0].effect.error: retrieveReward does not declare FORBIDDEN_ERROR, expected one of: REWARD_NOT_FOUND_ERROR, BAD_REQUEST_ERROR, RATE_LIMIT_ERROR, INTERNAL_ERROR, SERVICE_UNAVAILABLE_ERROR
    effect: { error: FORBIDDEN_ERROR }
                     ^`,
  ],
  [
    'a not-found error that it does not have',
    rules(`on: createTransactionIntent
effect: { not_found: reward_id }`),
    `x.yaml:5:26 rules[0].effect.not_found: createTransactionIntent has no not-found error for 'reward_id', expected one of: customer_id, payment_method_id
    effect: { not_found: reward_id }
                         ^`,
  ],
  [
    'several not-found errors, and none is named',
    rules(`on: createTransactionIntent
effect: not_found`),
    `x.yaml:5:13 rules[0].effect: createTransactionIntent has several not-found errors: name one of customer_id, payment_method_id
    effect: not_found
            ^`,
  ],
  [
    'no not-found error at all',
    rules(`on: searchCustomers
effect: not_found`),
    `x.yaml:5:13 rules[0].effect: searchCustomers has no not-found error
    effect: not_found
            ^`,
  ],
  [
    'an unknown scope',
    rules(`on: listStatements
effect: { missing_scope: ACOUNT_READ }`),
    `x.yaml:5:30 rules[0].effect.missing_scope: unknown scope 'ACOUNT_READ', did you mean 'ACCOUNT_READ'?
    effect: { missing_scope: ACOUNT_READ }
                             ^`,
  ],
  [
    'a scope that makes no difference',
    rules(`on: listStatements
effect: { missing_scope: ORDER_WRITE }`),
    `x.yaml:5:30 rules[0].effect.missing_scope: listStatements does not depend on ORDER_WRITE, but on ACCOUNT_READ
    effect: { missing_scope: ORDER_WRITE }
                             ^`,
  ],
  [
    'no scope at all',
    rules(`on: retrieveReward
effect: missing_scope`),
    `x.yaml:5:13 rules[0].effect: retrieveReward needs no scope
    effect: missing_scope
            ^`,
  ],
  [
    'an unknown version',
    rules(`on: "*"
effect: { unsupported_version: { supported: [2025-05-06] } }`),
    `x.yaml:5:50 rules[0].effect.unsupported_version.supported[0]: unknown version '2025-05-06', did you mean '2025-05-05'?
    effect: { unsupported_version: { supported: [2025-05-06] } }
                                                 ^`,
  ],
  [
    'an unknown path parameter',
    rules(`on: retrieveReward
when: { params: { rewardid: a } }
effect: not_found`),
    `x.yaml:5:23 rules[0].when.params.rewardid: unknown path parameter 'rewardid', did you mean 'reward_id'?
    when: { params: { rewardid: a } }
                      ^`,
  ],
  [
    'a path parameter that one of the operations lacks',
    rules(`on: [retrieveReward, listStatements]
when: { params: { reward_id: a } }
effect: { latency: 5 }`),
    `x.yaml:5:23 rules[0].when.params.reward_id: can never match listStatements, which has no path parameter 'reward_id'
    when: { params: { reward_id: a } }
                      ^`,
  ],
  [
    'an unknown query parameter',
    rules(`on: searchCustomers
when: { query: { limits: 5 } }
effect: { page: empty }`),
    `x.yaml:5:22 rules[0].when.query.limits: unknown query parameter 'limits', did you mean 'limit'?
    when: { query: { limits: 5 } }
                     ^`,
  ],
  [
    'a body where none is taken',
    rules(`on: retrieveReward
when: { body: { amount: 5 } }
effect: not_found`),
    `x.yaml:5:13 rules[0].when.body: can never match retrieveReward, which takes no body
    when: { body: { amount: 5 } }
            ^`,
  ],
  [
    'an event effect for an operation',
    rules(`on: updateReward
effect: { event: duplicate }`),
    `x.yaml:4:9 rules[0].on: 'updateReward' is an operation, and the effect is for events: expected "*" or one of: transaction_intent.created, transaction_intent.updated, reward.created, reward.updated, customer.linked, order_event.deleted, statement.created, transaction.approved, transaction.updated, transaction.voided, transaction.captured, transaction.refunded, payment_method.created, payment_method.updated, account.closed, APPLICATION, STREAK
  - on: updateReward
        ^`,
  ],
  [
    'an effect on calls for an event type',
    rules(`on: [updateReward, reward.updated]
effect: { latency: 5 }`),
    `x.yaml:4:24 rules[0].on[1]: 'reward.updated' is an event type, and the effect is for calls: expected an operation id, or an effect such as {event: duplicate}
  - on: [updateReward, reward.updated]
                       ^`,
  ],
  [
    'an unknown event type',
    rules(`on: reward.update
effect: { event: drop }`),
    `x.yaml:4:9 rules[0].on: unknown event type 'reward.update', did you mean 'reward.updated'?
  - on: reward.update
        ^`,
  ],
  [
    'an unknown event effect',
    rules(`on: reward.updated
effect: { event: duplicated }`),
    `x.yaml:5:22 rules[0].effect.event: unknown event effect 'duplicated', did you mean 'duplicate'?
    effect: { event: duplicated }
                     ^`,
  ],
  [
    'an event effect that is mistyped itself',
    rules(`on: reward.updated
effect: { evnt: drop }`),
    `x.yaml:5:15 rules[0].effect.evnt: unknown effect 'evnt', did you mean 'event'?
    effect: { evnt: drop }
              ^`,
  ],
  [
    'an event effect without a value',
    rules(`on: "*"
effect: event`),
    `x.yaml:5:13 rules[0].effect: needs a value, as in {event: …}: Changes the deliveries of webhook events: the rule names event types, and its calls count events. See events.md.
    effect: event
            ^`,
  ],
  [
    'a delay that is no duration',
    rules(`on: "*"
effect: { event: { delay: 5 minutes } }`),
    `x.yaml:5:31 rules[0].effect.event.delay: must be a duration, such as 5s, 5m or 24h
    effect: { event: { delay: 5 minutes } }
                              ^`,
  ],
  [
    'effects for calls and for events',
    rules(`on: "*"
effect:
  - { event: drop }
  - { latency: 5 }`),
    `x.yaml:7:9 rules[0].effect[1]: latency is for calls, and the rule is for events: write two rules
      - { latency: 5 }
        ^`,
  ],
  [
    'conditions and off_contract of a rule for events',
    rules(`on: "*"
when: { product: mk_summit }
off_contract: true
effect: { event: drop }`),
    `x.yaml:5:5 rules[0].when: must be omitted: its conditions are about calls, and a rule for events counts every event of its types
    when: { product: mk_summit }
    ^
x.yaml:6:5 rules[0].off_contract: must be omitted: the contract shows no events
    off_contract: true
    ^`,
  ],
  [
    'a regular expression',
    rules(`on: retrieveReward
when: { params: { reward_id: /^rwd_(/ } }
effect: not_found`),
    `x.yaml:5:34 rules[0].when.params.reward_id: must be no regular expression: use an exact value, or a glob with * and ?
    when: { params: { reward_id: /^rwd_(/ } }
                                 ^`,
  ],
  [
    'a regular expression without slashes',
    rules(`on: retrieveReward
when: { headers: { x-client: '^app-\\d+$' } }
effect: not_found`),
    `x.yaml:5:34 rules[0].when.headers.x-client: must be no regular expression: use an exact value, or a glob with * and ?
    when: { headers: { x-client: '^app-\\d+$' } }
                                 ^`,
  ],
  ...['1.5', '1e21'].map((written): [string, string, string] => [
    `a number that is compared as another text: ${written}`,
    rules(`on: retrieveReward
when: { headers: { x-size: ${written} } }
effect: not_found`),
    `x.yaml:5:32 rules[0].when.headers.x-size: must be in quotes: it is compared as text
    when: { headers: { x-size: ${written} } }
                               ^`,
  ]),
  [
    'a header that only the journal reads',
    rules(`on: retrieveReward
when: { headers: { X-Sandbox-Test: 'pays*', x-sandbox-scenario: slow } }
effect: not_found`),
    `x.yaml:5:24 rules[0].when.headers.X-Sandbox-Test: must be no header of the sandbox, which the service does not know: activate the scenario in the workspace of the test
    when: { headers: { X-Sandbox-Test: 'pays*', x-sandbox-scenario: slow } }
                       ^
x.yaml:5:49 rules[0].when.headers.x-sandbox-scenario: must be no header of the sandbox, which the service does not know: activate the scenario in the workspace of the test
    when: { headers: { X-Sandbox-Test: 'pays*', x-sandbox-scenario: slow } }
                                                ^`,
  ],
  [
    'a glob of more than 200 characters',
    rules(`on: retrieveReward
when:
  params:
    reward_id:
      '*${'a'.repeat(200)}'
effect: not_found`),
    `x.yaml:8:11 rules[0].when.params.reward_id: must be at most 200 characters long, as it is a glob (it has * or ?)
          '*${'a'.repeat(58)}…
          ^`,
  ],
  [
    'a regular expression as a YAML tag',
    rules(`on: retrieveReward
when: { params: { reward_id: !!js/regexp /a/ } }
effect: not_found`),
    `x.yaml:5:34: Unresolved tag: tag:yaml.org,2002:js/regexp
    when: { params: { reward_id: !!js/regexp /a/ } }
                                 ^`,
  ],
  [
    'a regular expression in an object',
    rules(`on: retrieveReward
when: { params: { reward_id: { regex: a } } }
effect: not_found`),
    `x.yaml:5:34 rules[0].when.params.reward_id: must be a text: an exact value, or a glob with * and ?
    when: { params: { reward_id: { regex: a } } }
                                 ^`,
  ],
  [
    'template text in a condition',
    rules(`on: retrieveReward
when: { params: { reward_id: '{{ id }}' } }
effect: not_found`),
    `x.yaml:5:34 rules[0].when.params.reward_id: must be no template: scenarios hold exact values and globs only
    when: { params: { reward_id: '{{ id }}' } }
                                 ^`,
  ],
  [
    'template text in an answer',
    rules(`on: retrieveReward
effect: { respond: { status: 200, body: { id: '\${request.id}' } } }`),
    `x.yaml:5:51 rules[0].effect.respond.body.id: must be no template: scenarios hold exact values and globs only
    effect: { respond: { status: 200, body: { id: '\${request.id}' } } }
                                                  ^`,
  ],
  [
    'template text in a message',
    rules(`on: retrieveReward
effect: { error: INTERNAL_ERROR, message: '<%= id %>' }`),
    `x.yaml:5:47 rules[0].effect.message: must be no template: scenarios hold exact values and globs only
    effect: { error: INTERNAL_ERROR, message: '<%= id %>' }
                                              ^`,
  ],
  [
    'code as a YAML tag',
    rules(`on: retrieveReward
effect: !!js/function 'function () {}'`),
    `x.yaml:5:13: Unresolved tag: tag:yaml.org,2002:js/function
    effect: !!js/function 'function () {}'
            ^`,
  ],
  [
    'a range that ends before it starts',
    rules(`on: retrieveReward
calls: 3..1
effect: not_found`),
    `x.yaml:5:12 rules[0].calls: must be "1", "2..", "1..3" or "every 3", counted from 1, or "1%" to "100%"
    calls: 3..1
           ^`,
  ],
  [
    'call number nought',
    rules(`on: retrieveReward
calls: 0
effect: not_found`),
    `x.yaml:5:12 rules[0].calls: must be "1", "2..", "1..3" or "every 3", counted from 1, or "1%" to "100%"
    calls: 0
           ^`,
  ],
  [
    'a latency below nought',
    rules(`on: "*"
effect: { latency: -1 }`),
    `x.yaml:5:24 rules[0].effect.latency: must be 0 to 600000
    effect: { latency: -1 }
                       ^`,
  ],
  [
    'a latency that ends before it starts',
    rules(`on: "*"
effect: { latency: { min: 5, max: 1 } }`),
    `x.yaml:5:24 rules[0].effect.latency: must have a min that is not above max
    effect: { latency: { min: 5, max: 1 } }
                       ^`,
  ],
  [
    'a spread that is too large',
    rules(`on: "*"
effect: { latency: { median: 5, sigma: 9 } }`),
    `x.yaml:5:44 rules[0].effect.latency.sigma: must be 0 to 5
    effect: { latency: { median: 5, sigma: 9 } }
                                           ^`,
  ],
  [
    'a page of nothing',
    rules(`on: listStatements
effect: { page: { size: 0 } }`),
    `x.yaml:5:29 rules[0].effect.page.size: must be a whole number from 1 to 100
    effect: { page: { size: 0 } }
                            ^`,
  ],
  [
    'an unknown change of pages',
    rules(`on: listStatements
effect: { page: emty }`),
    `x.yaml:5:21 rules[0].effect.page: unknown value 'emty', did you mean 'empty'?
    effect: { page: emty }
                    ^`,
  ],
  [
    'pages where there are none, and a total that one lacks',
    rules(`on: [retrieveReward, listStatements]
effect: { page: wrong_total }`),
    `x.yaml:5:21 rules[0].effect.page: retrieveReward has no pages
    effect: { page: wrong_total }
                    ^
x.yaml:5:21 rules[0].effect.page: listStatements has no total
    effect: { page: wrong_total }
                    ^`,
  ],
  [
    'a cursor that the operation does not answer with',
    rules(`on: searchCustomers
effect: { page: missing_cursor }`),
    `x.yaml:5:21 rules[0].effect.page: searchCustomers answers with no cursor
    effect: { page: missing_cursor }
                    ^`,
  ],
  [
    'an unknown collection',
    rules(`on: updateReward
effect: { change: { reward: { a: { status: AVAILABLE } } } }`),
    `x.yaml:5:25 rules[0].effect.change.reward: unknown collection 'reward', did you mean 'rewards'?
    effect: { change: { reward: { a: { status: AVAILABLE } } } }
                        ^`,
  ],
  [
    'an unknown field and a value that no row can have',
    rules(`on: updateReward
effect: { change: { rewards: { a: { state: x, status: AVAILBLE } } } }`),
    `x.yaml:5:41 rules[0].effect.change.rewards.a.state: unknown key 'state', expected one of: ${Object.keys(rowSchemas.rewards.shape).join(', ')}
    effect: { change: { rewards: { a: { state: x, status: AVAILBLE } } } }
                                        ^
x.yaml:5:59 rules[0].effect.change.rewards.a.status: unknown value 'AVAILBLE', did you mean 'AVAILABLE'?
    effect: { change: { rewards: { a: { state: x, status: AVAILBLE } } } }
                                                          ^`,
  ],
  [
    'a value that the calls do not have',
    rules(`on: updateReward
effect: { change: { rewards: { $rewardid: null } } }`),
    `x.yaml:5:36 rules[0].effect.change.rewards.$rewardid: updateReward has no value 'rewardid', did you mean 'reward_id'?
    effect: { change: { rewards: { $rewardid: null } } }
                                   ^`,
  ],
  [
    'an unknown fault at an unknown moment',
    rules(`on: "*"
effect: { transport: resett, at: befor }`),
    `x.yaml:5:38 rules[0].effect.at: must be before or after
    effect: { transport: resett, at: befor }
                                     ^
x.yaml:5:26 rules[0].effect.transport: unknown fault 'resett', did you mean 'reset'?
    effect: { transport: resett, at: befor }
                         ^`,
  ],
  [
    'a drip without bytes',
    rules(`on: "*"
effect: { transport: { drip: { bytes_per_second: 0 } } }`),
    `x.yaml:5:54 rules[0].effect.transport.drip.bytes_per_second: must be a whole number from 1 to 1000000
    effect: { transport: { drip: { bytes_per_second: 0 } } }
                                                     ^`,
  ],
  [
    'a status that HTTP does not have, and an unknown key',
    rules(`on: "*"
effect: { respond: { status: 99, bdy: 1 } }`),
    `x.yaml:5:34 rules[0].effect.respond.status: must be 200 to 599
    effect: { respond: { status: 99, bdy: 1 } }
                                 ^
x.yaml:5:38 rules[0].effect.respond.bdy: unknown key 'bdy'
    effect: { respond: { status: 99, bdy: 1 } }
                                     ^`,
  ],
  [
    'a header that cannot be sent',
    rules(`on: "*"
effect: { respond: { status: 200, headers: { a b: x } } }`),
    `x.yaml:5:50 rules[0].effect.respond.headers.a b: must be the name of a header
    effect: { respond: { status: 200, headers: { a b: x } } }
                                                 ^`,
  ],
  [
    'a header that says where the answer ends',
    rules(`on: "*"
effect: { respond: { status: 200, headers: { Content-Length: "50" } } }`),
    `x.yaml:5:50 rules[0].effect.respond.headers.Content-Length: is invalid: controls how an answer is sent: omit it
    effect: { respond: { status: 200, headers: { Content-Length: "50" } } }
                                                 ^`,
  ],
  [
    'an unknown rewrite',
    rules(`on: "*"
effect: { rewrite: unknown_field }`),
    `x.yaml:5:24 rules[0].effect.rewrite: unknown value 'unknown_field', did you mean 'unknown_fields'?
    effect: { rewrite: unknown_field }
                       ^`,
  ],
  [
    'a JSON Patch with unknown operations and missing parts',
    rules(`on: "*"
effect:
  rewrite:
    - { op: ad, path: /a }
    - { op: add, path: a, value: 1 }
    - { op: add, path: /a }
    - { op: move, path: /a }`),
    `x.yaml:7:17 rules[0].effect.rewrite[0].op: must be one of add, remove, replace, move, copy, test
        - { op: ad, path: /a }
                ^
x.yaml:8:28 rules[0].effect.rewrite[1].path: must be a JSON Pointer, such as /data/0/id
        - { op: add, path: a, value: 1 }
                           ^
x.yaml:9:11 rules[0].effect.rewrite[2].value: must be present
        - { op: add, path: /a }
          ^
x.yaml:10:11 rules[0].effect.rewrite[3].from: is required
        - { op: move, path: /a }
          ^`,
  ],
  [
    'no details',
    rules(`on: "*"
effect: { invalid: [] }`),
    `x.yaml:5:24 rules[0].effect.invalid: must not be empty
    effect: { invalid: [] }
                       ^`,
  ],
  [
    'off_contract that is no switch',
    rules(`on: "*"
effect: unauthenticated
off_contract: maybe`),
    `x.yaml:6:19 rules[0].off_contract: must be true or false
    off_contract: maybe
                  ^`,
  ],
  [
    'the second of two rules',
    rules(
      `on: "*"
effect: unauthenticated`,
      `on: retrieveReward
effect: notfound`,
    ),
    `x.yaml:7:13 rules[1].effect: unknown effect 'notfound', did you mean 'not_found'?
    effect: notfound
            ^`,
  ],
]

describe('case 124: a broken scenario', () => {
  it.each(broken)('%s', async (_title, text, message) => {
    expect(await messageOf(text)).toBe(message)
  })

  it.each(broken)('start --scenario: %s -> exit 3, the same message', async (_title, text, message) => {
    const cwd = await folderWith({ 'x.yaml': text })
    expect(await cli(['start', '--scenario', 'x.yaml'], { cwd })).toEqual({
      code: 3,
      stdout: '',
      // A path outside the working directory of this process is shown whole.
      stderr: `${message.replaceAll('x.yaml', `${cwd}/x.yaml`)}\n`,
    })
  })

  it('two files -> the problems of both', async () => {
    const cwd = await folderWith({
      'a.yaml': rules('on: "*"\neffect: unautenticated'),
      'b.json': { name: 'b', description: 'd', rules: [{ on: 'nothing', effect: 'unauthenticated' }] },
    })
    const { code, stderr } = await cli(['start', '--scenario', 'a.yaml', '--scenario', 'b.json'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain("/a.yaml:5:13 rules[0].effect: unknown effect 'unautenticated', did you mean")
    expect(stderr).toMatch(/\/b\.json:1:\d+ rules\[0\]\.on: unknown operation 'nothing', expected one of: /m)
  })

  it('a file that is not there -> exit 3', async () => {
    const cwd = await folderWith()
    expect(await cli(['start', '--scenario', './none.yaml'], { cwd })).toEqual({
      code: 3,
      stdout: '',
      stderr: `${cwd}/none.yaml: there is no such file\n`,
    })
  })
})

const inMemory = { name: 'x', description: 'd', rules: [{ on: '*', effect: 'notfound', calls: 0 }] }
const said = [
  {
    source: 'scenario',
    path: 'rules[0].calls',
    message: 'must be "1", "2..", "1..3" or "every 3", counted from 1, or "1%" to "100%"',
  },
  {
    source: 'scenario',
    path: 'rules[0].effect',
    message: "unknown effect 'notfound', did you mean 'not_found'?",
  },
]
const saidAsText = said.map(({ source, path, message }) => `${source} ${path}: ${message}`).join('\n')

describe('a broken scenario as an object', () => {
  it('createSandbox -> rejects with every problem, without lines', async () => {
    await expect(createSandbox({ scenarios: [inMemory] })).rejects.toMatchObject({
      name: 'DocumentError',
      message: saidAsText,
      problems: said,
    })
  })

  it('scenarios.register -> rejects likewise, and nothing is registered', async () => {
    const sandbox = await startSandbox()
    await expect(sandbox.scenarios.register(inMemory)).rejects.toMatchObject({ problems: said })
    expect(await sandbox.scenarios.get('x')).toBeUndefined()
  })

  it('POST /_sandbox/scenarios -> 400 with details', async () => {
    const sandbox = await startSandbox()
    const answer = await sandbox.fetch('/_sandbox/scenarios', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(inMemory),
    })
    const { error } = (await answer.json()) as { error: { type: string; details: unknown } }
    expect([answer.status, error.type]).toEqual([400, 'INVALID'])
    // A body is a text, so that there are places in it to show.
    const places = [78, 59]
    expect(error.details).toEqual(
      said.map((one, at) => ({
        ...one,
        source: 'body',
        line: 1,
        column: places[at],
        excerpt: expect.stringMatching(/\n {58,77}\^$/),
      })),
    )
  })

  it('what JSON cannot hold -> refused', () => {
    expect(() => sourceFromObject({ name: () => 'x' }, 'scenario')).toThrow(DocumentError)
  })
})

/** A state document whose key names a scenario. */
const keyWith = (name: string): string => `api_keys:
  - id: key_1
    secret: s1
    api_key: sk_1
    scopes: []
    products: [mk_summit]
    environment: sandbox
    scenarios: [slow, ${name}]
`

describe('a name that nobody knows', () => {
  it('--scenario -> exit 2, with a suggestion', async () => {
    expect(await cli(['start', '--scenario', 'reward-vanish'], { cwd: await folderWith() })).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: unknown scenario 'reward-vanish', did you mean 'reward-vanishes'?\n",
    })
  })

  it.each(['start', 'validate'])('%s: the scenarios of a key -> exit 3, at their place', async (verb) => {
    const cwd = await folderWith({ 'x.yaml': keyWith('reward-vanish') })
    const { code, stdout, stderr } = await cli([verb, '--fixtures', 'x.yaml'], { cwd })
    expect([code, stdout + stderr]).toEqual([
      3,
      `${cwd}/x.yaml:8:23 api_keys[0].scenarios[1]: unknown scenario 'reward-vanish', did you mean 'reward-vanishes'?
    scenarios: [slow, reward-vanish]
                      ^
`,
    ])
  })

  it.each(['../slow', '/etc/passwd', 'scenarios/slow.yaml'])(
    'a key can name no file: %s -> refused',
    async (name) => {
      await expect(
        createSandbox({
          fixtures: {
            api_keys: [
              {
                id: 'key_1',
                secret: 's1',
                api_key: 'sk_1',
                scopes: [],
                products: ['mk_summit'],
                environment: 'sandbox',
                scenarios: [name],
              },
            ],
          },
        }),
      ).rejects.toThrow(`fixtures api_keys[0].scenarios[0]: unknown scenario '${name}', `)
    },
  )

  it('a key may name a scenario that is given by its file', async () => {
    const cwd = await folderWith({
      'x.yaml': keyWith('mine'),
      'mine.yaml': rules('on: "*"\neffect: unauthenticated').replace('name: x', 'name: mine'),
    })
    const { code, stderr } = await cli(['validate', '--fixtures', 'x.yaml'], { cwd })
    expect([code, stderr]).toEqual([3, ''])
    await expect(
      createSandbox({ fixtures: `${cwd}/x.yaml`, scenarios: [`${cwd}/mine.yaml`] }),
    ).resolves.toBeDefined()
  })
})

describe('what is not refused', () => {
  it.each([
    ['"*" with an effect that fits some operations', 'on: "*"\neffect: { page: empty }'],
    [
      '"*" with a parameter that some operations have',
      'on: "*"\nwhen: { params: { reward_id: a } }\neffect: unauthenticated',
    ],
    [
      'an error that is not declared, off contract',
      'on: retrieveReward\neffect: { error: FORBIDDEN_ERROR }\noff_contract: true',
    ],
    ['one call, as a number', 'on: retrieveReward\ncalls: 2\neffect: not_found'],
    [
      'a path in a header',
      'on: retrieveReward\nwhen: { headers: { referer: /app/rewards } }\neffect: not_found',
    ],
    [
      'a path and a price in an answer',
      "on: '*'\neffect: { respond: { status: 200, body: { a: /v2/x/, b: $5 } } }",
    ],
    [
      'a reference deep in a change',
      'on: updateReward\neffect: { change: { rewards: { $reward_id: { metadata: { by: $status } } } } }',
    ],
    [
      'an object that is laid over another',
      'on: updateReward\neffect: { change: { customers: { a: { address: { city: Rome } } } } }',
    ],
  ])('%s', async (_title, text) => {
    expect(await messageOf(rules(text))).toBe('')
  })

  it('$schema -> for editors, and ignored', async () => {
    expect(
      await messageOf(`$schema: ./scenario.schema.json\n${rules('on: "*"\neffect: unauthenticated')}`),
    ).toBe('')
  })

  it('a header that is called like a part of every object -> the rule asks for it', async () => {
    const header = 'on: retrieveReward\nwhen: { headers: { __proto__: x, b: c } }\neffect: not_found'
    const { rules: read1 } = await read(rules(header))
    expect(Object.entries(read1[0]?.when.headers ?? {})).toEqual([
      ['__proto__', 'x'],
      ['b', 'c'],
    ])
  })

  it('what was read', async () => {
    const read1 = await read(
      rules('on: [retrieveReward, updateReward]\ncalls: every 3\neffect: [not_found, { latency: 5 }]'),
    )
    expect(read1).toMatchObject({ name: 'x', description: 'd', source: 'x.yaml' })
    expect(
      read1.rules.map(({ id, operations, calls, effects, offContract, when }) => ({
        id,
        operations: [...operations],
        when,
        calls,
        effects: effects.map(({ effect, value }) => [effect.name, value]),
        offContract,
      })),
    ).toEqual([
      {
        id: 'x#1',
        operations: ['retrieveReward', 'updateReward'],
        when: {},
        calls: { every: 3 },
        effects: [
          ['not_found', true],
          ['latency', 5],
        ],
        offContract: false,
      },
    ])
  })
})
