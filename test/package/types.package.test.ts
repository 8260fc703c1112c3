import { beforeAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import { Compiler } from '../helpers/compiler.ts'
import { addFiles, link, packedPackage } from '../helpers/consumer.ts'

const user = packedPackage()
const compiler = new Compiler()

/** The errors of a user's compiler in our types, with both module resolutions and all checks on. */
const strict = {
  target: 'es2023',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  types: ['node'],
}
// Without the DOM, as most services are compiled; and declarations are checked, ours included.
const nodenext = {
  ...strict,
  module: 'nodenext',
  lib: ['es2023', 'esnext.disposable'],
  resolveJsonModule: true,
}
// As ts-jest compiles by default: it knows no exports of a package, and reads `typesVersions`.
const classic = {
  ...strict,
  module: 'commonjs',
  moduleResolution: 'node10',
  ignoreDeprecations: '6.0',
  lib: ['es2023', 'esnext.disposable'],
}
// The types of Playwright need the DOM; those of vitest need what only bundlers resolve.
const bundler = {
  ...strict,
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
  skipLibCheck: true,
}

// As a new project has it: declarations are checked, and the libraries are those of the target, without a list.
const newest = { target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, types: [] }

/** Code that needs no declarations except those of the target. */
const core = `
import { createSandbox, type Sandbox } from 'partner-rewards-sandbox'
import { operations } from 'partner-rewards-sandbox/contract'
import { conform } from 'partner-rewards-sandbox/probe'

export const path: '/v2/rewards/{reward_id}' = operations.updateReward.path
export const run: unknown = conform
export async function closed(): Promise<Sandbox> {
  await using sandbox = await createSandbox({ seed: 3 })
  return sandbox
}
`

/** One import serves a file of tests for vitest; the other kits only have to compile. Jest has no place beside vitest. */
const kits = `
import {
  afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, onTestFinished, test, vi,
} from 'partner-rewards-sandbox/vitest'
export * as node from 'partner-rewards-sandbox/node-test'
export * as playwright from 'partner-rewards-sandbox/playwright'

const noted = vi.fn<(text: string) => void>()
beforeAll(() => noted('all'))
beforeEach(() => noted('each'))
afterEach(() => noted('each'))
afterAll(() => noted('all'))
describe('a client', () => {
  test('asks', ({ workspace }) => {
    onTestFailed(() => noted('failed'))
    onTestFinished(() => noted('finished'))
    expect(workspace).not.toHaveReceived({ operation: 'updateReward' })
  })
})
`

/** Uses of every export; what must not compile says so. */
const uses = `
import {
  createSandbox,
  type BuiltInScenario, type FixtureDocument, type JournalEntry, type Sandbox, type SandboxWorkspace, type ScenarioName,
} from 'partner-rewards-sandbox'
import { withSandbox, assertReceived } from 'partner-rewards-sandbox/node-test'
import {
  operations, scopes, errorTypes, versions,
  type BodyOf, type Customer, type ErrorType, type OperationId, type PaymentMethod, type ResultOf, type Reward, type Scope,
  type RewardNotFoundError, type Statement, type TransactionIntentFoundError, type ValidationError, type Version,
} from 'partner-rewards-sandbox/contract'

export const sandbox: Promise<Sandbox> = createSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })
export function statusOf({ state }: SandboxWorkspace): unknown {
  return state.get('rewards', 'rwd_1')?.status ?? state.list('rewards')[0]?.status ?? state.document().rewards
}
export async function seen(workspace: SandboxWorkspace): Promise<JournalEntry[]> {
  assertReceived(workspace, { operation: 'updateReward', count: 1 })
  return workspace.requests.list()
}
export const own = withSandbox({ seed: 3 })(async ({ workspace, server }) => (await server).url + workspace.apiKey)

export const id: OperationId = 'updateReward'
export const path: '/v2/rewards/{reward_id}' = operations.updateReward.path
export const required: 'ORDER_WRITE' = operations.deleteOrderEvent.scope
export const scope: Scope = scopes[0]
export const type: ErrorType = errorTypes[0]
export const version: Version = versions[2]
export const page: ResultOf<'listStatements'>['data'] = [] as Statement[]
export const nothing: ResultOf<'deleteOrderEvent'> = undefined
export const search: ResultOf<'searchCustomers'> = { data: [] as Customer[], has_more: false, total: 0 }
export const update: BodyOf<'updateReward'> = { status: 'AVAILABLE' }
export const card = (method: PaymentMethod): string | undefined => (method.card ?? method.secured_credit_card)?.pci_details?.pan
export function kindOf(method: ResultOf<'retrievePaymentMethod'>): string | undefined {
  if (method.type === 'LOAN') return method.loan.apr
  if (method.type === 'BANK_ACCOUNT') return method.bank_account.last4
  return method.card ? method.card.last4 : method.secured_credit_card.last4
}
// @ts-expect-error a loan has no card
export const noCard = (method: ResultOf<'retrievePaymentMethod'> & { type: 'LOAN' }): string => method.card.last4
// @ts-expect-error a card payment method has a card
export const bare: PaymentMethod = { id: 'p', type: 'CARD', customer_id: 'c', created_at: '', status: 'ACTIVE' }
export const odd: TransactionIntentFoundError['type'] = 'TRANSACTION_INTENT_FOUND_ERROR'
export const param: RewardNotFoundError['param'] = 'reward_id'
export const details = (error: ValidationError): string[] => error.details

// @ts-expect-error there is no such operation
export const noOperation: OperationId = 'updateRewards'
// @ts-expect-error there is no such status
export const noStatus: Reward['status'] = 'SETTLED'
// @ts-expect-error an amount is a number
export const noAmount: BodyOf<'createTransactionIntent'> = { customer_id: 'c', amount: '1', currency: 'USD' }
// @ts-expect-error options are checked
void createSandbox({ fixture: {} })

// Typos that would cost an hour: names and values that the sandbox knows.
const fixtures: FixtureDocument = {
  'x-note': 'passed over',
  account: { saved_version: { sandbox: '2025-05-05' } },
  customers: [{ id: 'cus_1', metadata: { anything: [1] }, phone: null, opening_balance: 5 }],
  rewards: [{ id: 'rwd_1', customer_id: 'cus_1', status: 'PENDING' }],
  statements: [{ statement_id: 'stm_1', customer_id: 'cus_1', account_id: 'acct_1' }],
  stubs: [{ method: 'GET', path: '/v2/notes', collection: 'accounts', id: 'acct_1' }],
}
export async function typed(name: string): Promise<void> {
  const box = await createSandbox({
    fixtures: [fixtures, 'fixtures/shop.yaml'],
    scenarios: ['rate-limited', name, 'scenarios/own.yaml', { name: 'own', rules: [] }],
    assume: { not_found_status: 410, create_status: '200', default_page_size: 7, unknown_cursor: 'first_page' },
  })
  const { state, scenarios, requests, coverage, workspaces } = box
  const status: 'PENDING' | 'AVAILABLE' | 'PENDING_DEDUCTION' | 'DEDUCTED' | undefined = state.get('rewards', 'r')?.status
  const [merchant]: (string | undefined)[] = state.list('products').map((product) => product.merchant_key)
  const versions: object = state.get('account', 'account')?.saved_version ?? {}
  state.put('rewards', 'rwd_2', { customer_id: 'cus_1', status: 'AVAILABLE' })
  state.patch('customers', 'cus_1', { phone: null, address: { city: 'Austin' } })
  await state.replace(state.document())
  await state.replace(box.snapshots.get('start') ?? fixtures)
  await scenarios.activate('slow', name)
  await workspaces.create({ fixtures, scenarios: ['unavailable', name] })
  requests.list({ operation: 'updateReward', outcome: 'refused' })
  await coverage.get({ only: ['updateReward'], skip: ['auth'] })
  const [entry] = requests.list()
  const isUpdate: boolean = entry?.operation === 'updateReward'
  void [status, merchant, versions, isUpdate]

  // @ts-expect-error there is no such collection
  void createSandbox({ fixtures: { reward: [] } })
  // @ts-expect-error there is no such field
  void createSandbox({ fixtures: { customers: [{ id: 'c', frist_name: 'Ada' }] } })
  // @ts-expect-error there is no such status
  void createSandbox({ fixtures: { rewards: [{ id: 'r', status: 'PENDNG' }] } })
  // @ts-expect-error ids are never made up
  void createSandbox({ fixtures: { customers: [{ first_name: 'Ada' }] } })
  // @ts-expect-error a statement is known by its statement_id
  void createSandbox({ fixtures: { statements: [{ id: 'stm_1' }] } })
  // @ts-expect-error there is no such assumption
  void createSandbox({ assume: { not_found_stats: 410 } })
  // @ts-expect-error it has no such value
  void createSandbox({ assume: { not_found_status: 411 } })
  // @ts-expect-error nor this
  void createSandbox({ assume: { unknown_cursor: 'frist_page' } })
  // @ts-expect-error there is no such collection
  state.get('reward', 'r')
  // @ts-expect-error nor here
  state.list('customer')
  // @ts-expect-error a reward has no such field
  void state.get('rewards', 'r')?.state
  // @ts-expect-error there is no such field
  state.put('rewards', 'r', { customer: 'cus_1' })
  // @ts-expect-error an amount is a number
  state.patch('rewards', 'r', { amount: '5' })
  // @ts-expect-error there is no such collection
  await state.replace({ custmers: [] })
  // @ts-expect-error there is no such operation
  requests.list({ operation: 'updateRewards' })
  // @ts-expect-error there is no such outcome
  requests.list({ outcome: 'refsed' })
  // @ts-expect-error there is no such operation
  requests.verify({ operation: 'updateRewards', count: 1 })
  // @ts-expect-error nor here
  assertReceived(box, { operation: 'updateRewards' })
  // @ts-expect-error there is no such operation
  void coverage.get({ only: ['updateRewards'] })
  // @ts-expect-error no operation has this name
  void (entry?.operation === 'updateRewards')
  // @ts-expect-error there is no such field
  void workspaces.create({ fixtures: { customers: [{ id: 'c', frist_name: 'Ada' }] } })
}
const known: BuiltInScenario = 'rate-limited'
// @ts-expect-error there is no such scenario
const unknown: BuiltInScenario = 'rate-limitd'
export const names: ScenarioName[] = [known, unknown, 'any other']
`

/** Entries that CommonJS can require; its compiler refuses to require a module. */
const required = `
import { createSandbox, DocumentError, type Sandbox } from 'partner-rewards-sandbox'
import { operations, type Reward } from 'partner-rewards-sandbox/contract'
import kit = require('partner-rewards-sandbox/jest')

export const sandbox: Promise<Sandbox> = createSandbox({ seed: 3 })
export const made: Promise<kit.Sandbox> = kit.createSandbox()
export const isOurs = (error: unknown): boolean => error instanceof DocumentError
export const own: () => Promise<void> = kit.withSandbox({ seed: 3 })(async ({ workspace, server }) => {
  return (await server).url + workspace.apiKey
})
export const id: Reward['id'] = operations.updateReward.path
// @ts-expect-error a module, for which there is import()
import type { NodeTestKit } from 'partner-rewards-sandbox/node-test'
export type { NodeTestKit }
`

/** The matchers of Jest where its types are global. */
const globalJest = `
import { matchers, withWorkspace } from 'partner-rewards-sandbox/jest'

expect.extend(matchers)
test('a test', withWorkspace(async ({ workspace }) => {
  expect(workspace).toHaveReceived({ operation: 'updateReward', count: 1 })
  expect(workspace).not.toHaveReceivedInOrder([{ status: 429 }, { status: 200 }])
  expect(workspace).toHaveNoUnmatchedRequests()
  // @ts-expect-error there is no such matcher
  expect(workspace).toHaveSent({})
  // @ts-expect-error what is asked is checked
  expect(workspace).toHaveReceived({ operations: 'updateReward' })
}))
test.each([['rwd_1', 252]] as const)('a row', withWorkspace(async ({ workspace }, id: string, amount: number) => {
  expect(workspace.state.get('rewards', id)).toMatchObject({ amount })
}))
`

describe('the types of the package', { timeout: 120_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await user.examples()
    await addFiles(folder, {
      'open-uses.ts': uses,
      'required.cts': required,
      'core.ts': core,
      'kits.ts': kits,
      'global-jest.ts': globalJest,
      'own-jest.ts': `import { expect, test } from '@jest/globals'\n${globalJest}`,
      'examples.ts': await typedExamples(),
    })
    await link(folder, '@types/jest', 'expect')
  }, 60_000)

  const withJest = ['node', 'jest']
  const es2022 = (how: string, module = how): object => ({ ...newest, module, moduleResolution: how })

  it.each<[string, object, string[]]>([
    [
      'nodenext: every export but the runners, and the client',
      nodenext,
      ['open-uses.ts', 'examples.ts', 'partner-client/client.mjs', 'node-test/partner-client.test.mjs'],
    ],
    [
      'node16, target es2022: library, contract and probe, without the types of Node',
      es2022('node16'),
      ['core.ts'],
    ],
    ['nodenext, target es2022: the same', es2022('nodenext'), ['core.ts']],
    ['bundler, target es2022: the same', es2022('bundler', 'esnext'), ['core.ts']],
    [
      'nodenext, target es2022: the kits of vitest, Playwright and node:test',
      { ...es2022('nodenext'), types: ['node'] },
      ['kits.ts'],
    ],
    [
      'nodenext, target es2022: the kit of Jest',
      { ...es2022('nodenext'), types: withJest },
      ['global-jest.ts'],
    ],
    ['CommonJS: what can be required', { ...nodenext, module: 'node16' }, ['required.cts']],
    [
      'node10: every export but the runners, and the kit of Jest',
      { ...classic, types: withJest, skipLibCheck: true },
      ['open-uses.ts', 'global-jest.ts', 'playwright/own-sandbox.spec.ts'],
    ],
    ["the matchers, with Jest's types of @types/jest", { ...bundler, types: withJest }, ['global-jest.ts']],
    ["the matchers, with Jest's types of @jest/globals", bundler, ['own-jest.ts']],
    [
      'bundler: the same, and the suites of the runners',
      bundler,
      [
        'open-uses.ts',
        'vitest/partner-client.test.ts',
        'playwright/partner-client.spec.ts',
        'playwright/own-sandbox.spec.ts',
        'playwright/playwright.config.ts',
        'jest/typed.test.ts',
      ],
    ],
  ])('%s', (_, options, files) => {
    expect(compiler.errors(folder, options, files)).toBe('')
  })
})

/** The examples of the OpenAPI document as constants of the types of the same names: whole, and with nothing else. */
async function typedExamples(): Promise<string> {
  const { components } = (await (await startSandbox()).openapi()) as {
    components: { schemas: Record<string, unknown>; examples: Record<string, { value: unknown }> }
  }
  const lines = Object.entries(components.examples).flatMap(([name, { value }]) => {
    const schema = name.replace(/\d+$/, '')
    return schema in components.schemas
      ? [`export const ${name}: contract.${schema} = ${JSON.stringify(value)}`]
      : []
  })
  expect(lines.length).toBeGreaterThan(10)
  return [`import type * as contract from 'partner-rewards-sandbox/contract'`, ...lines].join('\n')
}
