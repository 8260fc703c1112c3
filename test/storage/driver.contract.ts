// The contract of a storage driver. Each driver runs the same cases; a table has a column for each driver, so that a reader
// compares them side by side. Cases use the public library alone.
import { describe, expect, it } from 'vitest'
import type { Sandbox, SandboxOptions, SandboxWorkspace, WorkspaceView } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { askControl } from '../helpers/control.ts'
import { stateOf } from '../helpers/data.ts'
import { Printed } from '../helpers/printed.ts'
import { fullKey, testNow, uncheckedCaller, type Answered } from '../helpers/sandbox.ts'
import { unhurried } from '../helpers/unhurried.ts'
import { withTest } from '../setup/with-test.ts'

export type Driver = 'memory' | 'file' | 'folder' | 'Redis'

/** The columns of each table: a value for each driver. */
type Columns<T> = readonly [memory: T, file: T, folder: T, Redis: T]

/** A sandbox on the storage of a test. */
export interface Opened {
  readonly sandbox: Sandbox
  /** The problems that it reported, a line each. */
  readonly problems: Printed
}

/** The storage of one test. Sandboxes open it one after the other, or several of them concurrently. */
export interface TestStorage {
  /** Opens a sandbox, which is closed after the test at the latest. */
  open(options?: SandboxOptions): Promise<Opened>
  /** A refusal or a problem without the path of the test. */
  readable(message: string): string
  /** How storage fails; undefined where it cannot. */
  outage?: {
    begin(opened: Opened): Promise<void>
    /** Resolves once the sandbox writes again. */
    end(opened: Opened): Promise<void>
  }
  /** How a step of saving is lost; undefined where nothing is saved. */
  crash?: Crash
}

/** A step that is lost: with a file the process dies there, with an engine its connections end. */
export interface Crash {
  /** The workspaces that are persisted. */
  readonly workspaces: readonly string[]
  /** Where the step may be lost: before it is done, or after that. */
  readonly places: readonly ('before' | 'after')[]
  /** Loses a step, counted from 0 from now on. */
  at(step: number, place: 'before' | 'after'): void
  /** Whether that step was reached. */
  isReached(): boolean
  /** The storage as the next process finds it. */
  left(): Promise<TestStorage>
}

/** Opens a sandbox with a frozen clock, unless the options differ; it is closed after the test at the latest. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Opened> {
  const problems = new Printed()
  const sandbox = await createSandbox(
    { clock: testNow, frozen: true, ...options },
    {
      onProblem: (line) => problems.add(`${line}\n`),
      onBug: (error) => {
        throw error instanceof Error ? error : new Error(String(error))
      },
    },
  )
  unhurried(sandbox)
  withTest(() => sandbox.close())
  return { sandbox, problems }
}

const call = (sandbox: Sandbox, ...sent: Parameters<ReturnType<typeof uncheckedCaller>>): Promise<Answered> =>
  uncheckedCaller(sandbox)(...sent)

/** Creates a transaction intent by the API. */
async function postIntent(sandbox: Sandbox, workspace = 'default'): Promise<Answered> {
  const key = workspace === 'default' ? fullKey : `${fullKey}.${workspace}`
  const json = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
  return call(sandbox, 'POST', '/v2/transaction_intents', { key, json })
}

/** Creates a transaction intent, which must succeed. @returns its id. */
async function createIntent(sandbox: Sandbox, workspace = 'default'): Promise<unknown> {
  const answer = await postIntent(sandbox, workspace)
  expect(answer.status).toBe(201)
  return answer.json.id
}

/** A workspace with the writes of all sandboxes; it is created where there is none. */
async function current(sandbox: Sandbox, name = 'default'): Promise<SandboxWorkspace> {
  const workspace = await sandbox.workspaces.open(name)
  await workspace.saved()
  return workspace
}

