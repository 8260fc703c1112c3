import { cpSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../../src/index.ts'
import { askControl } from '../../helpers/control.ts'
import { gate, watchDisk, type Disk } from '../../helpers/disk.ts'
import { filesIn, intent, newIntent, startIn } from '../../helpers/folder.ts'
import { patient } from '../../helpers/patient.ts'

const apart = { isolation: 'partner', adminToken: 'operator' } as const
const asked = { authorization: 'Bearer operator', 'content-type': 'application/json' }
const by = (token: string, sandbox: Sandbox, method: string, path: string): Promise<Response> =>
  sandbox.fetch(`/_sandbox${path}`, { method, headers: { authorization: `Bearer ${token}` } })

/** Holds the first time that a step is taken. */
function hold(disk: Disk, step: string): { reached: Promise<undefined>; release: () => void } {
  const [reached, held] = [gate(), gate()]
  let isFirst = true
  disk.judge = (taken) => {
    if (taken !== step || !isFirst) return undefined
    isFirst = false
    reached.open()
    return held.opened
  }
  return { reached: reached.opened, release: held.open }
}

const copyOf = async (disk: Disk): Promise<Disk> => {
  const copy = await watchDisk()
  cpSync(disk.path('data'), copy.path('data'), { recursive: true, filter: (path) => !path.endsWith('.lock') })
  return copy
}

describe('deleted while it is opened', () => {
  it('and its file turns out to be damaged -> it stays deleted', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk)
    await call('acme', ...newIntent)
    await idleFor(61)
    writeFileSync(disk.path('data/acme.json'), '{')
    const { reached, release } = hold(disk, 'read acme.json')
    const late = call('acme', 'GET', '/v2/customers')
    await reached
    const deleted = askControl(sandbox, 'DELETE', '/workspaces/acme')
    release()
    await late
    expect((await deleted).status).toBe(204)
    expect(sandbox.health().status).toBe('ok')
    expect(sandbox.workspaces.get('acme')).toBeUndefined()
  })

  it('and made anew, and its file turns out to be damaged -> the new one serves', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk)
    await call('acme', ...newIntent)
    await idleFor(61)
    writeFileSync(disk.path('data/acme.json'), '{')
    const { reached, release } = hold(disk, 'read acme.json')
    const late = call('acme', 'GET', '/v2/customers')
    await reached
    const deleted = askControl(sandbox, 'DELETE', '/workspaces/acme')
    const made = askControl(sandbox, 'POST', '/workspaces', { name: 'acme' })
    release()
    const statuses = [(await late).status, (await deleted).status, (await made).status]
    expect(statuses.slice(1)).toEqual([204, 201])
    const after = await call('acme', ...newIntent)
    expect([after.status, sandbox.health().status]).toEqual([201, 'ok'])
  })
})

describe('a copy of a partner is there', () => {
  it('and it is looked for idle ones while the original is opened -> it is opened', async () => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk, { ...apart, maxWorkspaces: 1, workspaceTtl: '7d' })
    const { json: made } = await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    await call('acme', 'GET', '/v2/customers', { key: made.api_key })
    expect((await by(made.admin_token, sandbox, 'POST', '/requests/req_acme_1/replay')).status).toBe(201)
    await idleFor(61)
    const { reached, release } = hold(disk, 'read acme.json')
    const asking = by('operator', sandbox, 'GET', '/state?workspace=acme')
    await reached
    // As each look for those that a ttl forgets does, and each sweep.
    await askControl(sandbox, 'POST', '/workspaces', { name: 'bolt' }, asked)
    release()
    expect((await asking).status).toBe(200)
  })
})

describe('rotate', () => {
  it('while writes wait for the disk -> they stand, and their answers say so', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk, apart)
    const { json: made } = await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    const write = (): ReturnType<typeof call> =>
      call('acme', 'POST', '/v2/transaction_intents', { ...intent, key: made.api_key })
    expect((await write()).status).toBe(201)
    const { reached, release } = hold(disk, 'fdatasync acme.json.wal')
    const first = write()
    await reached
    const second = write()
    const rotating = by('operator', sandbox, 'POST', '/workspaces/acme/rotate')
    await new Promise((resolve) => setImmediate(resolve))
    release()
    expect((await rotating).status).toBe(200)
    expect([(await first).status, (await second).status]).toEqual([201, 201])
    const left = await startIn(await copyOf(disk), apart)
    for (const { json } of [await first, await second]) {
      const found = await by(
        'operator',
        left.sandbox,
        'GET',
        `/state/transaction_intents/${json.id}?workspace=acme`,
      )
      expect(found.status).toBe(200)
    }
  })

  it('after the removal of another one failed -> the keys are told', async () => {
    const disk = await watchDisk()
    const { sandbox, said } = await startIn(disk, apart)
    for (const name of ['acme', 'bolt']) await askControl(sandbox, 'POST', '/workspaces', { name }, asked)
    disk.judge = (step) => (step === 'rename bolt.gone' ? 'EACCES' : undefined)
    // As the TTL does, so that no caller waits for it.
    sandbox.workspaces.delete('bolt')
    await vi.waitUntil(() => said.length > 0, patient)
    disk.judge = () => undefined
    const rotated = await by('operator', sandbox, 'POST', '/workspaces/acme/rotate')
    expect(rotated.status).toBe(200)
  })
})

