// Data files and folders (`--data`), as docs/persistence.md promises.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ClosedError } from '../../src/workspaces/closed.ts'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { crashed, dataName, filesOn, refusalOf, startOn, stateOf } from '../helpers/data.ts'
import { gate, watchDisk, type Disk } from '../helpers/disk.ts'
import { filesIn, newIntent, startIn, type InFolder } from '../helpers/folder.ts'
import { askControl } from '../helpers/control.ts'
import { container, fakeTimes } from '../helpers/lock.ts'
import { fullKey, uncheckedCaller, type CallApi } from '../helpers/sandbox.ts'

/** The files of workspace `default` while a sandbox uses a new folder. */
const ofDefault = ['default.1.log', 'default.json']

const names = (sandbox: Sandbox): string[] => sandbox.workspaces.list().map(({ name }) => name)

/** The status of a call that may be refused before its workspace is known: such an answer has no request id. */
const statusOf = async (sandbox: Sandbox, ...call: Parameters<CallApi>): Promise<number> =>
  (await uncheckedCaller(sandbox)(...call)).status

/** The intent with an id, as a workspace has it. */
const readIntent = ({ call }: InFolder, workspace: string, id: string): ReturnType<InFolder['call']> =>
  call(workspace, 'GET', `/v2/transaction_intents/${id}`)

describe('the files', () => {
  it('--data FILE: the checkpoint and its log; after a clean stop the checkpoint has all rows', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk)
    expect(Object.keys(await filesOn(disk))).toEqual([dataName, `${dataName}.1.log`])
    const made = await sandbox.call(...newIntent)
    await sandbox.close()
    const files = await filesOn(disk)
    expect(Object.keys(files)).toEqual([dataName, `${dataName}.2.log`, `${dataName}.previous`])
    expect(files[dataName]).toContain(made.json.id)
    expect(files[`${dataName}.previous`]).not.toContain(made.json.id)
    expect(readdirSync(disk.folder)).not.toContain(`${dataName}.lock`)
  })

  it('--data FOLDER/: created with mode 0700, files with 0600', async () => {
    const disk = await watchDisk()
    await startIn(disk, { data: disk.path('above/data/') })
    const modeOf = (path: string): number => statSync(disk.path(path)).mode & 0o777
    expect(['above', 'above/data'].map(modeOf)).toEqual([0o700, 0o700])
    expect(readdirSync(disk.path('above/data')).map((name) => modeOf(`above/data/${name}`))).toEqual([
      0o600, 0o600, 0o600,
    ])
  })

  it('an existing file keeps its mode, and a link stays a link', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('real'))
    symlinkSync('real/state.json', disk.path(dataName))
    const first = await startOn(disk)
    chmodSync(disk.path('real/state.json'), 0o640)
    await first.sandbox.call(...newIntent)
    await first.sandbox.close()
    expect(lstatSync(disk.path(dataName)).isSymbolicLink()).toBe(true)
    expect(statSync(disk.path('real/state.json')).mode & 0o777).toBe(0o640)
    expect(readdirSync(disk.path('real')).toSorted()).toEqual([
      'state.json',
      'state.json.2.log',
      'state.json.previous',
    ])
  })

  it('the checkpoint is usable as fixtures', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk)
    const made = await sandbox.call(...newIntent)
    await sandbox.close()
    const other = await createSandbox({ fixtures: disk.path(dataName) })
    expect(other.state.get('transaction_intents', made.json.id)).toEqual(made.json)
  })

  it('existing files win over fixtures, which are the state after a reset', async () => {
    const disk = await watchDisk()
    await startOn(disk).then(({ sandbox }) => sandbox.close())
    const { sandbox, said } = await startOn(disk, { fixtures: { customers: [{ id: 'cus_fixture' }] } })
    expect(said).toEqual([
      `${dataName} exists and is used; the fixtures are the state after a reset, and that of new workspaces`,
    ])
    expect(sandbox.state.get('customers', 'cus_ada')).toBeDefined()
    sandbox.reset()
    expect(sandbox.state.list('customers').map(({ id }) => id)).toEqual(['cus_fixture'])
  })

  it('a checkpoint that was edited, without its last member, is used', async () => {
    const disk = await watchDisk()
    await startOn(disk).then(({ sandbox }) => sandbox.close())
    const text = readFileSync(disk.path(dataName), 'utf8')
    const edited = text.replace('"Ada"', '"Eda"')
    expect(edited).not.toBe(text)
    writeFileSync(disk.path(dataName), edited)
    expect(await refusalOf(disk)).toContain('If you edited it, delete its last member "checksum"')
    writeFileSync(disk.path(dataName), edited.replace(/,"checksum":"[0-9a-f]{8}"/, ''))
    const { sandbox } = await startOn(disk)
    expect(sandbox.state.get('customers', 'cus_ada')).toMatchObject({ first_name: 'Eda' })
  })

  it('other files in the folder stay as they are', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data'))
    for (const name of ['notes.txt', 'a b.json', 'x.y.json']) writeFileSync(disk.path(`data/${name}`), '')
    const { sandbox } = await startIn(disk)
    expect(names(sandbox)).toEqual(['default'])
    await sandbox.close()
    expect(filesIn(disk)).toEqual(['a b.json', 'default.1.log', 'default.json', 'notes.txt', 'x.y.json'])
  })

  it.each<[string, string | undefined, string]>([
    [
      'a folder whose path is that of a file',
      'data/',
      'data: is a file and no folder; remove the trailing slash, or name a folder with --data and copy the file there as default.json',
    ],
    ['an empty file', 'data', 'is not JSON'],
  ])('%s -> refused', async (_, data, message) => {
    const disk = await watchDisk()
    writeFileSync(disk.path('data'), '')
    expect(await refusalOf(disk, { data: `${disk.folder}/${data}` })).toContain(message)
    expect(await filesOn(disk)).toEqual({ data: '' })
  })
})

