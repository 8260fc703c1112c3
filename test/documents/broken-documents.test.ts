import { describe, expect, it } from 'vitest'
import { load, messageOf, writeFiles, writeFolder } from '../helpers/documents.ts'

/** The YAML of a document whose customer and account are fine, with more below. */
const withAccount = (more: string): string => `customers:
  - id: cus_1
  - id: cus_2
accounts:
  - id: acct_1
    customer_id: cus_1
${more}`

const statement = (amounts: string): string =>
  withAccount(`statements:
  - statement_id: stm_1
    customer_id: cus_1
    account_id: acct_1
    ${amounts}
`)

/** Each document with everything that is said about it; the excerpt is compared as well. */
const documents: [title: string, text: string, message: string][] = [
  [
    'a field of the wrong type',
    'customers:\n  - id: cus_1\n    first_name: 5\n',
    `x.yaml:3:17 customers[0].first_name: must be a string
    first_name: 5
                ^`,
  ],
  [
    'an unknown field, pointed at by its key',
    'customers:\n  - id: cus_1\n    fist_name: Ada\n',
    `x.yaml:3:5 customers[0].fist_name: unknown field, did you mean 'first_name'?
    fist_name: Ada
    ^`,
  ],
  [
    'an unknown field deep inside',
    'customers:\n  - id: cus_1\n    address: { town: Seattle, citty: Seattle }\n',
    `x.yaml:3:16 customers[0].address.town: unknown field, expected one of: street_line1, street_line2, city, state, postal_code, country
    address: { town: Seattle, citty: Seattle }
               ^
x.yaml:3:31 customers[0].address.citty: unknown field, did you mean 'city'?
    address: { town: Seattle, citty: Seattle }
                              ^`,
  ],
  [
    'an unknown field in a list',
    'customers:\n  - id: cus_1\n    authorized_users: [{ authorized_user_id: au_1, mail: x }]\n',
    `x.yaml:3:52 customers[0].authorized_users[0].mail: unknown field, did you mean 'email'?
    authorized_users: [{ authorized_user_id: au_1, mail: x }]
                                                   ^`,
  ],
  [
    'an unknown collection',
    'customer: []\n',
    `x.yaml:1:1 customer: unknown collection, did you mean 'customers'?
customer: []
^`,
  ],
  [
    'a collection that is no list',
    'customers: { id: cus_1 }\n',
    `x.yaml:1:12 customers: must be a list of rows
customers: { id: cus_1 }
           ^`,
  ],
  [
    'a row that is no object, and one without an id',
    'customers:\n  - cus_1\n  - first_name: Ada\n  - id: 7\n',
    `x.yaml:2:5 customers[0]: must be an object
  - cus_1
    ^
x.yaml:3:5 customers[1].id: is required: ids are never made up
  - first_name: Ada
    ^
x.yaml:4:9 customers[2].id: must be a string
  - id: 7
        ^`,
  ],
  [
    'the same id twice in one file',
    'customers:\n  - id: cus_1\n  - id: cus_2\n  - id: cus_1\n',
    `x.yaml:4:9 customers[2].id: is also the id of customers[0] in line 2
  - id: cus_1
        ^`,
  ],
  [
    'the same id twice: what else is wrong with the second row is told, too',
    'rewards:\n  - { id: rwd_1, customer_id: c }\n  - { id: rwd_1, customer_id: cus_x, status: X }\ncustomers: [{ id: c }]\n',
    `x.yaml:3:11 rewards[1].id: is also the id of rewards[0] in line 2
  - { id: rwd_1, customer_id: cus_x, status: X }
          ^
x.yaml:3:31 rewards[1].customer_id: no customer has the id 'cus_x'
  - { id: rwd_1, customer_id: cus_x, status: X }
                              ^
x.yaml:3:46 rewards[1].status: must be one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED
  - { id: rwd_1, customer_id: cus_x, status: X }
                                             ^`,
  ],
  [
    'an id with a control character',
    'customers:\n  - id: "a\\u0000b"\n',
    `x.yaml:2:9 customers[0].id: must be 1 to 200 characters without control characters
  - id: "a\\u0000b"
        ^`,
  ],
  [
    'an unknown value of an enum, and a reference to nobody, in one row',
    'customers: [{ id: cus_1 }]\nrewards:\n  - id: rwd_1\n    customer_id: cus_l\n    status: PENDNG\n',
    `x.yaml:4:18 rewards[0].customer_id: no customer has the id 'cus_l', did you mean 'cus_1'?
    customer_id: cus_l
                 ^
x.yaml:5:13 rewards[0].status: must be one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED, did you mean 'PENDING'?
    status: PENDNG
            ^`,
  ],
  [
    'a reference that is missing: never made up',
    'rewards:\n  - id: rwd_1\n    amount: 5\n',
    `x.yaml:2:5 rewards[0].customer_id: is required
  - id: rwd_1
    ^`,
  ],
  [
    'a row that is wrong is not said to be missing as well',
    'customers:\n  - id: cus_1\n    email: 5\nrewards: [{ id: rwd_1, customer_id: cus_1 }]\n',
    `x.yaml:3:12 customers[0].email: must be a string
    email: 5
           ^`,
  ],
  [
    'a product that no document has',
    'customers: [{ id: cus_1, product: mk_sumit }]\n',
    `x.yaml:1:35 customers[0].product: no product has the merchant_key 'mk_sumit', did you mean 'mk_summit'?
customers: [{ id: cus_1, product: mk_sumit }]
                                  ^`,
  ],
  [
    'formats',
    `customers:
  - id: cus_1
    created_at: yesterday
    ssn4: "123"
    partner_customer_id: ""
    date_of_birth: { year: 2001, month: 2, day: 29 }
transaction_intents:
  - { id: int_1, customer_id: cus_1, currency: usd, amount: 1.5, expected_date: 2026-02-30 }
`,
    `x.yaml:3:17 customers[0].created_at: must be an RFC 3339 date-time
    created_at: yesterday
                ^
x.yaml:4:11 customers[0].ssn4: must be 4 digits
    ssn4: "***"
          ^
x.yaml:5:26 customers[0].partner_customer_id: must be 1 to 128 printable ASCII characters
    partner_customer_id: ""
                         ^
x.yaml:8:48 transaction_intents[0].currency: must be a 3-letter ISO 4217 code in capital letters
  - { id: int_1, customer_id: cus_1, currency: usd, amount: 1.5, expected_date: 2026-02-30 }
                                               ^
x.yaml:8:61 transaction_intents[0].amount: must be an integer
  - { id: int_1, customer_id: cus_1, currency: usd, amount: 1.5, expected_date: 2026-02-30 }
                                                            ^
x.yaml:8:81 transaction_intents[0].expected_date: must be an RFC 3339 date or date-time
  - { id: int_1, customer_id: cus_1, currency: usd, amount: 1.5, expected_date: 2026-02-30 }
                                                                                ^`,
  ],
  [
    'a day that a month does not have',
    'customers:\n  - id: cus_1\n    date_of_birth: { year: 2001, month: 2, day: 29 }\n',
    `x.yaml:3:49 customers[0].date_of_birth.day: is a day that this month does not have
    date_of_birth: { year: 2001, month: 2, day: 29 }
                                                ^`,
  ],
  [
    "somebody else's account, payment method and authorized user's card",
    withAccount(`payment_methods:
  - { id: pm_2, customer_id: cus_2, account_id: acct_1 }
transaction_intents:
  - { id: int_1, customer_id: cus_1, payment_method_id: pm_2 }
`),
    `x.yaml:8:49 payment_methods[0].account_id: belongs to another customer, 'cus_1'
  - { id: pm_2, customer_id: cus_2, account_id: acct_1 }
                                                ^
x.yaml:10:57 transaction_intents[0].payment_method_id: belongs to another customer, 'cus_2'
  - { id: int_1, customer_id: cus_1, payment_method_id: pm_2 }
                                                        ^`,
  ],
  [
    'an authorized user with the card of another customer',
    `customers:
  - id: cus_1
    authorized_users: [{ authorized_user_id: au_1, payment_method_id: pm_2 }, { authorized_user_id: au_2, payment_method_id: pm_9 }]
  - id: cus_2
payment_methods: [{ id: pm_2, customer_id: cus_2 }]
`,
    `x.yaml:3:71 customers[0].authorized_users[0].payment_method_id: belongs to another customer, 'cus_2'
    authorized_users: [{ authorized_user_id: au_1, payment_method_id: pm_2 }, { authorized_user_id: au_2, payment_method_id: pm_9 …
                                                                      ^
x.yaml:3:126 customers[0].authorized_users[1].payment_method_id: no payment method has the id 'pm_9', did you mean 'pm_2'?
…_id: pm_2 }, { authorized_user_id: au_2, payment_method_id: pm_9 }]
                                                             ^`,
  ],
  [
    'payment methods of the wrong kind',
    `customers: [{ id: cus_1 }]
payment_methods:
  - { id: pm_1, customer_id: cus_1, type: CARD, card: { last4: "1111" }, secured_credit_card: { last4: "2222" } }
  - { id: pm_2, customer_id: cus_1, type: LOAN, bank_account: { last4: "1111" } }
  - { id: pm_3, customer_id: cus_1, type: CREDIT }
`,
    `x.yaml:3:95 payment_methods[0].secured_credit_card: must not stand beside card: a card has one of the two
  - { id: pm_1, customer_id: cus_1, type: CARD, card: { last4: "1111" }, secured_credit_card: { last4: "2222" } }
                                                                                              ^
x.yaml:4:63 payment_methods[1].bank_account: is not for type LOAN, which has loan
  - { id: pm_2, customer_id: cus_1, type: LOAN, bank_account: { last4: "1111" } }
                                                              ^
x.yaml:5:43 payment_methods[2].type: must be one of CARD, BANK_ACCOUNT, LOAN
  - { id: pm_3, customer_id: cus_1, type: CREDIT }
                                          ^`,
  ],
  [
    'a card number that could be real, masked in the excerpt, and one that does not fit last4',
    `customers: [{ id: cus_1 }]
payment_methods:
  - { id: pm_1, customer_id: cus_1, card: { pci_details: { pan: "4539578763621486" } } }
  - { id: pm_2, customer_id: cus_1, secured_credit_card: { last4: "1111", pci_details: { pan: "4242424242424242" } } }
`,
    `x.yaml:3:65 payment_methods[0].card.pci_details.pan: could be a real card; take a well-known test number, or allow it with --allow-any-pan
  - { id: pm_1, customer_id: cus_1, card: { pci_details: { pan: "************1486" } } }
                                                                ^
x.yaml:4:95 payment_methods[1].secured_credit_card.pci_details.pan: must end in last4 (x.yaml:4:67)
  - { id: pm_2, customer_id: cus_1, secured_credit_card: { last4: "1111", pci_details: { pan: "************4242" } } }
                                                                                              ^`,
  ],
  [
    'a card with two expiry dates',
    `customers: [{ id: cus_1 }]
payment_methods:
  - id: pm_1
    customer_id: cus_1
    card:
      exp_month: "08"
      exp_year: "2029"
      pci_details: { exp_month: "09", exp_year: "2030" }
  - { id: pm_2, customer_id: cus_1, card: { exp_month: "08", pci_details: { exp_year: "2030" } } }
`,
    `x.yaml:8:33 payment_methods[0].card.pci_details.exp_month: must be the exp_month of card (x.yaml:6:18)
      pci_details: { exp_month: "09", exp_year: "2030" }
                                ^
x.yaml:8:49 payment_methods[0].card.pci_details.exp_year: must be the exp_year of card (x.yaml:7:17)
      pci_details: { exp_month: "09", exp_year: "2030" }
                                                ^`,
  ],
  [
    'rows and tokens that were updated before they were created',
    `customers:
  - { id: cus_1, created_at: 2026-01-02T00:00:00Z, updated_at: 2026-01-01T23:59:59.999Z }
  - { id: cus_2, created_at: 2026-01-02T00:00:00Z, updated_at: 2026-01-02T01:00:00+01:00 }
  - { id: cus_3, updated_at: 2020-01-01T00:00:00Z }
payment_methods:
  - id: pm_1
    customer_id: cus_1
    card: { tokens: [{ created_at: 2026-01-02T00:00:00Z, updated_at: 2026-01-01T00:00:00Z }] }
rewards: [{ id: rwd_1, customer_id: cus_3, updated_at: 2020-01-01T00:00:00Z }]
`,
    `x.yaml:2:64 customers[0].updated_at: must not be before created_at (x.yaml:2:30)
  - { id: cus_1, created_at: 2026-01-02T00:00:00Z, updated_at: 2026-01-01T23:59:59.999Z }
                                                               ^
x.yaml:8:70 payment_methods[0].card.tokens[0].updated_at: must not be before created_at (x.yaml:8:36)
    card: { tokens: [{ created_at: 2026-01-02T00:00:00Z, updated_at: 2026-01-01T00:00:00Z }] }
                                                                     ^`,
  ],
  [
    'one partner_transaction_id on two intents',
    `customers: [{ id: cus_1 }, { id: cus_2 }]
transaction_intents:
  - { id: int_1, customer_id: cus_1, partner_transaction_id: ptx_1 }
  - { id: int_2, customer_id: cus_2, partner_transaction_id: ptx_1 }
  - { id: int_3, customer_id: cus_2, partner_transaction_id: ptx_2 }
`,
    `x.yaml:4:62 transaction_intents[1].partner_transaction_id: is also the one of transaction intent 'int_1' (x.yaml:3:62)
  - { id: int_2, customer_id: cus_2, partner_transaction_id: ptx_1 }
                                                             ^`,
  ],
  [
    'signs of a statement',
    statement('payments: 5\n    fees: -1'),
    `x.yaml:11:15 statements[0].payments: must not be positive: what is credited back is negative
    payments: 5
              ^
x.yaml:12:11 statements[0].fees: must not be negative: charges are positive
    fees: -1
          ^`,
  ],
  [
    'a period that ends before it starts',
    statement('period_start_date: 2026-02-01T00:00:00Z\n    period_end_date: 2026-01-01T00:00:00Z'),
    `x.yaml:12:22 statements[0].period_end_date: must be after period_start_date
    period_end_date: 2026-01-01T00:00:00Z
                     ^`,
  ],
  [
    'API keys that cannot be told apart',
    `api_keys:
  - { id: key_1, api_key: sk_1 }
  - { id: key_2, api_key: sk_1 }
  - { id: key_3, api_key: key_1 }
  - { id: key_4, scopes: [ORDER_WRIT], products: [] }
`,
    `x.yaml:3:27 api_keys[1].api_key: is also the api_key of 'key_1'
  - { id: key_2, api_key: **** }
                          ^
x.yaml:4:27 api_keys[2].api_key: is the id of another API key
  - { id: key_3, api_key: ***** }
                          ^
x.yaml:5:27 api_keys[3].scopes[0]: must be one of TRANSACTION_INTENT_WRITE, TRANSACTION_INTENT_READ, ACCOUNT_READ, ORDER_WRITE, PCI_DETAILS_READ, AUTHORIZED_USER_READ, did you mean 'ORDER_WRITE'?
  - { id: key_4, scopes: [ORDER_WRIT], products: [] }
                          ^
x.yaml:5:50 api_keys[3].products: must name at least one merchant key
  - { id: key_4, scopes: [ORDER_WRIT], products: [] }
                                                 ^`,
  ],
  [
    'a partner identifier that two customers of a product have',
    `customers:
  - { id: cus_1, partner_customer_id: p }
  - { id: cus_2, partner_customer_id: P }
  - { id: cus_3, partner_customer_id: p, product: mk_harbor }
  - { id: cus_4, partner_customer_id: p }
`,
    `x.yaml:5:39 customers[3].partner_customer_id: is also the one of customer 'cus_1' of this product
  - { id: cus_4, partner_customer_id: p }
                                      ^`,
  ],
  [
    'an earn rate finer than the precision',
    `products:
  - merchant_key: mk_1
    rewards:
      precision: 1
      categories: [{ name: All, earn_rate: "1.25" }]
`,
    `x.yaml:5:44 products[0].rewards.categories[0].earn_rate: must have no more decimals than the precision of 1
      categories: [{ name: All, earn_rate: "1.25" }]
                                           ^`,
  ],
  [
    'settings of the account and the version of the format',
    'schema_version: 2\naccount: { saved_version: { sandbox: latest, prod: x } }\n',
    `x.yaml:1:17 schema_version: must be 1, the only version of state documents
schema_version: 2
                ^
x.yaml:2:38 account.saved_version.sandbox: must be one of 2025-05-05, 2026-10-13
account: { saved_version: { sandbox: latest, prod: x } }
                                     ^
x.yaml:2:46 account.saved_version.prod: unknown field, did you mean 'production'?
account: { saved_version: { sandbox: latest, prod: x } }
                                             ^`,
  ],
  [
    'the part of dumps',
    'sandbox: { ids: -1, clock: { now: today }, sed: 1 }\n',
    `x.yaml:1:17 sandbox.ids: must not be negative
sandbox: { ids: -1, clock: { now: today }, sed: 1 }
                ^
x.yaml:1:28 sandbox.clock.frozen: is required
sandbox: { ids: -1, clock: { now: today }, sed: 1 }
                           ^
x.yaml:1:35 sandbox.clock.now: must be an RFC 3339 date-time
sandbox: { ids: -1, clock: { now: today }, sed: 1 }
                                  ^
x.yaml:1:44 sandbox.sed: unknown field, did you mean 'seed'?
sandbox: { ids: -1, clock: { now: today }, sed: 1 }
                                           ^`,
  ],
  [
    'a text in one language of two',
    'products: [{ merchant_key: mk_1, rewards: { description: { en: Points } } }]\n',
    `x.yaml:1:58 products[0].rewards.description: must be a text, or one each for en and es
products: [{ merchant_key: mk_1, rewards: { description: { en: Points } } }]
                                                         ^`,
  ],
  [
    'a document that is no object',
    '- customers\n',
    `x.yaml:1:1: must be an object with schema_version, account, products, api_keys, customers, accounts, payment_methods, rewards, transaction_intents, statements, order_events, transactions, stubs, sandbox
- customers
^`,
  ],
]

