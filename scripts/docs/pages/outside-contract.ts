import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'
import { errorRow } from '../../../src/contract/errors.ts'
import { statusOf } from '../../../src/coverage/points/success-status.ts'
import { isRequired, type Endpoint } from '../../../src/endpoints/define.ts'
import { allEndpoints } from '../../../src/endpoints/index.ts'
import { createSandbox } from '../../../src/index.ts'
import { testNow } from '../../../test/helpers/test-now.ts'
import { block, code, codeList, table } from '../markdown.ts'

const values = resolveAssumptions({ unlisted_operations: 'documented' })
const unlisted = allEndpoints.filter(({ listed }) => !listed)

/** A call of the flow, and the fields of its answer that the next calls use, by the names of shell variables. */
interface Step {
  about: string
  method: string
  path: string
  body?: object
  keeps?: Record<string, string>
  /** The key of the call; by default that of the first. */
  key?: string
}

const flow: readonly Step[] = [
  { about: 'Retrieve a customer', method: 'GET', path: '/v2/customers/cus_ben' },
  {
    about: 'Link them',
    method: 'POST',
    path: '/v2/customers/cus_ben/link',
    body: { partner_customer_id: 'partner-ben', metadata: { source: 'app' } },
  },
  {
    about: 'List payment methods',
    method: 'GET',
    path: '/v2/payment_methods?customer_id=cus_ada&type=CARD&limit=1',
  },
  {
    about: 'Announce a purchase',
    method: 'POST',
    path: '/v2/transaction_intents',
    body: { customer_id: 'cus_ada', amount: 8400, currency: 'USD', payment_method_id: 'pm_ada_card' },
    keeps: { INTENT: 'id' },
  },
  {
    about: 'Confirm it with the final amount',
    method: 'POST',
    path: '/v2/transaction_intents/$INTENT',
    body: { customer_id: 'cus_ada', amount: 7200, status: 'CONFIRMED' },
  },
  {
    about: 'Create the order',
    method: 'POST',
    path: '/v2/orders',
    body: { payment_method_id: 'pm_ada_card', partner_order_id: 'A-2001', total_order_amount: 7200 },
    keeps: { ORDER: 'id' },
  },
  {
    about: 'Report its capture',
    method: 'POST',
    path: '/v2/order_events',
    body: { order_id: '$ORDER', type: 'CAPTURED', amount: 7200, network_transaction_id: 'ntx_2001' },
  },
  {
    about: 'Report a refund by mistake',
    method: 'POST',
    path: '/v2/order_events',
    body: { order_id: '$ORDER', type: 'REFUNDED', amount: 100, network_transaction_id: 'ntx_2001' },
    keeps: { EVENT: 'order_event_id' },
  },
  { about: 'Take it back', method: 'DELETE', path: '/v2/order_events/$EVENT' },
  { about: 'Create the next key', method: 'POST', path: '/v2/keys', keeps: { NEW_KEY: 'key' } },
  { about: 'Delete the old one', method: 'DELETE', path: '/v2/keys' },
  { about: 'Go on with the new key', method: 'GET', path: '/v2/orders?id=$ORDER', key: '$NEW_KEY' },
]

/** Generates the section of the operations that the contract does not list. */
export async function outsideContract(): Promise<string> {
  return `## Outside the contract

The contract says that there are more operations and does not show them. Public documentation of a service of this
family shows ${unlisted.length} of them. \`--assume unlisted_operations=documented\` serves these, with state, for partners whose service
has them. They are marked \`x-outside-contract\` in the OpenAPI document, every answer to a usable key names \`unlisted_operations\`, and they count
for no contract point. Without the option a call is answered 404 or 405, and the message names the option.

${table(['id', 'call', 'scope', 'input, required in bold', 'success', 'its own errors'], unlisted.map(row))}
Where that documentation is silent, the sandbox does the plainest thing:

- A list has the newest rows first; rewards the last changed, order events and accounts by ascending id. Accounts have an id, a customer
  and a currency.
- Needed scopes are those of the listed operation on the same resource; orders and order events are written with \`ORDER_WRITE\`; to
  read orders, order events, transactions, offers and sessions, a valid key is enough.
- An intent may be updated from any status to any other; a field that is omitted stays. Its customer must be the one in the body,
  and its \`partner_transaction_id\` that of no other intent, of any product. \`zero_amount\`, \`intent_currency\` and \`intent_network_id_reuse\` apply.
- The customer of an order is that of its payment method; another \`customer_id\` is a validation error.
- The sandbox gives orders and order events their ids; an id in the body is ignored. Two events may have one \`partner_event_id\`.
  The events of a deleted order stay. An unknown order is 400 \`BAD_REQUEST_ERROR\`, as the deletion of an unknown event is.
- A search by \`ssn\` compares the last four digits, as the sandbox knows no others.
- A linked customer without an offer in the state has one with general texts.
- A session lasts 30 minutes. One for an unknown \`partner_customer_id\`, or without a customer, creates one.
  An unknown \`customer_id\`, or a \`partner_customer_id\` of another customer beside it, is a validation error.
- Every transaction in the state is \`CAPTURED\`. Its \`network_transaction_id\` is that of its intent, or derived from its id; a transaction
  without a payment method has no \`payment_method_id\`.

### A flow

\`\`\`sh
npx partner-rewards-sandbox start --assume unlisted_operations=documented --clock 2026-11-21T12:00:00Z --frozen --port 4010 --detach
export KEY=sk_sandbox_full API=http://localhost:4010
call() { curl -sS -H "Authorization: Bearer \${KEY}" -H 'Content-Type: application/json' -X "$@"; }
\`\`\`

${await recorded()}
At the end, \`npx partner-rewards-sandbox stop --port 4010\` stops the sandbox.

A test in process, with a client of your own:

${block('ts', vitestExample)}`
}