describe.each([
  ['a file', dataName],
  ['a folder', 'data/'],
])('%s after a restart', (_, data) => {
  const start = (disk: Disk, options = {}): ReturnType<typeof startOn> =>
    startOn(disk, { data: `${disk.folder}/${data}`, ...options })

  it.each(['stop', 'crash'])('by a %s has rows, keys, ids and the clock', async (end) => {
    const disk = await watchDisk()
    const { sandbox } = await start(disk)
    const key = (await sandbox.call('POST', '/v2/keys', { json: {} })).json.key
    const made = await sandbox.call(...newIntent)
    sandbox.state.delete('order_events', 'ord_ada_1')
    sandbox.clock.advance({ days: 3 })
    await sandbox.saved()
    const before = stateOf(sandbox)
    const left = end === 'crash' ? await crashed(disk) : disk
    if (end === 'stop') await sandbox.close()

    const again = await start(left, { clock: '2026-11-21T12:00:01.000Z' })
    expect(again.said).toEqual([])
    expect(stateOf(again.sandbox)).toBe(before)
    expect(again.sandbox.clock.now()).toBe('2026-11-24T12:00:00.000Z')
    const read = await again.sandbox.call('GET', `/v2/transaction_intents/${made.json.id}`, { key })
    expect([read.status, read.json]).toEqual([200, made.json])
    expect(read.requestId).toBe(end === 'stop' ? 'req_default_3' : 'req_default_1000001')
    expect((await again.sandbox.call(...newIntent)).json.id).not.toBe(made.json.id)
  })

  it('by a crash has what a reset, a restore and an upload left', async () => {
    const disk = await watchDisk()
    const { sandbox } = await start(disk)
    const made = await sandbox.call(...newIntent)
    sandbox.snapshot('full')
    await sandbox.saved()
    const idsOf = async (): Promise<string[]> => {
      const again = await start(await crashed(disk))
      const ids = again.sandbox.state.list('transaction_intents').map(({ id }) => id)
      await again.sandbox.close()
      return ids
    }
    expect(await idsOf()).toContain(made.json.id)
    expect((await askControl(sandbox, 'POST', '/reset')).status).toBe(200)
    expect(await idsOf()).not.toContain(made.json.id)
    expect((await askControl(sandbox, 'POST', '/snapshots/full/restore')).status).toBe(200)
    expect(await idsOf()).toContain(made.json.id)
    expect((await askControl(sandbox, 'PUT', '/state', { customers: [] })).status).toBe(200)
    expect(await idsOf()).toEqual([])
  })
})