/** Changes a workspace by the library, and waits until that is persisted. */
async function change(
  sandbox: Sandbox,
  operation: (workspace: SandboxWorkspace) => unknown,
  name = 'default',
): Promise<void> {
  const workspace = await current(sandbox, name)
  await operation(workspace)
  await workspace.saved()
}

const putCustomer = (id: string) => (workspace: SandboxWorkspace) => workspace.state.put('customers', id, {})

/** The ids of the customers that a test put. */
async function putCustomers(sandbox: Sandbox, name = 'default'): Promise<string[]> {
  const { state } = await current(sandbox, name)
  return state.list('customers', { id_prefix: 'cus_put_' }).map(({ id }) => id)
}

async function intents(sandbox: Sandbox, name = 'default'): Promise<unknown[]> {
  return (await current(sandbox, name)).state.list('transaction_intents')
}

/** The names of all workspaces, in the order of the list. */
async function workspaceNames(sandbox: Sandbox): Promise<string[]> {
  const { status, json } = await askControl(sandbox, 'GET', '/workspaces')
  expect(status).toBe(200)
  return json.workspaces.map(({ name }: WorkspaceView) => name)
}

async function scenarioRules(sandbox: Sandbox, name: 'unknown-fields'): Promise<unknown> {
  const found = await (await current(sandbox)).scenarios.get(name)
  return found?.rules
}

const reward = '/v2/rewards/rwd_ada_pending'

const getCustomers = (sandbox: Sandbox, key = fullKey): Promise<Answered> =>
  call(sandbox, 'GET', '/v2/customers', { key })

/** One thing that a workspace has: how a test writes it, and how it reads it. The two run in different sandboxes. */
interface Thing {
  /** Of each of the sandboxes. */
  options?: SandboxOptions
  write(sandbox: Sandbox): Promise<unknown>
  read(sandbox: Sandbox): Promise<unknown>
}

/** Whether a sandbox that opens the storage later finds what an earlier one wrote. */
type Persistence = 'persisted' | 'begins again'

const ownScenario = {
  name: 'own',
  description: 'A scenario that a test registered.',
  rules: [{ on: 'searchCustomers', effect: { latency: { min: 0, max: 1 } } }],
}

