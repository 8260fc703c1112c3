import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DocumentError, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { startSandbox, testNow, type CallApi } from '../helpers/sandbox.ts'

const rows = (amount: number | string, more = ''): string =>
  `customers: [{ id: cus_1 }]\nrewards: [{ id: rwd_1, customer_id: cus_1, status: PENDING, amount: ${amount} }]\n${more}`

const scenario = (name: string, on = 'retrieveReward', effect = 'unauthenticated'): string =>
  `name: ${name}\ndescription: d\nrules:\n  - on: ${on}\n    effect: ${effect}\n`

const keyWith = (scenarios: string, api_key = 'sk_own'): string =>
  `api_keys: [{ id: key_own, secret: s, api_key: ${api_key}, scopes: [], products: [mk_summit], environment: sandbox, scenarios: [${scenarios}] }]\n`

interface Editable {
  sandbox: Sandbox & { call: CallApi }
  edit(name: string, text: string): Promise<void>
  /** Returns the problems of a reload, without the folder. */
  refusal(): Promise<string>
  file(name: string): string
}

/** A sandbox of `rows.yaml` and `mine.yaml`. */
async function editable(
  files: Readonly<Record<string, string>> = {},
  options: SandboxOptions = {},
): Promise<Editable> {
  const cwd = await folderWith({ 'rows.yaml': rows(1), 'mine.yaml': scenario('mine'), ...files })
  const file = (name: string): string => join(cwd, name)
  const sandbox = await startSandbox({
    fixtures: file('rows.yaml'),
    scenarios: file('mine.yaml'),
    ...options,
  })
  return {
    sandbox,
    file,
    edit: (name, text) => writeFile(file(name), text),
    refusal: async () => {
      const error: unknown = await sandbox.reload().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(DocumentError)
      return (error as DocumentError).message.replaceAll(`${cwd}/`, '')
    },
  }
}

const amountIn = ({ state }: Pick<Sandbox, 'state'>): unknown => state.get('rewards', 'rwd_1')

describe('what was edited well', () => {
  it('rows -> in force everywhere, for handles that a test holds and for workspaces to come', async () => {
    const { sandbox, edit } = await editable()
    const w1 = sandbox.workspace('w1')
    const { state, clock, scenarios } = w1
    state.delete('rewards', 'rwd_1')
    await edit('rows.yaml', rows(2))
    await sandbox.reload()
    for (const one of [sandbox, w1, { state }, sandbox.workspace('w1'), sandbox.workspace('w2')]) {
      expect(amountIn(one)).toMatchObject({ amount: 2 })
    }
    clock.advance({ days: 1 })
    expect(sandbox.workspace('w1').clock.now()).toBe('2026-11-22T12:00:00.000Z')
    expect(await scenarios.active()).toEqual(['mine'])
    expect((await w1.fetch('/v2/customers')).headers.get('x-sandbox-request-id')).toBe('req_w1_1')
  })

  it('a renamed scenario -> the active one under its new name, in every workspace', async () => {
    const { sandbox, edit } = await editable()
    const w1 = sandbox.workspace('w1')
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1')).status).toBe(401)
    await edit('mine.yaml', scenario('renamed', 'retrieveReward', 'not_found'))
    await sandbox.reload()
    for (const one of [sandbox, w1, sandbox.workspace('w2')]) {
      expect(await one.scenarios.active()).toEqual(['renamed'])
      expect(await one.scenarios.get('mine')).toBeUndefined()
      expect(
        (await one.fetch('/v2/rewards/rwd_1', { headers: { authorization: `Bearer ${one.apiKey}` } })).status,
      ).toBe(404)
    }
  })

  it('a scenario and the key that names it, at once -> both', async () => {
    const { sandbox, edit } = await editable({ 'rows.yaml': rows(1, keyWith('mine')) })
    await edit('mine.yaml', scenario('renamed'))
    await edit('rows.yaml', rows(1, keyWith('renamed', 'sk_other')))
    await sandbox.reload()
    expect(sandbox.apiKey).toBe('sk_other')
    expect(sandbox.state.get('api_keys', 'key_own')).toMatchObject({ scenarios: ['renamed'] })
  })

  it('other products -> rows that name none belong to the first one there is now', async () => {
    const product = (key: string): string =>
      `products: [{ merchant_key: ${key}, name: P, rewards: { currency: POINTS, symbol: p, description: d, precision: 0, categories: [], special_categories: [] } }]\n`
    const { sandbox, edit } = await editable({ 'rows.yaml': rows(1, product('mk_old')) })
    await edit('rows.yaml', rows(1, product('mk_new')))
    await sandbox.reload()
    expect(sandbox.state.put('customers', 'cus_2', {})).toMatchObject({ product: 'mk_new' })
  })

  it('seed and clock are those of the start, whatever the documents say by now', async () => {
    const dump = (seed: number, now: string): string =>
      rows(1, `sandbox: { seed: ${seed}, clock: { now: ${now}, frozen: true } }\n`)
    const { sandbox, edit } = await editable({ 'rows.yaml': dump(5, testNow) })
    sandbox.clock.advance({ days: 3 })
    await edit('rows.yaml', dump(6, '2027-01-01T00:00:00Z'))
    const before = sandbox.state.get('customers', 'cus_1')
    await sandbox.reload()
    expect([sandbox.seed, sandbox.clock.read()]).toEqual([5, { now: testNow, frozen: true }])
    expect(sandbox.state.document()).toMatchObject({ sandbox: { seed: 5 } })
    expect(sandbox.state.get('customers', 'cus_1')).toEqual(before)
  })

  it('nothing at all -> the same state as at start, population included', async () => {
    const { sandbox } = await editable({}, { generate: { customers: 20 } })
    const before = sandbox.state.document()
    sandbox.state.delete('rewards', 'rwd_1')
    await sandbox.reload()
    expect(sandbox.state.document()).toEqual(before)
  })
})