describe('a workspace in a folder', () => {
  it('is on the disk before its first answer, also to a call that only reads', async () => {
    const disk = await watchDisk()
    const { call } = await startIn(disk)
    const read = await call('acme', 'GET', '/v2/customers')
    expect([read.status, read.requestId]).toEqual([200, 'req_acme_1'])
    expect(filesIn(disk)).toEqual(['acme.1.log', 'acme.json', ...ofDefault])
  })

  it.each<[string, string]>([
    ['an unknown key', 'sk_sandbox_nobody.acme'],
    ['an invalid name', `${fullKey}.ac me`],
  ])('%s -> 401, and no file', async (_, key) => {
    const disk = await watchDisk()
    const { call } = await startIn(disk)
    expect((await call('default', 'GET', '/v2/customers', { key })).status).toBe(401)
    expect(filesIn(disk)).toEqual(ofDefault)
  })

  it('that cannot be created -> an error and no workspace, until it can', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    disk.judge = (step) => (step.includes(' acme.') ? 'ENOSPC' : undefined)
    for (let tries = 0; tries < 2; tries++) {
      const called = await call('acme', 'GET', '/v2/customers')
      expect([called.status, called.json.error.type]).toEqual([503, 'SERVICE_UNAVAILABLE_ERROR'])
      const created = await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' })
      expect([created.status, created.json.error.message]).toEqual([
        500,
        'The change could not be saved to acme.json (no space is left on the disk), so it was rolled back.',
      ])
      expect([names(sandbox), filesIn(disk), sandbox.health().status]).toEqual([['default'], ofDefault, 'ok'])
    }
    disk.judge = () => undefined
    expect((await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' })).status).toBe(201)
    const made = await call('acme', ...newIntent)
    // The saver of a workspace that was not created tries no more.
    await vi.advanceTimersByTimeAsync(10_000)
    await call('acme', ...newIntent)
    const later = await startIn(await crashed(disk))
    expect((await readIntent(later, 'acme', made.json.id)).status).toBe(200)
  })

  it('is listed after a restart before it is used, counts for --max-workspaces, and its name is taken', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    const ids: string[] = []
    for (const name of ['acme', 'bolt']) ids.push((await first.call(name, ...newIntent)).json.id)
    const list = first.sandbox.workspaces.list()
    await first.sandbox.close()
    disk.steps.length = 0
    const second = await startIn(disk, { maxWorkspaces: 2 })
    expect(second.sandbox.workspaces.list()).toEqual(list)
    expect(disk.steps).not.toContain('read acme.json')
    expect((await second.call('carl', 'GET', '/v2/customers')).status).toBe(503)
    expect((await askControl(second.sandbox, 'POST', '/workspaces', { name: 'acme' })).json).toEqual({
      error: {
        type: 'CONFLICT',
        message: "workspace 'acme' already exists: delete it, or use another name",
      },
    })
    const read = await readIntent(second, 'acme', ids[0] ?? '')
    expect([read.status, read.requestId]).toEqual([200, 'req_acme_2'])
    expect((await readIntent(second, 'bolt', ids[1] ?? '')).status).toBe(200)
  })

  it.each(['stop', 'crash'])('has its own initial state after a %s', async (end) => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk)
    const rules = [{ on: '*', effect: { latency: { min: 1, max: 2 } } }]
    const options: object = {
      name: 'acme',
      fixtures: { customers: [{ id: 'cus_own' }, { id: 'cus_gone' }], account: { saved_version: null } },
      clock: { now: '2027-01-01T00:00:00Z', frozen: true },
      scenarios: ['slow', { name: 'own', description: 'own', rules }],
    }
    const made = await sandbox.workspaces.create(options)
    const begun = stateOf(made)
    const scenarios = await made.scenarios.active()
    made.state.delete('customers', 'cus_gone')
    made.state.patch('customers', 'cus_own', { first_name: 'Changed' })
    await made.scenarios.deactivate()
    made.clock.advance({ days: 1 })
    await made.saved()
    const before = stateOf(made)
    const left = end === 'crash' ? await crashed(disk) : disk
    if (end === 'stop') await sandbox.close()
    for (let start = 0; start < 2; start++) {
      const again = await startIn(left)
      const acme = await again.sandbox.open('acme')
      expect([stateOf(acme), acme.clock.now(), acme.createdAt]).toEqual([
        before,
        '2027-01-02T00:00:00.000Z',
        '2027-01-01T00:00:00.000Z',
      ])
      if (start === 1) {
        acme.reset()
        expect([stateOf(acme), await acme.scenarios.active(), acme.clock.now()]).toEqual([
          begun,
          scenarios,
          '2027-01-01T00:00:00.000Z',
        ])
      }
      await again.sandbox.close()
    }
  })

  it('that was added as a state document while no sandbox ran -> is used', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data'))
    const document = {
      schema_version: 1,
      products: [{ merchant_key: 'mk_1' }],
      customers: [{ id: 'cus_added' }],
    }
    writeFileSync(disk.path('data/acme.json'), JSON.stringify(document))
    const { sandbox, call } = await startIn(disk)
    expect(names(sandbox)).toEqual(['default', 'acme'])
    const acme = await sandbox.open('acme')
    expect(acme.state.list('customers').map(({ id }) => id)).toEqual(['cus_added'])
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(401)
  })

  it('of the library must be opened first; default is open', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    await first.call('acme', ...newIntent)
    await first.sandbox.close()
    const { sandbox } = await startIn(disk)
    for (const name of ['acme', 'new']) {
      const refusal = new ClosedError(name)
      expect(refusal.message).toBe(
        `workspace '${name}' is closed: open it with await sandbox.open('${name}')`,
      )
      expect(() => sandbox.workspace(name)).toThrow(refusal)
      const opened = await sandbox.open(name)
      expect(opened.name).toBe(name)
      expect(sandbox.workspace(name).state.size('transaction_intents')).toBe(
        opened.state.size('transaction_intents'),
      )
    }
    expect(sandbox.workspace('default').state.size('customers')).toBeGreaterThan(0)
  })

  it('is closed after 10 minutes without a call, and opened by the next one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const disk = await watchDisk()
    const one = await startIn(disk)
    const { sandbox, call } = one
    const made = await call('acme', ...newIntent)
    await call('read', 'GET', '/v2/customers')
    const held = await sandbox.open('held')
    await askControl(sandbox, 'PUT', '/snapshots/before?workspace=acme')
    await askControl(sandbox, 'PUT', '/scenarios/active?workspace=acme', { active: ['slow'] })
    await askControl(sandbox, 'POST', '/clock/advance?workspace=acme', { days: 2 })
    const seen = async (): Promise<unknown> => ({
      state: (await askControl(sandbox, 'GET', '/state?workspace=acme')).text,
      journal: (await askControl(sandbox, 'GET', '/requests?workspace=acme')).json,
      explained: (await askControl(sandbox, 'GET', '/requests/req_acme_1?workspace=acme')).json,
      snapshots: (await askControl(sandbox, 'GET', '/snapshots?workspace=acme')).json,
      scenarios: (await askControl(sandbox, 'GET', '/scenarios?workspace=acme')).json,
      coverage: (await askControl(sandbox, 'GET', '/coverage?workspace=acme')).json,
      clock: (await askControl(sandbox, 'GET', '/clock?workspace=acme')).json,
      list: sandbox.workspaces.list(),
    })
    const before = await seen()
    await vi.advanceTimersByTimeAsync(598_000)
    expect(() => sandbox.workspace('read')).not.toThrow()
    const acmeIsClosed = (): boolean => readdirSync(disk.path('data')).includes('acme.json.previous')
    expect(acmeIsClosed()).toBe(false)
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitUntil(acmeIsClosed)
    await vi.waitUntil(() => {
      try {
        return !sandbox.workspace('acme')
      } catch (error) {
        return error instanceof ClosedError
      }
    })
    expect(await seen()).toEqual(before)
    const read = await readIntent(one, 'acme', made.json.id)
    expect([read.status, read.requestId]).toEqual([200, 'req_acme_2'])
    expect(held.state.size('customers')).toBeGreaterThan(0)
  })

  it('eight calls that open it concurrently share the work', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    await first.call('acme', ...newIntent)
    await first.sandbox.close()
    const { call } = await startIn(disk)
    disk.steps.length = 0
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('acme', 'GET', '/v2/customers')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(disk.steps.filter((step) => step === 'read acme.json')).toHaveLength(1)
  })

  it('that is closed is the source of a copy and of a replay, has statement links, and is reset by a reload', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    const made = await first.call('acme', ...newIntent)
    await first.sandbox.close()
    const second = await startIn(disk)
    const copied = await askControl(second.sandbox, 'POST', '/workspaces', { name: 'copy', from: 'acme' })
    expect(copied.status).toBe(201)
    expect((await readIntent(second, 'copy', made.json.id)).status).toBe(200)
    const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
    const link = new URL((await second.call('acme', 'GET', statements)).json.data[0].pdf_url)
    await second.sandbox.close()
    const third = await startIn(disk)
    const pdf = await third.sandbox.fetch(link.pathname + link.search)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    await third.sandbox.reload()
    for (const name of ['acme', 'copy'])
      expect([name, (await readIntent(third, name, made.json.id)).status]).toEqual([
        name,
        name === 'acme' ? 404 : 200,
      ])
  })
})

