import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../../src/index.ts'
import { gate, watchDisk, type Disk } from '../../helpers/disk.ts'
import { filesIn, intent, newIntent, startIn } from '../../helpers/folder.ts'
import { askControl } from '../../helpers/control.ts'
import { stateOf } from '../../helpers/data.ts'
import { basic, fullKey } from '../../helpers/sandbox.ts'

describe('which files there are', () => {
  it('a path with a slash at its end -> is made; a folder that is there needs none', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    expect(filesIn(disk)).toEqual(['default.json', 'default.json.wal'])
    await first.sandbox.close()
    const again = await startIn(disk, { data: disk.path('data') })
    expect(again.said).toEqual([])
    await again.sandbox.close()
    expect(readdirSync(disk.path('data'))).toEqual(['default.json', 'default.json.prev'])
  })

  it('one that is made is for nobody else, with the folders above it', async () => {
    const disk = await watchDisk()
    await startIn(disk, { data: disk.path('above/data/') })
    for (const made of ['above', 'above/data']) expect(statSync(disk.path(made)).mode & 0o777).toBe(0o700)
  })

  it('a path with a slash at its end that leads to a file -> refused', async () => {
    const disk = await watchDisk()
    writeFileSync(disk.path('data'), '')
    await expect(startIn(disk)).rejects.toThrow(
      'data: is a file and no folder; remove the trailing slash, or name a folder with --data and copy the file there as default.json',
    )
  })

  it('a workspace is on the disk before its first answer, also of one that reads', async () => {
    const disk = await watchDisk()
    const { call } = await startIn(disk)
    const read = await call('acme', 'GET', '/v2/customers')
    expect(read.status).toBe(200)
    expect(read.requestId).toBe('req_acme_1')
    expect(filesIn(disk)).toEqual(['acme.json', 'acme.json.wal', 'default.json', 'default.json.wal'])
  })

  it.each<[string, string]>([
    ['a key that nobody has', 'sk_sandbox_nobody.acme'],
    ['a name that can be none', `${fullKey}.ac me`],
  ])('%s -> 401, and no file', async (_, key) => {
    const disk = await watchDisk()
    const { call } = await startIn(disk)
    expect((await call('default', 'GET', '/v2/customers', { key })).status).toBe(401)
    expect(filesIn(disk)).toEqual(['default.json', 'default.json.wal'])
  })

  it('a new one whose file cannot be written -> 503 until it can', async () => {
    const disk = await watchDisk()
    const { call } = await startIn(disk)
    disk.judge = (step) =>
      step.endsWith(' acme.json.tmp') || step.endsWith(' acme.json.wal') ? 'ENOSPC' : undefined
    const first = await call('acme', 'GET', '/v2/customers')
    expect([first.status, first.json.error.type]).toEqual([503, 'SERVICE_UNAVAILABLE_ERROR'])
    const second = await call('acme', 'GET', '/v2/customers')
    expect(second.status).toBe(503)
    expect((await call('other', 'GET', '/v2/customers')).status).toBe(200)
    expect(filesIn(disk).filter((name) => name.startsWith('acme'))).toEqual([])
  })

  it('a create whose file cannot be written -> 503, and there is none', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk)
    disk.judge = (step) => (step.includes(' acme.json') ? 'ENOSPC' : undefined)
    const create = () => askControl(sandbox, 'POST', '/workspaces', { name: 'acme' })
    for (let tries = 0; tries < 2; tries++) {
      const refused = await create()
      expect([refused.status, refused.json.error.type]).toEqual([503, 'UNAVAILABLE'])
      expect(refused.json.error.message).toContain('so it was rolled back')
      expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default'])
      expect(sandbox.health().status).toBe('ok')
    }
    disk.judge = () => undefined
    expect((await create()).status).toBe(201)
    expect(filesIn(disk)).toContain('acme.json')
  })
})