// prettier-ignore
const things: readonly [thing: string, ...Columns<Persistence>, Thing][] = [
  ['rows that a call of the API wrote', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: (sandbox) => createIntent(sandbox),
    read: (sandbox) => intents(sandbox),
  }],
  ['rows that state.put wrote', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: (sandbox) => change(sandbox, putCustomer('cus_put_1')),
    read: async (sandbox) => (await current(sandbox)).state.get('customers', 'cus_put_1') ?? 'no row',
  }],
  ['the sequence of ids', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: async (sandbox) => [await createIntent(sandbox), await createIntent(sandbox)],
    read: async (sandbox) => [await createIntent(sandbox), await createIntent(sandbox)],
  }],
  ['the position of ids that a reset kept', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: async (sandbox) => {
      await createIntent(sandbox)
      await change(sandbox, (workspace) => workspace.reset({ ids: 'continue' }))
    },
    read: (sandbox) => createIntent(sandbox),
  }],
  ['the time of the clock', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: (sandbox) => change(sandbox, ({ clock }) => clock.set('2027-01-01T00:00:00.000Z')),
    read: async (sandbox) => (await current(sandbox)).clock.read(),
  }],
  ['a clock that a test froze', 'begins again', 'persisted', 'persisted', 'persisted', {
    options: { frozen: false },
    write: (sandbox) => change(sandbox, ({ clock }) => clock.set({ now: '2027-01-01T00:00:00.000Z', frozen: true })),
    read: async (sandbox) => {
      const reading = (await current(sandbox)).clock.read()
      return reading.frozen ? reading : 'it runs'
    },
  }],
  // In files the option `frozen` of the later sandbox applies to the clock that it finds.
  ['a clock that a test let run, against the option frozen', 'begins again', 'begins again', 'begins again', 'persisted', {
    write: (sandbox) => change(sandbox, ({ clock }) => clock.unfreeze()),
    read: async (sandbox) => (await current(sandbox)).clock.read().frozen,
  }],
  ['a reset, and a write after it', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: async (sandbox) => {
      await change(sandbox, putCustomer('cus_put_before'))
      await change(sandbox, (workspace) => workspace.reset())
      await change(sandbox, putCustomer('cus_put_after'))
    },
    read: (sandbox) => putCustomers(sandbox),
  }],
  ['rows of a restored snapshot', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: async (sandbox) => {
      await change(sandbox, putCustomer('cus_put_before'))
      await change(sandbox, (workspace) => workspace.snapshot('before'))
      await change(sandbox, putCustomer('cus_put_after'))
      await change(sandbox, (workspace) => workspace.restore('before'))
    },
    read: (sandbox) => putCustomers(sandbox),
  }],
  ['webhook events, and where their sequence stands', 'begins again', 'persisted', 'persisted', 'persisted', {
    options: { webhooks: 'standard' },
    write: async (sandbox) => {
      await createIntent(sandbox)
      await change(sandbox, ({ events }) => events.trigger('reward.updated', { id: 'rwd_ada_pending' }))
    },
    read: async (sandbox) => {
      await change(sandbox, ({ events }) => events.trigger('customer.linked', { id: 'cus_ada' }))
      return (await current(sandbox)).events.list()
    },
  }],
  ['webhook endpoints with their secrets', 'begins again', 'persisted', 'persisted', 'persisted', {
    options: { webhooks: 'standard' },
    write: (sandbox) => change(sandbox, ({ webhooks }) => {
      webhooks.add({ url: 'https://a.example/' })
      webhooks.add({ url: 'https://b.example/', events: ['reward.updated'] })
      webhooks.rotate('we_1')
      webhooks.remove('we_2')
    }),
    read: async (sandbox) => {
      const { webhooks } = await current(sandbox)
      const { id } = webhooks.add({ url: 'https://c.example/' })
      return [webhooks.list(), webhooks.rotate(id)]
    },
  }],
  ['API keys that createApiKey created', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: async (sandbox) => expect((await call(sandbox, 'POST', '/v2/keys', { json: {} })).status).toBe(201),
    read: async (sandbox) => {
      const keys = (await current(sandbox)).state.list('api_keys')
      const answers = await Promise.all(keys.map((key) => getCustomers(sandbox, key.api_key)))
      return keys.map((key, at) => [key, answers[at]?.status])
    },
  }],
  ['rows of another workspace', 'begins again', 'begins again', 'persisted', 'persisted', {
    write: (sandbox) => createIntent(sandbox, 'acme'),
    read: (sandbox) => intents(sandbox, 'acme'),
  }],
  ['the ids of another workspace', 'begins again', 'begins again', 'persisted', 'persisted', {
    write: (sandbox) => createIntent(sandbox, 'acme'),
    read: (sandbox) => createIntent(sandbox, 'acme'),
  }],
  ['the ids of a copy for a replay, which are those of its original', 'begins again', 'begins again', 'persisted', 'persisted', {
    write: async (sandbox) => {
      const { requestId } = await postIntent(sandbox, 'acme')
      const path = `/requests/${requestId}/replay?workspace=acme`
      expect((await askControl(sandbox, 'POST', path, { workspace: 'copy' })).status).toBe(201)
    },
    // A reset restores the initial rows of the copy, whose next id is the second one of the original.
    read: async (sandbox) => {
      const next = await createIntent(sandbox, 'copy')
      await change(sandbox, (workspace) => workspace.reset(), 'copy')
      return [next, await createIntent(sandbox, 'copy')]
    },
  }],
  ['rows of a copy', 'begins again', 'begins again', 'persisted', 'persisted', {
    write: async (sandbox) => {
      await change(sandbox, putCustomer('cus_put_1'), 'acme')
      await sandbox.workspaces.create({ name: 'copy', from: 'acme' })
      await change(sandbox, putCustomer('cus_put_2'), 'copy')
    },
    read: async (sandbox) => [await putCustomers(sandbox, 'acme'), await putCustomers(sandbox, 'copy')],
  }],
  ['named snapshots', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: (sandbox) => change(sandbox, (workspace) => workspace.snapshot('before')),
    read: async (sandbox) => {
      const { snapshots } = await current(sandbox)
      return [snapshots.list().map(({ name }) => name), snapshots.get('before') ?? 'no snapshot']
    },
  }],
  ['a registered scenario', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: (sandbox) => change(sandbox, ({ scenarios }) => scenarios.register(ownScenario)),
    read: async (sandbox) => (await (await current(sandbox)).scenarios.list()).filter(({ name }) => name === 'own'),
  }],
  ['the active list', 'begins again', 'persisted', 'persisted', 'persisted', {
    write: (sandbox) => change(sandbox, ({ scenarios }) => scenarios.activate('unknown-fields', 'null-optionals')),
    read: async (sandbox) => (await current(sandbox)).scenarios.active(),
  }],
  ['the counters of a scenario', 'begins again', 'begins again', 'begins again', 'persisted', {
    write: async (sandbox) => {
      await change(sandbox, ({ scenarios }) => scenarios.activate('unknown-fields'))
      expect((await getCustomers(sandbox)).status).toBe(200)
    },
    read: (sandbox) => scenarioRules(sandbox, 'unknown-fields'),
  }],
  ['the journal', 'begins again', 'begins again', 'begins again', 'persisted', {
    write: (sandbox) => createIntent(sandbox),
    read: async (sandbox) =>
      (await current(sandbox)).requests.list().map(({ id, at, operation, path, status, changes }) =>
        ({ id, at, operation, path, status, changes })),
  }],
  ['the timeline', 'begins again', 'begins again', 'begins again', 'persisted', {
    write: async (sandbox) => {
      await change(sandbox, putCustomer('cus_put_1'))
      await change(sandbox, (workspace) => workspace.reset())
    },
    read: async (sandbox) => (await current(sandbox)).timeline(),
  }],
  ['coverage', 'begins again', 'begins again', 'begins again', 'persisted', {
    write: (sandbox) => createIntent(sandbox),
    read: async (sandbox) => (await sandbox.coverage.get()).points.map(({ id, hits }) => [id, hits]),
  }],
  ['request numbers', 'begins again', 'begins again', 'begins again', 'persisted', {
    write: (sandbox) => getCustomers(sandbox),
    read: async (sandbox) => (await getCustomers(sandbox)).requestId,
  }],
]