describe('a broken document says what is wrong with it', () => {
  it.each(documents)('%s', async (_title, text, message) => {
    expect(await messageOf(load([writeFiles({ 'x.yaml': text })]))).toBe(message)
  })

  it('in JSON just the same', async () => {
    const text = '{\n  "customers": [\n    { "id": "cus_1", "fist_name": "Ada" }\n  ]\n}\n'
    expect(await messageOf(load([writeFiles({ 'x.json': text })]))).toBe(
      `x.json:3:22 customers[0].fist_name: unknown field, did you mean 'first_name'?
    { "id": "cus_1", "fist_name": "Ada" }
                     ^`,
    )
  })

  it('in an object without a place', async () => {
    const fixtures = JSON.parse('{"customers": [{"id": "cus_1", "fist_name": "Ada"}]}')
    expect(await messageOf(load([fixtures]))).toBe(
      "fixtures customers[0].fist_name: unknown field, did you mean 'first_name'?",
    )
    expect(await messageOf(load([{}, fixtures]))).toContain('fixtures[1] customers[0]')
  })
})

describe('several documents', () => {
  it('all problems of all files at once', async () => {
    const folder = writeFolder({
      'a.json': '{"customers": [{"id": "cus_1", "email": 1}]}',
      'b.yaml': 'customers:\n  - id: cus_2\n    email: 2\n',
    })
    expect((await messageOf(load([folder]))).split('\n').filter((line) => line.includes(':'))).toEqual([
      'a.json:1:41 customers[0].email: must be a string',
      '{"customers": [{"id": "cus_1", "email": 1}]}',
      'b.yaml:3:12 customers[0].email: must be a string',
      '    email: 2',
    ])
  })

  it('what can be read is checked beside what cannot, without calling the rest of it missing', async () => {
    const folder = writeFolder({
      'a.json': '{',
      'b.yaml': 'a: *b',
      'c.json': '',
      'd.yaml': 'rewards: [{ id: rwd_1, customer_id: cus_in_a, amount: x }]\n',
    })
    const lines = (await messageOf(load([folder]))).split('\n').filter((line) => /^[abcd]\.\w+:/.test(line))
    expect(lines).toEqual([
      'a.json:1:2: expected a key in double quotes or }, but the file ends here',
      'b.yaml:1:1: has an alias without an anchor before it',
      'c.json: is empty; expected a JSON or YAML document',
      'd.yaml:1:55 rewards[0].amount: must be an integer',
    ])
  })

  it('a problem of the merged whole points at the file that gave the value', async () => {
    const folder = writeFolder({
      'a.yaml':
        'customers: [{ id: cus_1 }]\nrewards:\n  - id: rwd_1\n    customer_id: cus_1\n    amount: 5\n',
      'b.yaml': '# patches\nrewards:\n  - id: rwd_1\n    customer_id: cus_9\n',
      'c.yaml': 'rewards:\n  - id: rwd_1\n    amount: 6\n',
    })
    expect(await messageOf(load([folder]))).toBe(
      `b.yaml:4:18 rewards[0].customer_id: no customer has the id 'cus_9', did you mean 'cus_1'?
    customer_id: cus_9
                 ^`,
    )
  })

  it('a missing path and an empty folder are named', async () => {
    expect(await messageOf(load(['/nowhere/x.json']))).toBe('x.json: there is no such file')
    const folder = writeFolder({ 'readme.md': 'nothing here' })
    expect(await messageOf(load([folder]))).toMatch(/: is a folder without \.json, \.yaml or \.yml files$/)
  })

  it('thousands of problems are counted, not all shown', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({ id: `cus_${index}`, email: index }))
    const path = writeFiles({ 'x.json': JSON.stringify({ customers: rows }) })
    const message = await messageOf(load([path]))
    expect(message.split('\n').filter((line) => line.startsWith('x.json'))).toHaveLength(100)
    expect(message).toMatch(/… and at least 900 more problems$/)
  })
})