describe('a restart', () => {
  it('brings back rows, ids, clock and created_at of each, listed before anybody opens one', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    for (const name of ['acme', 'bolt']) expect((await first.call(name, ...newIntent)).status).toBe(201)
    first.sandbox.workspace('acme').clock.advance({ days: 3 })
    await first.sandbox.workspace('acme').saved()
    const made = await first.call('acme', 'POST', '/v2/keys', { json: {} })
    const list = first.sandbox.workspaces.list()
    const acme = stateOf(first.sandbox.workspace('acme'))
    const next = (await first.call('bolt', ...newIntent)).json.id
    const bolt = stateOf(first.sandbox.workspace('bolt'))
    await first.sandbox.close()

    const second = await startIn(disk, { clock: '2026-11-21T12:00:01.000Z' })
    expect(second.sandbox.workspaces.list()).toEqual(list)
    expect(stateOf(await second.sandbox.workspaces.open('acme'))).toBe(acme)
    expect(second.sandbox.workspace('acme').clock.now()).toBe('2026-11-24T12:00:00.000Z')
    expect((await second.call('acme', 'GET', '/v2/customers', { key: made.json.key })).status).toBe(200)
    const after = await second.call('bolt', ...newIntent)
    expect(after.json.id).not.toBe(next)
    expect(stateOf(second.sandbox.workspace('bolt'))).toContain(next)
    expect(stateOf(second.sandbox.workspace('bolt'))).not.toBe(bolt)
  })

  it.each(['closed', 'killed'])(
    'after it was %s, a workspace goes back to a beginning of its own',
    async (how) => {
      const disk = await watchDisk()
      const first = await startIn(disk)
      const made = await first.sandbox.workspaces.create({
        name: 'acme',
        fixtures: { customers: [{ id: 'cus_own' }, { id: 'cus_gone' }], account: { saved_version: null } },
        clock: { now: '2027-01-01T00:00:00Z', frozen: true },
        scenarios: [
          'slow',
          { name: 'own', description: 'own', rules: [{ on: '*', effect: { latency: { min: 1, max: 2 } } }] },
        ],
      } as object)
      const begun = stateOf(made)
      const scenarios = await made.scenarios.active()
      made.state.delete('customers', 'cus_gone')
      made.state.put('customers', 'cus_new', {})
      made.state.patch('customers', 'cus_own', { first_name: 'Changed' })
      await made.scenarios.deactivate()
      made.clock.advance({ days: 1 })
      await made.saved()
      const now = stateOf(made)
      let left = disk
      if (how === 'closed') await first.sandbox.close()
      else {
        left = await watchDisk()
        cpSync(disk.path('data'), left.path('data'), {
          recursive: true,
          filter: (path) => !path.endsWith('.lock'),
        })
      }
      for (let start = 0; start < 2; start++) {
        const { sandbox } = await startIn(left)
        const acme = await sandbox.workspaces.open('acme')
        expect(stateOf(acme)).toBe(now)
        expect([acme.clock.now(), acme.createdAt]).toEqual([
          '2027-01-02T00:00:00.000Z',
          '2027-01-01T00:00:00.000Z',
        ])
        if (start === 0) {
          await sandbox.close()
          continue
        }
        acme.reset()
        expect(stateOf(acme)).toBe(begun)
        expect(await acme.scenarios.active()).toEqual(scenarios)
        expect(acme.clock.now()).toBe('2027-01-01T00:00:00.000Z')
      }
    },
  )

  it('after a kill, what was acknowledged is there, and which were not closed is said when they are opened', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    const ids = [await first.call('acme', ...newIntent), await first.call('bolt', ...newIntent)].map(
      (a) => a.json.id,
    )
    const left = await watchDisk()
    cpSync(disk.path('data'), left.path('data'), {
      recursive: true,
      filter: (path) => !path.endsWith('.lock'),
    })
    const second = await startIn(left)
    expect(second.said).toEqual([
      'data/default.json was not closed, as after a crash: recovered up to commit 0',
    ])
    expect((await second.call('acme', 'GET', `/v2/transaction_intents/${ids[0]}`)).status).toBe(200)
    expect(second.said.slice(1)).toEqual([
      'data/acme.json was not closed, as after a crash: recovered up to commit 1',
    ])
  })
})

describe('one that nobody used for 60 s', () => {
  it('is closed, and goes on when it is used as if it never was', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk)
    await call('acme', ...newIntent)
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
    await idleFor(59)
    expect(filesIn(disk)).toContain('acme.json.wal')
    await idleFor(2)
    expect(filesIn(disk)).toEqual(['acme.json', 'acme.json.prev', 'default.json', 'default.json.wal'])
    expect(await askControl(sandbox, 'GET', '/workspaces/acme').then(({ json }) => json)).toEqual(
      sandbox.workspaces.get('acme'),
    )
    expect(() => sandbox.workspace('acme')).toThrow(
      "workspace 'acme' is closed: open it with await sandbox.workspaces.open('acme')",
    )
    expect(await seen()).toEqual(before)
    expect(filesIn(disk)).not.toContain('acme.json.wal')
    expect((await call('acme', 'GET', '/v2/customers')).requestId).toBe('req_acme_2')
    await askControl(sandbox, 'POST', '/snapshots/before/restore?workspace=acme')
    expect((await call('acme', ...newIntent)).status).toBe(201)
    expect(filesIn(disk)).toContain('acme.json.wal')
    await idleFor(61)
    await idleFor(61)
    expect((await call('acme', ...newIntent)).status).toBe(201)
  })

  it.each<[string, (sandbox: Awaited<ReturnType<typeof startIn>>['sandbox']) => unknown]>([
    ['default', () => undefined],
    ['held by the library', (sandbox) => sandbox.workspace('acme').saved()],
    ['opened by the library', (sandbox) => sandbox.workspaces.open('acme')],
    ['made by the library', (sandbox) => sandbox.workspaces.create({ name: 'acme' })],
    ['watched', (sandbox) => sandbox.fetch('/_sandbox/stream?workspace=acme')],
  ])('%s -> stays open', async (who, use) => {
    const disk = await watchDisk()
    const { sandbox, idleFor } = await startIn(disk)
    await use(sandbox)
    await idleFor(61)
    expect(filesIn(disk)).toContain(`${who === 'default' ? who : 'acme'}.json.wal`)
  })

  it('two that open it at once share the work', async () => {
    const disk = await watchDisk()
    const { call, idleFor } = await startIn(disk)
    await call('acme', ...newIntent)
    await idleFor(61)
    disk.steps.length = 0
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('acme', 'GET', '/v2/customers')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(disk.steps.filter((step) => step === 'read acme.json')).toHaveLength(1)
  })

  it('is a source of copies and of replays, and has its statement links', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk)
    const made = await call('acme', ...newIntent)
    const statements = await call('acme', 'GET', '/v2/customers/cus_ada/accounts/acct_ada/statements')
    const link = new URL(statements.json.data[0].pdf_url)
    await idleFor(61)
    expect((await askControl(sandbox, 'POST', '/workspaces', { name: 'copy', from: 'acme' })).status).toBe(
      201,
    )
    await idleFor(61)
    expect(filesIn(disk)).toContain('copy.json')
    expect(filesIn(disk)).not.toContain('copy.json.wal')
    expect((await call('copy', 'GET', `/v2/transaction_intents/${made.json.id}`)).status).toBe(200)
    await idleFor(61)
    const replayed = await askControl(sandbox, 'POST', '/requests/req_acme_1/replay?workspace=acme', {
      workspace: 'copy',
    })
    expect([replayed.status, replayed.json.workspace, replayed.json.status]).toEqual([201, 'copy', 201])
    await idleFor(61)
    const pdf = await sandbox.fetch(link.pathname + link.search)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  it('is opened for calls that came before the end of the process', async () => {
    const disk = await watchDisk()
    const stopping = new AbortController()
    const { call, idleFor } = await startIn(disk, {}, stopping.signal)
    await call('acme', ...newIntent)
    await idleFor(61)
    stopping.abort()
    expect((await call('acme', ...newIntent)).status).toBe(201)
  })

  it('counts for --max-workspaces, and its name is taken', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk, { maxWorkspaces: 1 })
    await call('acme', 'GET', '/v2/customers')
    await idleFor(61)
    expect((await call('bolt', 'GET', '/v2/customers')).status).toBe(503)
    const taken = await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' })
    expect([taken.status, taken.json.error.type]).toEqual([409, 'CONFLICT'])
  })

  it('is reset by a reload, too', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk)
    const made = await call('acme', ...newIntent)
    await idleFor(61)
    await sandbox.reload()
    expect((await call('acme', 'GET', `/v2/transaction_intents/${made.json.id}`)).status).toBe(404)
  })
})