describe('a workspace that is deleted', () => {
  it.each(['open', 'closed'])(
    'while it is %s -> its files are gone before the answer, and its name is free',
    async (how) => {
      const disk = await watchDisk()
      let one = await startIn(disk)
      const made = await one.call('acme', ...newIntent)
      if (how === 'closed') {
        await one.sandbox.close()
        one = await startIn(disk)
      }
      expect((await askControl(one.sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
      expect(filesIn(disk).filter((name) => name.startsWith('acme'))).toEqual([])
      expect((await askControl(one.sandbox, 'DELETE', '/workspaces/acme')).status).toBe(404)
      const again = await readIntent(one, 'acme', made.json.id)
      expect([again.status, again.requestId]).toEqual([404, 'req_acme_1'])
      expect(filesIn(disk)).toContain('acme.json')
    },
  )

  it('by the library -> its files are gone once `saved` resolves; a reference to it creates none', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk)
    const acme = await sandbox.workspaces.create({ name: 'acme' })
    expect(sandbox.workspaces.delete('acme')).toBe(true)
    await sandbox.saved()
    expect((await acme.fetch('/v2/customers?limit=1')).status).toBe(200)
    expect([names(sandbox), filesIn(disk)]).toEqual([['default'], ofDefault])
  })

  it('while a write is being saved -> is removed after it, and created again after that', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    await call('acme', ...newIntent)
    const [reached, held] = [gate(), gate()]
    disk.judge = (step) => {
      if (step !== 'fdatasync acme.1.log') return undefined
      reached.open()
      return held.opened
    }
    const writing = call('acme', ...newIntent)
    await reached.opened
    disk.judge = () => undefined
    disk.steps.length = 0
    sandbox.workspaces.delete('acme')
    const again = call('acme', 'GET', '/v2/customers')
    await call('default', ...newIntent)
    expect(disk.steps.filter((step) => step.includes('acme'))).toEqual([])
    held.open()
    expect((await writing).status).toBe(200)
    expect((await again).requestId).toBe('req_acme_1')
    const steps = disk.steps.filter((step) => step.includes('acme'))
    expect(steps.indexOf('unlink acme.json')).toBeLessThan(steps.lastIndexOf('rename acme.json'))
    await sandbox.close()
    const next = await startIn(disk)
    expect((await next.sandbox.open('acme')).state.size('transaction_intents')).toBe(3)
  })

  it('a process that dies at any step of it -> the workspace is whole, or gone', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    const made = await call('acme', ...newIntent)
    const copies: Disk[] = []
    const ready = await Promise.all(Array.from({ length: 20 }, () => watchDisk()))
    disk.judge = () => {
      const copy = ready.pop()
      if (!copy) throw new Error('more steps than expected')
      cpSync(disk.path('data'), copy.path('data'), {
        recursive: true,
        filter: (path) => !path.endsWith('.lock'),
      })
      copies.push(copy)
      return undefined
    }
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    disk.judge = () => undefined
    const outcomes = new Set<string>()
    for (const copy of copies) {
      const later = await startIn(copy)
      const exists = later.sandbox.workspaces.get('acme') !== undefined
      outcomes.add(exists ? 'whole' : 'gone')
      expect(later.sandbox.health().status).toBe('ok')
      expect((await readIntent(later, 'acme', made.json.id)).status).toBe(exists ? 200 : 404)
      await later.sandbox.close()
    }
    expect(outcomes).toEqual(new Set(['whole', 'gone']))
  })
})