/** The rows of a table for one driver: situation, outcome, case. */
function columnOf<T, Run>(
  driver: Driver,
  table: readonly (readonly [situation: string, ...Columns<T>, Run])[],
): [situation: string, outcome: T, run: Run][] {
  return table.map(([situation, memory, file, folder, Redis, run]) => {
    const outcomes: Record<Driver, T> = { memory, file, folder, Redis }
    return [situation, outcomes[driver], run]
  })
}

/** The outcome of a situation in a sandbox on the storage. */
type Case = (storage: TestStorage) => Promise<unknown>

/** Two sandboxes write concurrently. @returns how many new rows each of them has, or the refusal of the second one. */
async function writeConcurrently(storage: TestStorage): Promise<unknown> {
  const first = await storage.open()
  const before = (await intents(first.sandbox)).length
  let second: Opened
  try {
    second = await storage.open()
  } catch (error) {
    return storage.readable(String(error))
  }
  const sandboxes = [first.sandbox, second.sandbox]
  const rounds = Array.from({ length: 20 }, () => sandboxes).flat()
  await Promise.all(rounds.map((sandbox) => createIntent(sandbox)))
  const [one = [], two = []] = await Promise.all(sandboxes.map((sandbox) => intents(sandbox)))
  return {
    rows: [one.length - before, two.length - before],
    areEqual: JSON.stringify(one) === JSON.stringify(two),
  }
}