describe('one whose file is damaged', () => {
  it('while it is closed -> the log says so with the first call, once', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor, said } = await startIn(disk)
    await call('acme', ...newIntent)
    await idleFor(61)
    const path = disk.path('data/acme.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('cus_ada', 'cus_adb'))
    for (let calls = 0; calls < 2; calls++) {
      expect((await call('acme', 'GET', '/v2/customers')).status).toBe(503)
    }
    expect(said).toEqual([expect.stringMatching(message)])
    expect(sandbox.health().damaged).toEqual(['acme'])
  })

  it('that cannot be reached while it is closed -> told once, and named until it can be', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor, said } = await startIn(disk)
    await call('acme', ...newIntent)
    await call('bolt', ...newIntent)
    await idleFor(61)
    const [path, aside] = [disk.path('data/acme.json'), disk.path('data/aside')]
    renameSync(path, aside)
    mkdirSync(path)
    for (let calls = 0; calls < 2; calls++) {
      expect((await call('acme', 'GET', '/v2/customers')).status).toBe(503)
      expect((await call('bolt', 'GET', '/v2/customers')).status).toBe(200)
    }
    await idleFor(10)
    expect(said).toEqual([
      expect.stringMatching(/^workspace 'acme' cannot be used: data\/acme\.json: is no file; /),
    ])
    const health = await askControl(sandbox, 'GET', '/health')
    expect([health.status, health.json.status, health.json.damaged]).toEqual([200, 'degraded', ['acme']])
    rmdirSync(path)
    renameSync(aside, path)
    await idleFor(10)
    expect(sandbox.health()).toMatchObject({ status: 'ok' })
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(200)
  })

  it('that cannot be written -> named by health, while others can', async () => {
    const disk = await watchDisk()
    const { sandbox, call, said } = await startIn(disk)
    for (const name of ['acme', 'bolt']) await call(name, ...newIntent)
    disk.judge = (step) =>
      step.endsWith(' acme.json.wal') || step.includes('acme.json.tmp') ? 'EIO' : undefined
    expect((await call('acme', ...newIntent)).status).toBe(500)
    expect((await call('bolt', ...newIntent)).status).toBe(201)
    const health = await askControl(sandbox, 'GET', '/health')
    expect([health.status, health.json.status, health.json.damaged]).toEqual([200, 'degraded', ['acme']])
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(200)
    expect(said).toEqual([expect.stringContaining('acme.json cannot be written')])
    disk.judge = () => undefined
    await vi.waitUntil(() => sandbox.health().status === 'ok', 20_000)
  })

  const damage = async (): Promise<Disk> => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    for (const name of ['acme', 'bolt']) await call(name, ...newIntent)
    await sandbox.close()
    const path = disk.path('data/acme.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('cus_ada', 'cus_adb'))
    return disk
  }
  const message =
    /^workspace 'acme' cannot be used: \S*data\/acme\.json:\d+:\d+ sandbox\.checksum: is not that of the \d+ bytes before it.*; put its file back and start again, start with --recover, or delete the workspace$/

  it('is refused alone, and told by health', async () => {
    const disk = await damage()
    const { sandbox, call, said } = await startIn(disk)
    expect(said).toEqual([expect.stringMatching(message)])
    const refused = await call('acme', 'GET', '/v2/customers')
    expect([refused.status, refused.json.error.type]).toEqual([503, 'SERVICE_UNAVAILABLE_ERROR'])
    expect(refused.json.error.message).toBe(
      "Workspace 'acme' cannot be used now: the operator of the sandbox finds the reason in its health and its log.",
    )
    const control = await askControl(sandbox, 'GET', '/state?workspace=acme')
    expect([control.status, control.json.error.type]).toEqual([503, 'UNAVAILABLE'])
    expect(control.json.error.message).toBe(said[0]?.replace('data/', ''))
    expect((await call('bolt', ...newIntent)).status).toBe(201)
    const health = await askControl(sandbox, 'GET', '/health')
    expect([health.status, health.json.status, health.json.damaged]).toEqual([200, 'degraded', ['acme']])
    expect(sandbox.workspaces.get('acme')).toMatchObject({ name: 'acme', api_key: null, damaged: true })
    await expect(sandbox.workspaces.open('acme')).rejects.toThrow(message)
  })

  it('--recover -> goes on with what can be used', async () => {
    const disk = await damage()
    const { sandbox, call, said } = await startIn(disk, { recover: true })
    expect(said[0]).toMatch(/^recovered: data\/acme\.json/)
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(200)
    expect(sandbox.health().status).toBe('ok')
  })

  it('is no file -> refused with one thing to do', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data/acme.json'), { recursive: true })
    const { said } = await startIn(disk)
    expect(said).toEqual([
      "workspace 'acme' cannot be used: data/acme.json: is no file; change that and start again, or delete the workspace",
    ])
  })

  it('is deleted -> its files are moved aside, and its name is free', async () => {
    const disk = await damage()
    const { sandbox, call } = await startIn(disk)
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    expect(sandbox.health().status).toBe('ok')
    expect(filesIn(disk)).toContain('acme.json.unusable')
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(200)
  })

  it('is default -> the start is refused', async () => {
    const disk = await damage()
    writeFileSync(disk.path('data/default.json'), '{')
    await expect(startIn(disk)).rejects.toThrow('default.json')
  })
})

