import { describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** Returns the message of a refused write; undefined if it succeeds. */
function refusal(write: () => unknown): string | undefined {
  try {
    write()
    return undefined
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
  }
}

const mine = (name: string): object => ({
  name,
  description: 'A scenario of a test.',
  rules: [{ on: '*', effect: 'unauthenticated' }],
})

const key = {
  secret: 's',
  api_key: 'sk_new',
  scopes: [],
  products: ['mk_summit'],
  environment: 'sandbox',
  created_at: '2026-01-02T03:04:05.000Z',
} as const

/** Before a scenario was asked for, none of the files is read; afterwards all are. */
const moments: [string, (sandbox: Sandbox) => Promise<unknown>][] = [
  ['before scenarios are read', async () => undefined],
  ['once scenarios are read', (sandbox) => sandbox.scenarios.list()],
]

describe.each(moments)('scenarios of an API key, %s', (_moment, reach) => {
  test.each<[names: string[], problems: string | undefined]>([
    [[], undefined],
    [['unavailable', 'pagination-empty'], undefined],
    [['unavailible'], "api_keys scenarios[0]: unknown scenario 'unavailible', did you mean 'unavailable'?"],
    [
      ['zzzzzzzz'],
      "api_keys scenarios[0]: unknown scenario 'zzzzzzzz', 'npx partner-rewards-sandbox scenarios' and GET /_sandbox/scenarios list them",
    ],
    [
      ['slow', 'sloww', 'slow.yaml', 'scenario.schema'],
      [
        "api_keys scenarios[1]: unknown scenario 'sloww', did you mean 'slow'?",
        "api_keys scenarios[2]: unknown scenario 'slow.yaml', expected the name of a scenario: load its file by --scenario-library, or to scenarioLibrary of createSandbox",
        "api_keys scenarios[3]: unknown scenario 'scenario.schema', 'npx partner-rewards-sandbox scenarios' and GET /_sandbox/scenarios list them",
      ].join('\n'),
    ],
  ])('%j -> %s', async (scenarios, problems) => {
    const sandbox = await startSandbox()
    await reach(sandbox)
    const before = sandbox.state.document()
    expect(refusal(() => sandbox.state.patch('api_keys', 'key_full', { scenarios }))).toBe(problems)
    expect(refusal(() => sandbox.state.put('api_keys', 'key_new', { ...key, scenarios }))).toBe(problems)
    if (problems === undefined) {
      expect(sandbox.state.get('api_keys', 'key_new')).toEqual({ id: 'key_new', ...key, scenarios })
      expect(sandbox.state.get('api_keys', 'key_full')).toMatchObject({ scenarios })
    } else {
      expect(sandbox.state.document()).toEqual(before)
    }
  })

  test('the refusal is that of a fixture', async () => {
    const sandbox = await startSandbox()
    await reach(sandbox)
    const row = { ...key, id: 'key_new', scenarios: ['unavailible'] }
    const fixture = await createSandbox({ fixtures: { api_keys: [row] } } as object).catch(String)
    const reported = refusal(() => sandbox.state.put('api_keys', 'key_new', row)) ?? ''
    expect(fixture).toBe(`DocumentError: ${reported.replace('api_keys ', 'fixtures api_keys[0].')}`)
  })

  test('one that was given at start is known', async () => {
    const sandbox = await startSandbox({ scenarios: [mine('mine')] })
    await reach(sandbox)
    expect(
      refusal(() => sandbox.state.patch('api_keys', 'key_full', { scenarios: ['mine'] })),
    ).toBeUndefined()
    expect(
      refusal(() => sandbox.workspace('w1').state.patch('api_keys', 'key_full', { scenarios: ['mine'] })),
    ).toBeUndefined()
  })
})

test('a page of rows -> copies by ascending id, also of other ids than `id`', async () => {
  const sandbox = await startSandbox()
  const all = sandbox.state.list('statements')
  const [first, second] = all
  expect(sandbox.state.list('statements', { limit: 1 })).toEqual([first])
  expect(sandbox.state.list('statements', { after: first?.statement_id ?? '', limit: 1 })).toEqual([second])
  expect(sandbox.state.list('statements', { id_prefix: 'stm' })).toEqual(all)
  expect(sandbox.state.list('account', { limit: 1 })).toHaveLength(1)
  expect(refusal(() => sandbox.state.list('statements', { limit: 0.5 }))).toBe(
    'page limit: must be an integer',
  )
})

test('a scenario of one workspace is known to its keys only, until it is forgotten', async () => {
  const sandbox = await startSandbox()
  const [w1, w2] = [sandbox.workspace('w1'), sandbox.workspace('w2')]
  await w1.scenarios.register(mine('mine'))
  const unknown =
    "api_keys scenarios[0]: unknown scenario 'mine', 'npx partner-rewards-sandbox scenarios' and GET /_sandbox/scenarios list them"
  const name = (workspace: typeof w1, more: object = {}): string | undefined =>
    refusal(() => workspace.state.patch('api_keys', 'key_full', { scenarios: ['mine'], ...more }))
  expect([name(w1), name(w2), name(sandbox)]).toEqual([undefined, unknown, unknown])
  expect((await w1.fetch('/v2/customers')).status).toBe(401)
  await w1.scenarios.unregister('mine')
  expect(name(w1)).toBe(unknown)
  // The row is checked as a whole, like that of a fixture.
  expect(refusal(() => w1.state.patch('api_keys', 'key_full', { scopes: [] }))).toBe(unknown)
  expect(name(w1, { scenarios: null })).toBeUndefined()
})