/** Writes before, during and after an outage, and looks at the rows and at the health each time. */
async function failOnce(storage: TestStorage): Promise<unknown> {
  const opened = await storage.open()
  const { sandbox } = opened
  await createIntent(sandbox)
  const before = stateOf(sandbox)
  const health = [sandbox.health().status]
  const during: number[] = []
  if (storage.outage) {
    await storage.outage.begin(opened)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      during.push((await postIntent(sandbox)).status)
      expect(stateOf(sandbox)).toBe(before)
    }
    health.push(sandbox.health().status)
    await storage.outage.end(opened)
    expect(stateOf(await current(sandbox))).toBe(before)
    health.push(sandbox.health().status)
  }
  const retry = (await postIntent(sandbox)).status
  const retried = stateOf(await current(sandbox))
  expect(retried).not.toBe(before)
  await sandbox.close()
  const { sandbox: later } = await storage.open()
  return { during, retry, health, isPersisted: stateOf(await current(later)) === retried }
}

/** Opens a sandbox for one operation, and closes it. */
async function inSandbox<T>(
  storage: TestStorage,
  operation: (sandbox: Sandbox) => Promise<T>,
  options?: SandboxOptions,
): Promise<T> {
  const { sandbox } = await storage.open(options)
  const result = await operation(sandbox)
  await sandbox.close()
  return result
}

async function deleteWorkspace(sandbox: Sandbox, name: string): Promise<void> {
  expect(sandbox.workspaces.delete(name)).toBe(true)
  await sandbox.saved()
}

/** The reads before closing and after reopening. */
interface Reads {
  closing: unknown
  reopened: unknown
}

async function createDeletedAgain(storage: TestStorage): Promise<Reads> {
  const closing = await inSandbox(storage, async (sandbox) => {
    await change(sandbox, putCustomer('cus_put_old'), 'acme')
    await deleteWorkspace(sandbox, 'acme')
    await sandbox.workspaces.create({ name: 'acme' })
    const created = await putCustomers(sandbox, 'acme')
    await change(sandbox, putCustomer('cus_put_new'), 'acme')
    return [created, await putCustomers(sandbox, 'acme')]
  })
  return { closing, reopened: await inSandbox(storage, (sandbox) => putCustomers(sandbox, 'acme')) }
}

async function listWorkspaces(storage: TestStorage): Promise<Reads> {
  const closing = await inSandbox(storage, async (sandbox) => {
    for (const name of ['zoe', 'acme', 'mia']) await createIntent(sandbox, name)
    return workspaceNames(sandbox)
  })
  return { closing, reopened: await inSandbox(storage, workspaceNames) }
}

async function deleteReopened(storage: TestStorage): Promise<Reads> {
  await inSandbox(storage, (sandbox) => change(sandbox, putCustomer('cus_put_1'), 'acme'))
  const closing = await inSandbox(storage, async (sandbox) => {
    const found = await workspaceNames(sandbox)
    await current(sandbox, 'acme')
    await deleteWorkspace(sandbox, 'acme')
    return [found, await workspaceNames(sandbox)]
  })
  const reopened = await inSandbox(storage, async (sandbox) => [
    await workspaceNames(sandbox),
    await putCustomers(sandbox, 'acme'),
  ])
  return { closing, reopened }
}