describe('one that is deleted', () => {
  it('is called by its own fetch -> the call is answered, and no workspace comes back', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk)
    const workspace = await sandbox.workspaces.create({ name: 'acme' })
    sandbox.workspaces.delete('acme')
    await sandbox.saved()
    expect((await workspace.fetch('/v2/customers?limit=1')).status).toBe(200)
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default'])
    expect(filesIn(disk).filter((name) => name.startsWith('acme'))).toEqual([])
  })

  it('leaves no file, and its name is free at once', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk)
    for (const isClosed of [false, true]) {
      const made = await call('acme', ...newIntent)
      if (isClosed) await idleFor(61)
      sandbox.workspaces.delete('acme')
      const again = await call('acme', 'GET', `/v2/transaction_intents/${made.json.id}`)
      expect([again.status, again.requestId]).toEqual([404, 'req_acme_1'])
    }
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    expect(filesIn(disk)).toEqual(['default.json', 'default.json.wal'])
    sandbox.workspaces.delete('acme')
    await sandbox.saved()
  })

  it('goes after what is being written to it, and comes into being anew after that', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    await call('acme', 'GET', '/v2/customers')
    const [reached, held] = [gate(), gate()]
    disk.judge = (step) => {
      if (step !== 'fdatasync acme.json.wal') return undefined
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
    await call('default', ...newIntent)
    expect(disk.steps.filter((step) => step.includes('acme'))).toEqual([])
    held.open()
    expect((await writing).status).toBe(201)
    expect((await again).requestId).toBe('req_acme_1')
    const steps = disk.steps.filter((step) => step.includes('acme'))
    expect(steps.indexOf('unlink acme.gone')).toBeLessThan(steps.indexOf('rename acme.json.wal'))
    expect(steps).toContain('unlink acme.gone')
    expect(filesIn(disk)).toContain('acme.json')
  })

  it('a process that dies before any step of it -> it is there whole, or gone', async () => {
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
    expect(copies.length).toBeGreaterThan(5)
    const outcomes = new Set<string>()
    for (const copy of copies) {
      const { sandbox: later, call: callLater } = await startIn(copy)
      const isThere = later.workspaces.get('acme') !== undefined
      expect(later.health().status).toBe('ok')
      outcomes.add(isThere ? 'there' : 'gone')
      if (isThere)
        expect((await callLater('acme', 'GET', `/v2/transaction_intents/${made.json.id}`)).status).toBe(200)
      else expect(filesIn(copy).filter((name) => name.startsWith('acme'))).toEqual([])
      await later.close()
    }
    expect(outcomes).toEqual(new Set(['there', 'gone']))
  })
})

describe('a file of it that is used alone', () => {
  const dataOf = (disk: Disk): string => disk.path('data/acme.json')

  it('is written -> its folder finds when it came into being, and what it begins with', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    const made = await first.sandbox.workspaces.create({
      name: 'acme',
      fixtures: { customers: [{ id: 'cus_own' }] },
      clock: { now: '2027-01-01T00:00:00Z', frozen: true },
    })
    const begun = stateOf(made)
    await first.sandbox.close()
    for (const change of [
      ({ state }: Sandbox) => void state.put('customers', 'cus_alone', {}),
      (sandbox: Sandbox) => sandbox.reset(),
      ({ state }: Sandbox) => void state.put('customers', 'cus_later', {}),
    ]) {
      const alone = await startIn(disk, { data: dataOf(disk) })
      change(alone.sandbox)
      await alone.sandbox.close()
      const again = await startIn(disk)
      const acme = await again.sandbox.workspaces.open('acme')
      expect(acme.createdAt).toBe(made.createdAt)
      await again.sandbox.close()
    }
    const last = await startIn(disk)
    const acme = await last.sandbox.workspaces.open('acme')
    expect(acme.state.get('customers', 'cus_later')).toBeDefined()
    acme.reset()
    expect(stateOf(acme)).toBe(begun)
  })

  it('is that of a partner -> refused as it is, as its keys would end', async () => {
    const disk = await watchDisk()
    const apart = { isolation: 'partner', adminToken: 'operator' } as const
    const asked = { authorization: 'Bearer operator', 'content-type': 'application/json' }
    const first = await startIn(disk, apart)
    const { json: made } = await askControl(first.sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    await first.sandbox.close()
    for (const options of [{}, apart]) {
      await expect(startIn(disk, { ...options, data: dataOf(disk) })).rejects.toThrow(
        "belongs to partner 'acme': start its folder with --isolation partner, or look at a copy of it with --fixtures",
      )
    }
    expect(filesIn(disk).filter((name) => name.includes('lock'))).toEqual([])
    cpSync(dataOf(disk), disk.path('copy.json'))
    const looked = await createSandbox({ fixtures: disk.path('copy.json') })
    expect(looked.state.list('api_keys').length).toBeGreaterThan(0)
    const again = await startIn(disk, apart)
    expect((await again.call('acme', 'GET', '/v2/customers', { key: made.api_key })).status).toBe(200)
  })
})