describe('the lock', () => {
  it('of this process -> refused immediately; it is released once by concurrent closes', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk)
    expect(await refusalOf(disk, { data: disk.path('data/') })).toBe(
      'data: is in use by another sandbox (this process); stop it, or give each its own file with --data',
    )
    await Promise.all([sandbox.close(), sandbox.close()])
    expect(existsSync(disk.path('data/.lock'))).toBe(false)
    await startIn(disk)
  })

  it('of a live process on another host -> waits 15 s, then is refused, naming it', async () => {
    const disk = await watchDisk()
    const theirs = fakeTimes()
    await startOn(disk, {}, { storage: { processes: container('pod-a'), times: theirs } })
    const ours = fakeTimes()
    ours.onLook = () => theirs.renew()
    const said: string[] = []
    const starting = createSandbox({ data: disk.path(dataName) }, {
      storage: { processes: container('pod-b'), times: ours },
      onProblem: (line: string) => void said.push(line.replaceAll(`${disk.folder}/`, '')),
    } as object)
    await expect(starting).rejects.toThrow(
      `${dataName}: is in use by another sandbox (process 1 on pod-a); stop it, or give each its own file with --data`,
    )
    expect([ours.now(), said]).toEqual([
      1_015_000,
      [`${dataName} is in use by another sandbox (process 1 on pod-a): waiting up to 15 s for it to stop`],
    ])
  })

  it('of a holder without a heartbeat for 10 s -> replaced; the holder acknowledges nothing more, and must end', async () => {
    const disk = await watchDisk()
    const theirs = fakeTimes()
    const first = await startOn(disk, {}, { storage: { processes: container('pod-a'), times: theirs } })
    const made = await first.sandbox.call(...newIntent)
    const ours = fakeTimes()
    const second = await startOn(disk, {}, { storage: { processes: container('pod-b'), times: ours } })
    expect(ours.now()).toBe(1_010_000)
    expect((await second.sandbox.call('GET', `/v2/transaction_intents/${made.json.id}`)).status).toBe(200)
    theirs.pass(10_000)
    expect(await statusOf(first.sandbox, ...newIntent)).toBe(503)
    expect((await first.lost).message.replaceAll(`${disk.folder}/`, '')).toBe(
      `${dataName} cannot be written any more: another sandbox (process 1 on pod-b) took it over, as this one did not run for more than 10 s. It has every acknowledged change; stop one of the two, or give each its own file with --data.`,
    )
    expect(await statusOf(first.sandbox, 'GET', '/v2/customers')).toBe(503)
    expect((await second.sandbox.call(...newIntent)).status).toBe(200)
  })

  it('of a dead process -> replaced immediately', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data'))
    writeFileSync(disk.path('data/.lock'), '{"pid":1,"started":"earlier","nonce":"aa"}')
    const times = fakeTimes()
    await startIn(disk, {}, { storage: { processes: container('pod-a'), times } })
    expect(times.looks).toBe(0)
  })
})