/** A session of writes, one after the other: each is persisted as a whole, or not at all. @returns the status of each. */
const session: readonly ((sandbox: Sandbox) => Promise<{ status: number }>)[] = [
  (sandbox) => postIntent(sandbox),
  (sandbox) => call(sandbox, 'PATCH', reward, { json: { status: 'AVAILABLE' } }),
  (sandbox) => askControl(sandbox, 'POST', '/scenarios', ownScenario),
  (sandbox) => askControl(sandbox, 'PUT', '/scenarios/active', ['own']),
  (sandbox) => askControl(sandbox, 'PUT', '/snapshots/before'),
  (sandbox) => askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }),
  (sandbox) => postIntent(sandbox, 'acme'),
  (sandbox) => call(sandbox, 'POST', '/v2/keys', { json: {} }),
  (sandbox) => askControl(sandbox, 'POST', '/clock/advance', { days: 1 }),
  (sandbox) => askControl(sandbox, 'DELETE', '/workspaces/acme'),
  (sandbox) => askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }),
  (sandbox) => postIntent(sandbox, 'acme'),
  (sandbox) => askControl(sandbox, 'POST', '/reset'),
  (sandbox) => postIntent(sandbox),
  (sandbox) => askControl(sandbox, 'POST', '/snapshots/before/restore'),
]

/** All that is persisted of some workspaces. */
async function persistedOf(sandbox: Sandbox, names: readonly string[]): Promise<string> {
  const listed = await workspaceNames(sandbox)
  const all = names
    .filter((name) => listed.includes(name))
    .map(async (name) => {
      const workspace = await current(sandbox, name)
      const { scenarios, snapshots, clock } = workspace
      const registered = (await scenarios.list()).filter((one) => one.registered).map((one) => one.name)
      return [name, stateOf(workspace), clock.now(), registered, await scenarios.active(), snapshots.list()]
    })
  return JSON.stringify(await Promise.all(all))
}

/** The persisted state before the session, and after each of its writes. */
async function persistedInSession(names: readonly string[]): Promise<string[]> {
  const { sandbox } = await openSandbox()
  const found = [await persistedOf(sandbox, names)]
  for (const write of session) {
    expect((await write(sandbox)).status).toBeLessThan(300)
    found.push(await persistedOf(sandbox, names))
  }
  expect(new Set(found).size).toBeGreaterThan(names.length * 5)
  return found
}

/** Runs the session until a write fails. @returns how many were acknowledged, closing included; undefined for no start. */
async function runSession(storage: TestStorage): Promise<number> {
  let opened: Opened
  try {
    opened = await storage.open()
  } catch {
    return 0
  }
  let acknowledged = 0
  for (const write of session) {
    if ((await write(opened.sandbox)).status >= 300) break
    acknowledged += 1
  }
  await opened.sandbox.close()
  return acknowledged
}

const inUse =
  'DocumentError: DATA: is in use by another sandbox (this process); stop it, or give each its own file with --data'
const wellAgain = { retry: 201, health: ['ok', 'degraded', 'ok'], isPersisted: true }
const allNames = ['default', 'zoe', 'acme', 'mia']
const recreated = [[], ['cus_put_new']]

// prettier-ignore
const situations: readonly [situation: string, ...Columns<unknown>, Case][] = [
  ['two sandboxes write 20 rows each, concurrently',
    { rows: [20, 20], areEqual: true },
    inUse,
    inUse,
    { rows: [40, 40], areEqual: true },
    writeConcurrently],
  ['storage fails, and is well again',
    // Memory cannot fail.
    { during: [], retry: 201, health: ['ok'], isPersisted: false },
    { during: [500, 503], ...wellAgain },
    { during: [500, 503], ...wellAgain },
    { during: [503, 503], ...wellAgain },
    failOnce],
  ['a workspace is deleted, and created again under its name',
    { closing: recreated, reopened: [] },
    { closing: recreated, reopened: [] },
    { closing: recreated, reopened: ['cus_put_new'] },
    { closing: recreated, reopened: ['cus_put_new'] },
    createDeletedAgain],
  ['workspaces are listed in the order of their first use',
    { closing: allNames, reopened: ['default'] },
    { closing: allNames, reopened: ['default'] },
    // The folder orders by `created_at`, then by name; the frozen clock gives all of them one `created_at`.
    { closing: allNames, reopened: ['default', 'acme', 'mia', 'zoe'] },
    { closing: allNames, reopened: allNames },
    listWorkspaces],
  ['a workspace of an earlier sandbox is deleted',
    { closing: [['default'], ['default']], reopened: [['default'], []] },
    { closing: [['default'], ['default']], reopened: [['default'], []] },
    { closing: [['default', 'acme'], ['default']], reopened: [['default'], []] },
    { closing: [['default', 'acme'], ['default']], reopened: [['default'], []] },
    deleteReopened],
]