describe('the folder', () => {
  it('has one lock', async () => {
    const disk = await watchDisk()
    await startIn(disk)
    await expect(startIn(disk)).rejects.toThrow('data: is in use by another sandbox (this process)')
    expect(existsSync(disk.path('data/default.json.lock'))).toBe(false)
  })

  it('is given back once by those who close it at the same time', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk)
    await Promise.all([sandbox.close(), sandbox.close()])
    expect(existsSync(disk.path('data/.lock'))).toBe(false)
  })

  it('files of others are left alone', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data'))
    for (const name of ['notes.txt', 'a b.json', 'x.y.json']) writeFileSync(disk.path(`data/${name}`), '')
    const { sandbox } = await startIn(disk)
    expect(sandbox.workspaces.list()).toHaveLength(1)
    await sandbox.close()
    expect(readdirSync(disk.path('data')).toSorted()).toEqual([
      'a b.json',
      'default.json',
      'notes.txt',
      'x.y.json',
    ])
  })
})

describe('partners apart', () => {
  const apart = {
    isolation: 'partner',
    adminToken: 'operator',
    isolationSecret: 'one-of-many-secrets',
  } as const
  const asked = { authorization: 'Bearer operator', 'content-type': 'application/json' }

  const by = (token: string, sandbox: Sandbox, method: string, path: string): Promise<Response> =>
    sandbox.fetch(`/_sandbox${path}`, { method, headers: { authorization: `Bearer ${token}` } })

  it('a stranger with a key of the baseline, or a request for one that is not there, makes none', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk, { ...apart, maxWorkspaces: 1, workspaceTtl: '7d' })
    await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    for (const headers of [
      { authorization: `Bearer ${fullKey}.evil` },
      basic(`${fullKey}.evil`),
      basic('key_full.evil', 'secret_full'),
    ]) {
      expect((await sandbox.fetch('/v2/customers', { headers })).status).toBe(401)
    }
    const named = await by('operator', sandbox, 'GET', '/clock?workspace=acmee')
    const unknown = { type: 'NOT_FOUND', message: "no workspace is called 'acmee', did you mean 'acme'?" }
    expect([named.status, await named.json()]).toEqual([404, { error: unknown }])
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default', 'acme'])
    expect(filesIn(disk)).toEqual(['acme.json', 'acme.json.wal', 'default.json', 'default.json.wal'])
  })

  it('is opened for its partner alone, whose every key, token and link does so', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk, apart)
    const { api_key, api_keys, admin_token } = (
      await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    ).json
    const path = '/v2/customers/cus_ada/accounts/acct_ada/statements'
    const link = new URL((await call('acme', 'GET', path, { key: api_key })).json.data[0].pdf_url)
    const later = (await call('acme', 'POST', '/v2/keys', { key: api_key })).json
    const keyed = async (headers: Record<string, string>): Promise<number> =>
      (await sandbox.fetch('/v2/customers', { headers })).status
    const bare: string = api_key.replace('.acme', '')
    const changed = (text: string): string =>
      text.replace(/.(?=\.acme$)/, (last) => (last === '0' ? '1' : '0'))
    const opens = async (attempt: () => Promise<number>): Promise<[number, boolean]> => {
      await idleFor(61)
      disk.steps.length = 0
      return [await attempt(), disk.steps.includes('read acme.json')]
    }
    for (const attempt of [
      () => keyed({ authorization: `Bearer ${api_key}` }),
      () => keyed(basic(api_key)),
      () => keyed(basic(`${api_keys[0].id}`, api_keys[0].secret)),
      () => keyed({ authorization: `Bearer ${later.key}` }),
      () => keyed(basic(later.id, later.secret)),
      () => by(admin_token, sandbox, 'GET', '/clock').then(({ status }) => status),
      () => sandbox.fetch(link.pathname + link.search).then(({ status }) => status),
    ]) {
      expect(await opens(attempt)).toEqual([200, true])
    }
    for (const attempt of [
      () => keyed({ authorization: `Bearer ${changed(api_key)}` }),
      () => keyed({ authorization: `Bearer ${bare.slice(0, -1)}.acme` }),
      () => keyed({ authorization: `Bearer ${fullKey}.acme` }),
      () => keyed(basic(api_keys[0].id, `${api_keys[0].secret.slice(0, -1)}-`)),
      () => keyed(basic(api_keys[0].id, api_keys[1].secret)),
      () => by(changed(admin_token), sandbox, 'GET', '/clock').then(({ status }) => status),
    ]) {
      expect(await opens(attempt)).toEqual([401, false])
    }
    const signed = `${link.pathname}?expires=1&nonce=1&signature=1`
    expect(await opens(async () => (await sandbox.fetch(signed)).status)).toEqual([403, false])
  })

  it('the newest 20 copies of its replays stay, those of before a restart among them', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk, apart)
    const { api_key: key, admin_token: token } = (
      await askControl(first.sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    ).json
    const replay = async ({ sandbox, call }: Awaited<ReturnType<typeof startIn>>): Promise<number> => {
      const { requestId } = await call('acme', 'GET', '/v2/customers', { key })
      return (await by(token, sandbox, 'POST', `/requests/${requestId}/replay`)).status
    }
    for (let copies = 0; copies < 20; copies++) expect(await replay(first)).toBe(201)
    await first.sandbox.close()
    const second = await startIn(disk, apart)
    expect(await replay(second)).toBe(201)
    const copies = second.sandbox.workspaces.list().filter(({ name }) => name.startsWith('acme-replay-'))
    expect(copies).toHaveLength(20)
  })

  it('keys and token of a partner hold after it was closed, and after a restart', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk, apart)
    const made = await askControl(first.sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    expect(made.status).toBe(201)
    const { api_key: key, admin_token: token } = made.json
    const tries = async ({ sandbox, call }: Awaited<ReturnType<typeof startIn>>): Promise<unknown[]> => [
      (await call('acme', 'GET', '/v2/customers', { key })).status,
      (await call('acme', 'GET', '/v2/customers')).status,
      (await by(token, sandbox, 'GET', '/state')).status,
      (await by(`${token}x`, sandbox, 'GET', '/state')).status,
    ]
    expect(await tries(first)).toEqual([200, 401, 200, 401])
    await first.idleFor(61)
    const list = await (await by(token, first.sandbox, 'GET', '/workspaces')).json()
    expect(list).toMatchObject({ workspaces: [{ name: 'acme', api_key: null }] })
    await first.idleFor(61)
    expect(await tries(first)).toEqual([200, 401, 200, 401])
    await first.sandbox.close()
    const second = await startIn(disk, apart)
    expect(await tries(second)).toEqual([200, 401, 200, 401])
    const answer = await by('operator', second.sandbox, 'POST', '/workspaces/acme/rotate')
    expect(answer.status).toBe(200)
    const rotated = (await answer.json()) as { api_key: string }
    await second.sandbox.close()
    const third = await startIn(disk, apart)
    expect(await tries(third)).toEqual([401, 401, 401, 401])
    expect((await third.call('acme', 'GET', '/v2/customers', { key: rotated.api_key })).status).toBe(200)
  })

  it('one of before partners were kept apart -> opened by nothing, until the operator rotates it', async () => {
    const disk = await watchDisk()
    const before = await startIn(disk)
    const made = await before.call('acme', ...newIntent)
    expect(made.status).toBe(201)
    await before.sandbox.close()
    const first = await startIn(disk, apart)
    const read = ['GET', `/v2/transaction_intents/${made.json.id}`] as const
    expect((await first.call('acme', ...read)).status).toBe(401)
    const rotated = await by('operator', first.sandbox, 'POST', '/workspaces/acme/rotate')
    expect(rotated.status).toBe(200)
    const { api_key: key, admin_token: token } = (await rotated.json()) as Record<string, string>
    await first.sandbox.close()
    const second = await startIn(disk, apart)
    expect((await second.call('acme', ...read, { key: key ?? '' })).status).toBe(200)
    expect((await by(token ?? '', second.sandbox, 'GET', '/state')).status).toBe(200)
    expect((await second.call('acme', ...read)).status).toBe(401)
    const ofDefault = await by('operator', second.sandbox, 'POST', '/workspaces/default/rotate')
    expect([ofDefault.status, await ofDefault.json()]).toEqual([
      409,
      {
        error: {
          type: 'CONFLICT',
          message: "workspace 'default' has no keys of its own: create one workspace for each partner",
        },
      },
    ])
  })

  /** Flips a bit of one of its files, so many bytes behind the first place of a text. */
  const flip = (disk: Disk, file: string, text: string, behind = 0): void => {
    const bytes = readFileSync(disk.path(`data/${file}`))
    const at = bytes.indexOf(text)
    if (at === -1) throw new Error(`no ${text} in ${file}`)
    bytes.writeUInt8(bytes.readUInt8(at + behind) ^ 1, at + behind)
    writeFileSync(disk.path(`data/${file}`), bytes)
  }
  const copyOf = async (disk: Disk): Promise<Disk> => {
    const copy = await watchDisk()
    cpSync(disk.path('data'), copy.path('data'), {
      recursive: true,
      filter: (path) => !path.endsWith('.lock'),
    })
    return copy
  }

  it.each<[string, (disk: Disk) => unknown]>([
    ['its journal', (disk) => flip(disk, 'acme.json.wal', 'intent')],
    ['a row of its snapshot', (disk) => flip(disk, 'acme.json', 'Ada')],
    [
      'the end of its snapshot, so that the one before is used',
      (disk) => writeFileSync(disk.path('data/acme.json'), '{'),
    ],
  ])('--recover, damaged is %s -> the same keys open it, and rotate gives others', async (_, damage) => {
    const disk = await watchDisk()
    const first = await startIn(disk, apart)
    const { json: made } = await askControl(first.sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    await first.call('acme', 'POST', '/v2/transaction_intents', { ...intent, key: made.api_key })
    await first.idleFor(61)
    for (let written = 0; written < 2; written++) {
      await first.call('acme', 'POST', '/v2/transaction_intents', { ...intent, key: made.api_key })
    }
    const left = await copyOf(disk)
    damage(left)
    const createdAt = first.sandbox.workspaces.get('acme')?.created_at
    for (const recover of [true, false]) {
      const { sandbox, call } = await startIn(left, { ...apart, recover })
      expect((await call('acme', 'GET', '/v2/customers', { key: made.api_key })).status).toBe(200)
      expect((await by(made.admin_token, sandbox, 'GET', '/state')).status).toBe(200)
      expect(sandbox.workspaces.get('acme')).toMatchObject({ name: 'acme', created_at: createdAt })
      await sandbox.close()
    }
    const { sandbox, call } = await startIn(left, apart)
    expect((await by('operator', sandbox, 'POST', '/workspaces/acme/rotate')).status).toBe(200)
    expect((await call('acme', 'GET', '/v2/customers', { key: made.api_key })).status).toBe(401)
  })

  it.each<[string, (disk: Disk) => unknown, number]>([
    ['its journal', (disk) => flip(disk, 'acme.json.wal', 'intent'), 503],
    ['a row', (disk) => flip(disk, 'acme.json', 'Ada'), 503],
    ['all that it says of itself', (disk) => writeFileSync(disk.path('data/acme.json'), '{'), 401],
    [
      'the end of it, and not of the one before',
      (disk) => {
        cpSync(disk.path('data/acme.json'), disk.path('data/acme.json.prev'))
        truncateSync(disk.path('data/acme.json'), 20_000)
      },
      503,
    ],
    ['whose it is', (disk) => flip(disk, 'acme.json', 'lineage', 11), 401],
  ])('damaged is %s -> told to its partner alone', async (_, damage, own) => {
    const disk = await watchDisk()
    const first = await startIn(disk, apart)
    const make = async (name: string): Promise<{ api_key: string; admin_token: string }> =>
      (await askControl(first.sandbox, 'POST', '/workspaces', { name }, asked)).json
    const [acme, bolt] = [await make('acme'), await make('bolt')]
    await first.call('bolt', 'GET', '/v2/customers', { key: bolt.api_key })
    await first.call('acme', 'POST', '/v2/transaction_intents', { ...intent, key: acme.api_key })
    const later = await first.call('acme', 'POST', '/v2/keys', { key: acme.api_key })
    const path = '/v2/customers/cus_ada/accounts/acct_ada/statements'
    const statements = await first.call('acme', 'GET', path, { key: acme.api_key })
    const link = new URL(statements.json.data[0].pdf_url)
    const left = await copyOf(disk)
    damage(left)
    const { sandbox, call } = await startIn(left, apart)
    expect(sandbox.health().damaged).toEqual(['acme'])
    const brief =
      "Workspace 'acme' cannot be used now: the operator of the sandbox finds the reason in its health and its log."
    const keyed = async (key: string): Promise<unknown> => {
      const { status, json } = await call('acme', 'GET', '/v2/customers', { key })
      return [status, json.error.message === brief]
    }
    const asking = async (token: string, asks: string, method = 'GET'): Promise<unknown> => {
      const answer = await by(token, sandbox, method, asks)
      const { error } = (await answer.json()) as { error: { message: string } }
      return [answer.status, error.message === brief]
    }
    const forPartner = [own, own === 503]
    for (const key of [acme.api_key, later.json.key]) expect(await keyed(key)).toEqual(forPartner)
    expect(await asking(acme.admin_token, '/state')).toEqual(forPartner)
    const pdf = await sandbox.fetch(link.pathname + link.search)
    expect(pdf.status).toBe(own === 503 ? 503 : 403)
    expect(await keyed('sk_sandbox_nonsense.acme')).toEqual([401, false])
    expect(await keyed(`${fullKey}.acme`)).toEqual([401, false])
    expect(await asking(`${acme.admin_token.split('.')[0]}0.acme`, '/state')).toEqual([401, false])
    expect(await asking(bolt.admin_token, '/state?workspace=acme')).toEqual([403, false])
    const signed = `${link.pathname}?expires=1&nonce=1&signature=1`
    expect((await sandbox.fetch(signed)).status).toBe(403)
    expect((await call('bolt', 'GET', '/v2/customers', { key: bolt.api_key })).status).toBe(200)
    const replayed = await askControl(
      sandbox,
      'POST',
      '/requests/req_bolt_1/replay?workspace=bolt',
      { workspace: 'acme' },
      { ...asked, authorization: `Bearer ${bolt.admin_token}` },
    )
    expect(replayed.status).toBe(403)
    expect(replayed.json.error.message).not.toContain('data/')
    const reported = await by('operator', sandbox, 'GET', '/state?workspace=acme')
    expect([reported.status, await reported.text()]).toEqual([503, expect.stringContaining('acme.json')])
  })

  it.each([false, true])('a backup under another name -> refused alone, recover: %s', async (recover) => {
    const disk = await watchDisk()
    const first = await startIn(disk, apart)
    const { json: made } = await askControl(first.sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    await first.call('acme', 'GET', '/v2/customers', { key: made.api_key })
    expect((await by(made.admin_token, first.sandbox, 'POST', '/requests/req_acme_1/replay')).status).toBe(
      201,
    )
    await first.sandbox.close()
    cpSync(disk.path('data/acme.json'), disk.path('data/acme-backup.json'))
    const { sandbox, call, said } = await startIn(disk, { ...apart, recover })
    const message =
      "workspace 'acme-backup' cannot be used: its file is that of 'acme', which no replay copied here: move it away, or put it back under its own name while no sandbox runs"
    expect(said).toEqual([message])
    expect(sandbox.health().damaged).toEqual(['acme-backup'])
    const statusOf = async (key: string): Promise<number> =>
      (await call('acme', 'GET', '/v2/customers', { key })).status
    expect(await statusOf(`${made.api_key}-backup`)).not.toBe(200)
    expect(await statusOf(`${made.api_key}-replay-1`)).toBe(200)
    expect((await by('operator', sandbox, 'POST', '/workspaces/acme/rotate')).status).toBe(200)
    expect((await by('operator', sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    expect(filesIn(disk)).toContain('acme-backup.json')
    expect(filesIn(disk)).not.toContain('acme-replay-1.json')
  })

  it('a rotate that cannot be saved -> everything is as it was, the copies too', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk, apart)
    const { json: made } = await askControl(first.sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    const { api_key: key, admin_token: token } = made
    await first.call('acme', 'GET', '/v2/customers', { key })
    expect((await by(token, first.sandbox, 'POST', '/requests/req_acme_1/replay')).status).toBe(201)
    const tries = async ({ sandbox, call }: Awaited<ReturnType<typeof startIn>>): Promise<unknown[]> => [
      (await call('acme', 'GET', '/v2/customers', { key })).status,
      (await by(token, sandbox, 'GET', '/state')).status,
      (await by(token, sandbox, 'GET', '/state?workspace=acme-replay-1')).status,
    ]
    const before = filesIn(disk)
    disk.judge = (step) => (step.includes(' acme.json') ? 'ENOSPC' : undefined)
    const refused = await by('operator', first.sandbox, 'POST', '/workspaces/acme/rotate')
    expect([refused.status, await refused.json()]).toEqual([
      500,
      { error: { type: 'INTERNAL', message: expect.stringContaining('so it was rolled back') } },
    ])
    expect(await tries(first)).toEqual([200, 200, 200])
    expect(filesIn(disk)).toEqual(before)
    disk.judge = () => undefined
    await first.sandbox.close()
    const second = await startIn(disk, apart)
    expect(await tries(second)).toEqual([200, 200, 200])
    expect((await by('operator', second.sandbox, 'POST', '/workspaces/acme/rotate')).status).toBe(200)
    expect(await tries(second)).toEqual([401, 401, 401])
    expect(filesIn(disk).filter((name) => name.startsWith('acme-replay-'))).toEqual([])
  })

  it.each<[string, object, string]>([
    [
      '--isolation test',
      { isolation: 'test', isolationSecret: undefined },
      'its workspaces belong to partners: start with --isolation partner',
    ],
    [
      'another secret',
      { isolationSecret: 'another-of-many-secrets' },
      'its keys derive from another --isolation-secret: start with that one, or with none if there was none',
    ],
  ])('a start with %s -> refused, and nothing is changed', async (_, other, message) => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk, apart)
    await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    await sandbox.close()
    const texts = (): unknown =>
      filesIn(disk).map((name) => [name, readFileSync(disk.path(`data/${name}`), 'utf8')])
    const before = texts()
    await expect(startIn(disk, { ...apart, ...other })).rejects.toMatchObject({
      name: 'DocumentError',
      message: expect.stringMatching(`^\\S*data: ${message}$`),
    })
    expect(texts()).toEqual(before)
    expect(existsSync(disk.path('data/.lock'))).toBe(false)
    const again = await startIn(disk, apart)
    expect(again.sandbox.workspaces.get('acme')).toBeDefined()
  })
})