it('a call that has seen an unsaved change is answered once that is saved', async () => {
  const disk = await watchDisk()
  const { sandbox } = await startOn(disk)
  await sandbox.call(...newIntent)
  const [reached, held] = [gate(), gate()]
  disk.judge = (step) => {
    if (!step.startsWith('fdatasync')) return undefined
    reached.open()
    return held.opened
  }
  const writing = sandbox.call(...newIntent)
  await reached.opened
  let isAnswered = false
  const reading = sandbox.call('GET', '/v2/customers').finally(() => (isAnswered = true))
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
  expect(isAnswered).toBe(false)
  held.open()
  expect([(await writing).status, (await reading).status]).toEqual([200, 200])
})

describe('the disk', () => {
  it('is full -> 500 and rolled back, then 503; reads continue, health is degraded until a retry succeeds', async () => {
    const disk = await watchDisk()
    const one = await startIn(disk)
    const { sandbox, call } = one
    await call('acme', ...newIntent)
    await call('bolt', ...newIntent)
    disk.judge = (step) => (/^(?:write|open) acme\./.test(step) ? 'ENOSPC' : undefined)
    const error = (type: string, message: string): object => ({ error: { type, message } })
    const failed = await call('acme', ...newIntent)
    expect([failed.status, failed.json]).toEqual([
      500,
      error(
        'INTERNAL_ERROR',
        'The change could not be saved to acme.json (no space is left on the disk), so it was rolled back.',
      ),
    ])
    const message =
      'acme.json cannot be written (no space is left on the disk): changes are refused until it can; reads continue.'
    const refused = await call('acme', ...newIntent)
    expect([refused.status, refused.json]).toEqual([503, error('SERVICE_UNAVAILABLE_ERROR', message)])
    const read = await call('acme', 'GET', '/v2/transaction_intents/int_ada_1')
    expect(read.status).toBe(200)
    expect((await sandbox.open('acme')).state.size('transaction_intents')).toBe(4)
    expect((await call('bolt', ...newIntent)).status).toBe(200)
    const health = await askControl(sandbox, 'GET', '/health')
    expect([health.status, health.json.status, health.json.damaged]).toEqual([200, 'degraded', ['acme']])
    expect(one.said).toEqual([`data/${message}`])
    const next = one.says()
    disk.judge = () => undefined
    expect(await next).toBe('data/acme.json can be written again.')
    expect(sandbox.health()).not.toHaveProperty('damaged')
    expect((await call('acme', ...newIntent)).status).toBe(200)
  })

  it('fails to sync -> the call fails, nothing is saved any more, and the process must end', async () => {
    const disk = await watchDisk()
    const one = await startOn(disk)
    const made = await one.sandbox.call(...newIntent)
    disk.judge = (step) => (step.startsWith('fdatasync') ? 'EIO' : undefined)
    expect((await one.sandbox.call(...newIntent)).status).toBe(500)
    expect((await one.lost).message.replaceAll(`${disk.folder}/`, '')).toBe(
      `${dataName} cannot be written any more: the disk reported an error. It has every acknowledged change; start again when the disk works.`,
    )
    disk.judge = () => undefined
    expect(await statusOf(one.sandbox, 'GET', '/v2/customers')).toBe(503)
    const again = await startOn(await crashed(disk))
    expect(again.sandbox.state.get('transaction_intents', made.json.id)).toEqual(made.json)
  })
})

it('the disk fails while default is created -> the start is refused with the reason', async () => {
  const disk = await watchDisk()
  disk.judge = (step) => (step.startsWith('fsync') ? 'EIO' : undefined)
  await expect(startOn(disk)).rejects.toThrow('the disk reported an error')
})