describe('two who wait for what was deleted', () => {
  it('wait until it is gone', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    await call('acme', ...newIntent)
    await sandbox.saved()
    const { reached, release } = hold(disk, 'rename acme.gone')
    sandbox.workspaces.delete('acme')
    const waits = [sandbox.saved(), sandbox.saved()]
    const ended: number[] = []
    waits.forEach((wait, at) => void wait.then(() => ended.push(at)))
    await reached
    await new Promise((resolve) => setImmediate(resolve))
    const early = [...ended]
    release()
    await Promise.all(waits)
    expect(early).toEqual([])
  })
})

describe('a removal that failed half-way', () => {
  it('and one of the same name is made -> nothing of the old one is ever used', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    const old = await call('acme', ...newIntent)
    // So that a snapshot with the row in it is the one before.
    for (let times = 0; times < 2; times++) {
      const { json: state } = await askControl(sandbox, 'GET', '/state?workspace=acme')
      await askControl(sandbox, 'PUT', '/state?workspace=acme', state)
    }
    expect(filesIn(disk)).toContain('acme.json.prev')
    disk.judge = (step) => (step === 'unlink acme.json.prev' ? 'EIO' : undefined)
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(503)
    disk.judge = () => undefined
    expect((await call('acme', 'GET', `/v2/transaction_intents/${old.json.id}`)).status).toBe(404)
    const left = await copyOf(disk)
    writeFileSync(left.path('data/acme.json'), '{')
    const later = await startIn(left, { recover: true })
    expect((await later.call('acme', 'GET', `/v2/transaction_intents/${old.json.id}`)).status).not.toBe(200)
  })
})

describe('--recover of a file whose .prev is of before a rotate', () => {
  it('-> the keys that were ended stay ended', async () => {
    const disk = await watchDisk()
    const first = await startIn(disk, apart)
    const { json: made } = await askControl(first.sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    await first.call('acme', 'POST', '/v2/transaction_intents', { ...intent, key: made.api_key })
    const rotated = (await (
      await by('operator', first.sandbox, 'POST', '/workspaces/acme/rotate')
    ).json()) as { api_key: string }
    const left = await copyOf(disk)
    writeFileSync(left.path('data/acme.json'), '{')
    const { sandbox, call, said } = await startIn(left, { ...apart, recover: true })
    const statuses = {
      ended: (await call('acme', 'GET', '/v2/customers', { key: made.api_key })).status,
      endedToken: (await by(made.admin_token, sandbox, 'GET', '/state')).status,
      now: (await call('acme', 'GET', '/v2/customers', { key: rotated.api_key })).status,
    }
    expect(statuses).toEqual({ ended: 401, endedToken: 401, now: 200 })
    expect(said.at(-1)).toContain('recovered: data/acme.json.prev')
  })
})

describe('a folder and one of its files', () => {
  it.each(['default.json', 'acme.json'])('the folder is in use -> %s is refused', async (file) => {
    const disk = await watchDisk()
    const { call } = await startIn(disk)
    await call('acme', ...newIntent)
    await expect(createSandbox({ data: disk.path(`data/${file}`) })).rejects.toThrow(
      'is in use by another sandbox',
    )
  })

  it.each(['default.json', 'acme.json'])('%s is in use -> the folder is refused', async (file) => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    await call('acme', ...newIntent)
    await sandbox.close()
    const alone = await createSandbox({ data: disk.path(`data/${file}`) })
    onTestFinished(() => alone.close())
    await expect(startIn(disk)).rejects.toThrow('is in use by another sandbox')
  })
})