// prettier-ignore
const refused: [situation: string, status: number, method: string, path: string, json: object][] = [
  ['a value that the field does not allow', 400, 'PATCH', reward, { status: 'NOPE' }],
  ['an amount that is no number', 400, 'POST', '/v2/transaction_intents', { customer_id: 'cus_ada', amount: 'x', currency: 'USD' }],
  ['a row that is not there', 404, 'PATCH', '/v2/rewards/rwd_missing', { status: 'AVAILABLE' }],
]

/** The contract, for a driver. @param setUp creates the storage of one test, in that test. */
export function describeDriver(driver: Driver, setUp: () => Promise<TestStorage>): void {
  describe(`the storage driver ${driver}`, () => {
    it.each(columnOf(driver, things))('%s, once closed and opened again -> %s', async (_, outcome, thing) => {
      const { write, read, options } = thing
      // Two sandboxes in memory, neither of which is closed in between, give the two possible values.
      const [unwritten, written] = [await openSandbox(options), await openSandbox(options)]
      await write(written.sandbox)
      const values = {
        persisted: await read(written.sandbox),
        'begins again': await read(unwritten.sandbox),
      }
      expect(values.persisted).not.toEqual(values['begins again'])

      const storage = await setUp()
      await inSandbox(storage, write, options)
      expect(await inSandbox(storage, read, options)).toEqual(values[outcome])
    })

    it.each(columnOf(driver, situations))('%s', async (_, outcome, run) => {
      expect(await run(await setUp())).toEqual(outcome)
    })

    it('a write that was acknowledged -> the next read has it', async () => {
      const { sandbox } = await (await setUp()).open()
      const written = await call(sandbox, 'PATCH', reward, { json: { status: 'AVAILABLE' } })
      expect([written.status, written.json.status]).toEqual([200, 'AVAILABLE'])
      const read = await call(sandbox, 'GET', reward)
      expect([read.status, read.json]).toEqual([200, written.json])
    })

    it.runIf(driver !== 'memory')(
      'any step of a session is lost -> what was acknowledged is there, and nothing is damaged',
      async () => {
        const { crash } = await setUp()
        if (!crash) throw new Error('this driver saves nothing')
        const expected = await persistedInSession(crash.workspaces)
        const loses = async (step: number, place: 'before' | 'after'): Promise<boolean> => {
          const storage = await setUp()
          storage.crash?.at(step, place)
          const acknowledged = await runSession(storage)
          const left = await storage.crash?.left()
          const { sandbox, problems } = await (left ?? storage).open()
          const found = await persistedOf(sandbox, crash.workspaces)
          const allowed = expected.slice(acknowledged, acknowledged + 2)
          expect(allowed, `${place} step ${step}, ${acknowledged} acknowledged`).toContain(found)
          expect([problems.text, sandbox.health().status]).toEqual(['', 'ok'])
          await sandbox.close()
          return storage.crash?.isReached() === true
        }
        for (const place of crash.places) {
          let step = 0
          while (await loses(step, place)) step += 1
          expect(step).toBeGreaterThan(session.length)
        }
      },
      120_000,
    )

    it.each(refused)('%s -> %i, and no row changes', async (_, status, method, path, json) => {
      const storage = await setUp()
      const { sandbox } = await storage.open()
      await createIntent(sandbox)
      const before = stateOf(await current(sandbox))
      expect((await call(sandbox, method, path, { json })).status).toBe(status)
      expect(stateOf(await current(sandbox))).toBe(before)
    })
  })
}
