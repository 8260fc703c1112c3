import { beforeAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import { addFiles, link, packedPackage, programs } from '../helpers/consumer.ts'

const user = packedPackage()

/** What the compiler of a user says of our types, with the two ways to resolve them and all its checks on. */
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
// The types of Playwright need the DOM; those of vitest need what only bundlers resolve.
const bundler = {
  ...strict,
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
  skipLibCheck: true,
}

/** Uses of every export; what must not compile says so. */
const uses = `
import { createSandbox, type Sandbox, type SandboxWorkspace, type JournalEntry } from 'partner-rewards-sandbox'
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
`

/** What CommonJS can require; its compiler refuses to require what is a module. */
const required = `
import { createSandbox, DocumentError, type Sandbox } from 'partner-rewards-sandbox'
import kit = require('partner-rewards-sandbox/jest')

export const sandbox: Promise<Sandbox> = createSandbox({ seed: 3 })
export const made: Promise<kit.Sandbox> = kit.createSandbox()
export const isOurs = (error: unknown): boolean => error instanceof DocumentError
export const own: () => Promise<void> = kit.withSandbox({ seed: 3 })(async ({ workspace, server }) => {
  return (await server).url + workspace.apiKey
})
// @ts-expect-error a module, for which there is import()
import type { Customer } from 'partner-rewards-sandbox/contract'
export type { Customer }
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

describe.concurrent('the types of the package', { timeout: 240_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await user.examples()
    await addFiles(folder, {
      'uses.ts': uses,
      'required.cts': required,
      'global-jest.ts': globalJest,
      'own-jest.ts': `import { expect, test } from '@jest/globals'\n${globalJest}`,
      'examples.ts': await typedExamples(),
    })
    await link(folder, '@types/jest', 'expect')
  }, 60_000)

  it('nodenext: every export but the runners, and the client', async () => {
    await addFiles(folder, {
      'nodenext.json': {
        compilerOptions: nodenext,
        files: ['uses.ts', 'examples.ts', 'partner-client/client.mjs', 'node-test/partner-client.test.mjs'],
      },
    })
    expect(await user.node([programs.tsc, '-p', 'nodenext.json'], folder)).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  it('CommonJS: what can be required', async () => {
    await addFiles(folder, {
      'commonjs.json': { compilerOptions: { ...nodenext, module: 'node16' }, files: ['required.cts'] },
    })
    expect(await user.node([programs.tsc, '-p', 'commonjs.json'], folder)).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  it.each([
    ['of @types/jest', ['node', 'jest'], 'global-jest.ts'],
    ['of @jest/globals', ['node'], 'own-jest.ts'],
  ])("the matchers, with Jest's types %s", async (_, types, file) => {
    await addFiles(folder, {
      [`${file}.json`]: { compilerOptions: { ...bundler, types }, files: [file] },
    })
    expect(await user.node([programs.tsc, '-p', `${file}.json`], folder)).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  it('bundler: the same, and the suites of the runners', async () => {
    await addFiles(folder, {
      'bundler.json': {
        compilerOptions: bundler,
        files: [
          'uses.ts',
          'vitest/partner-client.test.ts',
          'playwright/partner-client.spec.ts',
          'playwright/own-sandbox.spec.ts',
          'playwright/playwright.config.ts',
          'jest/typed.test.ts',
        ],
      },
    })
    expect(await user.node([programs.tsc, '-p', 'bundler.json'], folder)).toMatchObject({
      code: 0,
      stdout: '',
    })
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