it('one that is closed is forgotten with its files after --workspace-ttl', async () => {
  const disk = await watchDisk()
  const { sandbox, call, idleFor } = await startIn(disk, { maxWorkspaces: 1, workspaceTtl: '7d' })
  await call('acme', 'GET', '/v2/customers')
  await idleFor(61)
  expect((await call('bolt', 'GET', '/v2/customers')).status).toBe(200)
  await sandbox.saved()
  expect(filesIn(disk).filter((name) => !name.startsWith('default'))).toEqual(['bolt.json', 'bolt.json.wal'])
})

describe('since when a workspace is idle, after a restart with --workspace-ttl', () => {
  const hour = 3_600_000

  /** Its files were last written so long ago. */
  const age = (disk: Disk, by: number, ...names: string[]): void => {
    const then = new Date(Date.now() - by)
    for (const name of names) utimesSync(disk.path(`data/${name}`), then, then)
  }
  const newest = (disk: Disk): number =>
    Math.max(
      ...filesIn(disk)
        .filter((name) => name.startsWith('acme'))
        .map((name) => statSync(disk.path(`data/${name}`)).mtimeMs),
    )
  /** Which are left when it is looked for those that were idle for an hour. */
  const left = async (disk: Disk): Promise<string[]> => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    try {
      const { sandbox } = await startIn(disk, { workspaceTtl: '1h' })
      await vi.advanceTimersByTimeAsync(60_000)
      await sandbox.saved()
      const names = sandbox.workspaces.list().map(({ name }) => name)
      await sandbox.close()
      return names
    } finally {
      vi.useRealTimers()
    }
  }

  it.each<[string, string[], string[]]>([
    ['its snapshot is old, its journal new', ['acme.json'], ['default', 'acme']],
    ['both are old', ['acme.json', 'acme.json.wal'], ['default']],
  ])('killed, and %s', async (_, old, outcome) => {
    const disk = await watchDisk()
    const { call } = await startIn(disk)
    await call('acme', ...newIntent)
    const after = await watchDisk()
    cpSync(disk.path('data'), after.path('data'), {
      recursive: true,
      filter: (path) => !path.endsWith('.lock'),
    })
    age(after, 2 * hour, ...old)
    expect(await left(after)).toEqual(outcome)
  })

  it.each<[string, (one: Awaited<ReturnType<typeof startIn>>) => Promise<unknown>]>([
    ['closed when it was idle', ({ idleFor }) => idleFor(61)],
    ['stopped', ({ sandbox }) => sandbox.close()],
  ])('only read from, and %s', async (_, end) => {
    const disk = await watchDisk()
    const first = await startIn(disk)
    await first.call('acme', ...newIntent)
    await first.sandbox.close()
    const second = await startIn(disk)
    age(disk, 2 * hour, 'acme.json', 'acme.json.prev')
    expect((await second.call('acme', 'GET', '/v2/customers')).status).toBe(200)
    await end(second)
    await second.sandbox.close()
    expect(await left(disk)).toEqual(['default', 'acme'])
  })

  it.each<[string, boolean[]]>([
    ['1h', [false, true, false]],
    ['none', [false, false, false]],
  ])('read from for long, --workspace-ttl %s -> marked at most once a minute', async (ttl, marks) => {
    const disk = await watchDisk()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { call, idleFor } = await startIn(disk, { workspaceTtl: ttl })
    await call('acme', ...newIntent)
    await idleFor(0)
    const seen: boolean[] = []
    for (const seconds of [40, 30, 30]) {
      age(disk, 2 * hour, ...filesIn(disk).filter((name) => name.startsWith('acme')))
      await vi.advanceTimersByTimeAsync(seconds * 1000)
      await call('acme', 'GET', '/v2/customers')
      await idleFor(0)
      seen.push(newest(disk) > Date.now() - hour)
    }
    expect(seen).toEqual(marks)
  })
})