const vitestExample = `import { createSandbox } from 'partner-rewards-sandbox'
import { expect, test } from 'vitest'

test('an intent is confirmed with its final amount', async () => {
  await using sandbox = await createSandbox({ assume: { unlisted_operations: 'documented' } })
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' }
    return (await sandbox.fetch(path, { method, headers, body: JSON.stringify(body) })).json()
  }
  const intent = await call('POST', '/v2/transaction_intents', { customer_id: 'cus_ada', amount: 8400, currency: 'USD' })
  const outcome = { customer_id: 'cus_ada', amount: 7200, status: 'CONFIRMED' }
  expect(await call('POST', \`/v2/transaction_intents/\${intent.id}\`, outcome)).toMatchObject({ amount: 7200 })
})`

function row(endpoint: Endpoint): string[] {
  const { id, method, path, scope, optionalScope, query, body, errors } = endpoint
  const ofQuery = Object.entries(query).map(([name, parameter]) => shown(name, isRequired(parameter, values)))
  const schema = body?.(values)
  const ofBody = Object.entries(schema?.shape ?? {}).map(([name, field]) =>
    shown(name, !field.safeParse(undefined).success),
  )
  const types = [...new Set(errors.map(({ type }) => type))]
  return [
    code(id),
    code(`${method} ${path}`),
    scope !== undefined
      ? code(scope)
      : optionalScope !== undefined
        ? `shows more with ${code(optionalScope)}`
        : '',
    [...ofQuery, ...ofBody].join(', '),
    String(statusOf(endpoint, values)),
    codeList(types.map((type) => `${errorRow(type).status} ${type}`)),
  ]
}

const shown = (name: string, required: boolean): string => (required ? `**${code(name)}**` : code(name))

/** Runs the flow, and returns each call as a shell command with its answer. */
async function recorded(): Promise<string> {
  await using sandbox = await createSandbox({
    clock: testNow,
    frozen: true,
    assume: { unlisted_operations: 'documented' },
  })
  const kept: Record<string, string> = { KEY: 'sk_sandbox_full' }
  const filled = (text: string): string =>
    text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => kept[name] ?? '')
  const parts: string[] = []
  for (const { about, method, path, body, keeps = {}, key = '$KEY' } of flow) {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const answer = await sandbox.fetch(filled(path), {
      method,
      headers: { authorization: `Bearer ${filled(key)}`, 'content-type': 'application/json' },
      ...(sent === undefined ? {} : { body: filled(sent) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const text = await answer.text()
    const json: Record<string, unknown> = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    for (const [name, field] of Object.entries(keeps)) kept[name] = String(json[field])
    parts.push(
      `${about}: ${answer.status}${text === '' ? '' : `, ${code(cut(text))}`}`,
      commandOf({ method, path, keeps, key }, sent),
    )
  }
  return parts.join('\n\n')
}

/** A shell command that sends the call and keeps the fields that later calls use. */
function commandOf({ method, path, keeps = {}, key }: Omit<Step, 'about'>, body: string | undefined): string {
  const data = body === undefined ? '' : ` -d ${quoted(body)}`
  const withKey = key === '$KEY' ? '' : `KEY=${key} `
  const call = `${withKey}call ${method} "$API${path}"${data}`
  const [[name, field] = []] = Object.entries(keeps)
  const command = name === undefined ? call : `${name}=$(${call} | jq -r .${field})`
  return block('sh', command)
}

const cut = (text: string): string => (text.length > 160 ? `${text.slice(0, 157)}…` : text)

/** A body as a word of a shell, in which variables are replaced. */
const quoted = (body: string): string =>
  body.includes('$') ? `"${body.replaceAll('"', '\\"')}"` : `'${body}'`