describe('what cannot be used changes nothing', () => {
  const unknownField = `rows.yaml:3:1 custmers: unknown collection, did you mean 'customers'?\ncustmers: []\n^`
  const unknownEffect = `mine.yaml:5:13 rules[0].effect: unknown effect 'not_fond', did you mean 'not_found'?\n    effect: not_fond\n            ^`

  it.each([
    ['bad rows', { 'rows.yaml': rows(2, 'custmers: []\n'), 'mine.yaml': scenario('renamed') }, unknownField],
    [
      'a bad scenario',
      { 'rows.yaml': rows(2), 'mine.yaml': scenario('renamed', '"*"', 'not_fond') },
      unknownEffect,
    ],
    [
      'both',
      { 'rows.yaml': rows(2, 'custmers: []\n'), 'mine.yaml': scenario('renamed', '"*"', 'not_fond') },
      `${unknownEffect}\n${unknownField}`,
    ],
    [
      'a key that names a scenario which has another name by now',
      { 'rows.yaml': rows(2, keyWith('mine')), 'mine.yaml': scenario('renamed') },
      expect.stringMatching(/^rows\.yaml:3:\d+ api_keys\[0\]\.scenarios\[0\]: unknown scenario 'mine'/),
    ],
    ['half a file', { 'rows.yaml': rows(2).slice(0, 40) }, expect.stringMatching(/^rows\.yaml:2:/)],
    ['an empty file', { 'rows.yaml': '' }, 'rows.yaml: is empty; expected a JSON or YAML document'],
  ])('%s', async (_title, edits, message) => {
    const { sandbox, edit, refusal } = await editable()
    const w1 = sandbox.workspace('w1')
    w1.state.patch('rewards', 'rwd_1', { amount: 9 })
    const before = [sandbox.state.document(), w1.state.document()]
    for (const [name, text] of Object.entries(edits)) await edit(name, text)
    expect(await refusal()).toEqual(message)
    expect([sandbox.state.document(), w1.state.document()]).toEqual(before)
    expect([await sandbox.scenarios.active(), await w1.scenarios.active()]).toEqual([['mine'], ['mine']])
    expect(await sandbox.scenarios.get('renamed')).toBeUndefined()
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1')).status).toBe(401)
    sandbox.reset()
    expect(amountIn(sandbox)).toMatchObject({ amount: 1 })
  })

  it('a scenario that is named by its name, and by now is called otherwise', async () => {
    const { sandbox, edit, refusal, file } = await editable()
    const other = await startSandbox({ scenarios: [file('mine.yaml'), 'mine'] })
    await edit('mine.yaml', scenario('mines'))
    await expect(other.reload()).rejects.toThrow(
      new DocumentError([
        { source: 'scenarios', path: '', message: "unknown scenario 'mine', did you mean 'mines'?" },
      ]),
    )
    expect(await other.scenarios.get('mines')).toBeUndefined()
    await rm(file('mine.yaml'))
    expect(await refusal()).toBe('mine.yaml: there is no such file')
    expect(await sandbox.scenarios.active()).toEqual(['mine'])
  })

  it('mended -> in force', async () => {
    const { sandbox, edit, refusal } = await editable()
    await edit('rows.yaml', rows('much'))
    await refusal()
    await edit('rows.yaml', rows(3))
    await sandbox.reload()
    expect(amountIn(sandbox)).toMatchObject({ amount: 3 })
  })
})

describe('reloads and time', () => {
  it('two at once -> one after the other, so that what was read last stays', async () => {
    const order: string[] = []
    const fixtures = Object.defineProperty({}, 'customers', {
      enumerable: true,
      get: () => {
        order.push('read')
        return [{ id: 'cus_1' }]
      },
    })
    const sandbox = await startSandbox({ fixtures })
    order.length = 0
    const reload = async (): Promise<void> => {
      await sandbox.reload()
      order.push('done')
    }
    await Promise.all([reload(), reload()])
    expect(order).toEqual(['read', 'done', 'read', 'done'])
  })

  it('one that is refused does not hold up the next', async () => {
    const { sandbox, edit, refusal } = await editable()
    await edit('rows.yaml', rows('much'))
    const first = refusal()
    const second = first.then(() => edit('rows.yaml', rows(2))).then(() => sandbox.reload())
    expect(await first).toContain('must be an integer')
    await second
    expect(amountIn(sandbox)).toMatchObject({ amount: 2 })
  })

  it('the sandbox closes meanwhile -> it rejects as aborted, and nothing has changed', async () => {
    const { sandbox, edit } = await editable()
    await edit('rows.yaml', rows(2))
    const turn = sandbox.reload()
    await sandbox.close()
    await expect(turn).rejects.toMatchObject({ name: 'AbortError' })
    expect(amountIn(sandbox)).toMatchObject({ amount: 1 })
  })
})