it('a call that waits for the closing of its workspace -> that is not the one that makes room', async () => {
  const disk = await watchDisk()
  const { sandbox, call, idleFor } = await startIn(disk, { workspaceTtl: '7d', maxWorkspaces: 1 })
  const made = await call('acme', ...newIntent)
  const { reached, release } = hold(disk, 'rename acme.json')
  const closing = idleFor(61)
  await reached
  const waiting = call('acme', 'GET', `/v2/transaction_intents/${made.json.id}`)
  const other = await askControl(sandbox, 'POST', '/workspaces', { name: 'bolt' })
  release()
  await closing
  expect([other.status, (await waiting).status]).toEqual([409, 200])
})

it('one that could not be written when it was closed -> is read while the disk is full', async () => {
  const disk = await watchDisk()
  const { call, idleFor } = await startIn(disk)
  const made = await call('acme', ...newIntent)
  disk.judge = (step) => (step === 'open acme.json.tmp' ? 'ENOSPC' : undefined)
  await idleFor(61)
  expect((await call('acme', 'GET', `/v2/transaction_intents/${made.json.id}`)).status).toBe(200)
  disk.judge = () => undefined
  expect((await call('acme', ...newIntent)).status).toBe(201)
})

it('the folder is gone -> closing is no bug of ours', async () => {
  const disk = await watchDisk()
  const { sandbox } = await startIn(disk)
  rmSync(disk.path('data'), { recursive: true })
  await sandbox.close()
})

it('a reload where one cannot be used -> the others are reset all the same', async () => {
  const disk = await watchDisk()
  const { sandbox, call, idleFor } = await startIn(disk)
  const made = new Map<string, string>()
  for (const name of ['acme', 'bolt', 'cora']) made.set(name, (await call(name, ...newIntent)).json.id)
  await idleFor(61)
  writeFileSync(disk.path('data/bolt.json'), '{')
  await sandbox.reload().catch(() => undefined)
  const statuses: number[] = []
  for (const [name, id] of made)
    statuses.push((await call(name, 'GET', `/v2/transaction_intents/${id}`)).status)
  expect(statuses).toEqual([404, 503, 404])
})

it.skipIf(process.platform !== 'linux')(
  'a journal whose name cannot be synced -> is not left open',
  async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk)
    disk.judge = (step) => (step === 'open data' ? 'EMFILE' : undefined)
    expect((await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' })).status).toBe(503)
    disk.judge = () => undefined
    await sandbox.saved().catch(() => undefined)
    const open = readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)]
      } catch {
        return []
      }
    })
    expect(open.filter((path) => path.startsWith(disk.path('data/acme')))).toEqual([])
  },
)

describe('a rotate that the disk fails to sync', () => {
  it('-> says that it may be there, as it is at the next start', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startIn(disk, apart)
    const { json: made } = await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    let isRenamed = false
    disk.judge = (step) => {
      isRenamed ||= step === 'rename acme.json'
      return isRenamed && step === 'fsync data' ? 'EIO' : undefined
    }
    const refused = await by('operator', sandbox, 'POST', '/workspaces/acme/rotate')
    disk.judge = () => undefined
    expect([refused.status, await refused.text()]).toEqual([
      500,
      expect.stringContaining('may or may not be in'),
    ])
    const later = await startIn(await copyOf(disk), apart)
    expect((await by(made.admin_token, later.sandbox, 'GET', '/state')).status).toBe(401)
  })
})

describe('strangers', () => {
  it.each<[string, (sandbox: Sandbox) => Promise<Response>]>([
    [
      'a wrong key',
      (sandbox) => sandbox.fetch('/v2/customers', { headers: { authorization: 'Bearer nokey.acme' } }),
    ],
    ['a wrong token', (sandbox) => by(`token_${'0'.repeat(24)}.acme`, sandbox, 'GET', '/state')],
    [
      'a wrong link',
      (sandbox) => sandbox.fetch('/_sandbox/files/statements/acme/stmt_1.pdf?expires=1&nonce=1&signature=1'),
    ],
  ])('%s of one that was closed here -> its file is not read', async (_, ask) => {
    const disk = await watchDisk()
    const { sandbox, call, idleFor } = await startIn(disk, apart)
    const { json: made } = await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' }, asked)
    const own = await call('acme', 'POST', '/v2/keys', { key: made.api_key })
    await idleFor(61)
    disk.steps.length = 0
    expect((await ask(sandbox)).status).toBeGreaterThanOrEqual(400)
    expect(disk.steps.filter((step) => step === 'read acme.json')).toEqual([])
    expect(
      (await call('acme', 'GET', '/v2/customers', { key: own.json.key ?? own.json.api_key })).status,
    ).toBe(200)
  })
})
