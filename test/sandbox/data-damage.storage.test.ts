// Damaged workspaces in a folder of data, and the keys of partners in it.
import { cpSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl, type ControlAnswer } from '../helpers/control.ts'
import { crashed, filesOn, refusalOf } from '../helpers/data.ts'
import { watchDisk, type Disk } from '../helpers/disk.ts'
import { filesIn, intent, newIntent, startIn, type InFolder } from '../helpers/folder.ts'
import { fullKey } from '../helpers/sandbox.ts'

const brief =
  "Workspace 'acme' cannot be used now: the operator of the sandbox finds the reason in its health and its log."

/** Replaces a text in a file of the folder. */
function change(disk: Disk, file: string, from: string, to: string): void {
  const path = disk.path(`data/${file}`)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`no ${from} in ${file}`)
  writeFileSync(path, text.replace(from, to))
}

/** A folder with workspaces `acme` and `bolt`, which no sandbox uses. */
async function folderOfTwo(): Promise<Disk> {
  const disk = await watchDisk()
  const { sandbox, call } = await startIn(disk)
  for (const name of ['acme', 'bolt']) await call(name, ...newIntent)
  await sandbox.close()
  return disk
}

describe('a damaged workspace', () => {
  const start = async (): Promise<InFolder & { disk: Disk }> => {
    const disk = await folderOfTwo()
    change(disk, 'acme.json', 'cus_ada', 'cus_adb')
    return { disk, ...(await startIn(disk)) }
  }

  it('is answered 503 and named by health; others are served', async () => {
    const { sandbox, call, said } = await start()
    for (let tries = 0; tries < 2; tries++) {
      const refused = await call('acme', 'GET', '/v2/customers')
      expect([refused.status, refused.json]).toEqual([
        503,
        { error: { type: 'SERVICE_UNAVAILABLE_ERROR', message: brief } },
      ])
    }
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(
      /^workspace 'acme' cannot be used: data\/acme\.json: has a wrong checksum at byte \d+: .* Nothing was changed\. The checkpoint before is data\/acme\.json\.previous\. /,
    )
    const control = await askControl(sandbox, 'GET', '/state?workspace=acme')
    expect([control.status, control.json.error.type]).toEqual([503, 'UNAVAILABLE'])
    expect((await call('bolt', ...newIntent)).status).toBe(200)
    const health = await askControl(sandbox, 'GET', '/health')
    expect([health.status, health.json.status, health.json.damaged]).toEqual([200, 'degraded', ['acme']])
    expect(sandbox.workspaces.get('acme')).toMatchObject({ name: 'acme', damaged: true })
    await expect(sandbox.open('acme')).rejects.toThrow("workspace 'acme' cannot be used: ")
  })

  it.each([
    ['before it is used', false],
    ['after a call', true],
  ])('%s, is deleted -> its files are gone, its name is free, health is ok', async (_, isUsed) => {
    const { disk, sandbox, call } = await start()
    if (isUsed) expect((await call('acme', 'GET', '/v2/customers')).status).toBe(503)
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    expect(filesIn(disk).filter((name) => name.startsWith('acme'))).toEqual([])
    expect(sandbox.health()).toMatchObject({ status: 'ok' })
    const again = await call('acme', 'GET', '/v2/customers')
    expect([again.status, again.requestId]).toEqual([200, 'req_acme_1'])
  })

  it('whose file was repaired -> is served again by the next call', async () => {
    const { disk, sandbox, call } = await start()
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(503)
    change(disk, 'acme.json', 'cus_adb', 'cus_ada')
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(200)
    expect(sandbox.health()).toMatchObject({ status: 'ok' })
  })

  it('whose file cannot be read -> 503 alone, at the start and later', async () => {
    const disk = await folderOfTwo()
    cpSync(disk.path('data/acme.json'), disk.path('aside'))
    const { sandbox, call } = await startIn(disk)
    disk.judge = (step) => (step === 'read acme.json' ? 'EACCES' : undefined)
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(503)
    expect((await call('bolt', 'GET', '/v2/customers')).status).toBe(200)
    expect(sandbox.health()).toMatchObject({ status: 'degraded', damaged: ['acme'] })
    disk.judge = () => undefined
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(200)
    expect(sandbox.health()).toMatchObject({ status: 'ok' })
  })

  it('is a folder in place of its file -> the sandbox starts', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data/acme.json'), { recursive: true })
    const { sandbox, call } = await startIn(disk)
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(503)
    expect(sandbox.health()).toMatchObject({ status: 'degraded', damaged: ['acme'] })
    rmdirSync(disk.path('data/acme.json'))
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(200)
  })

  it('is default -> the start is refused, and no file changes', async () => {
    const disk = await folderOfTwo()
    change(disk, 'default.json', 'cus_ada', 'cus_adb')
    const text = readFileSync(disk.path('data/default.json'), 'utf8')
    const message = await refusalOf(disk, { data: disk.path('data/') })
    expect(message).toMatch(/^data: data\/default\.json: has a wrong checksum at byte \d+/)
    expect(message).not.toContain('\n')
    expect(readFileSync(disk.path('data/default.json'), 'utf8')).toBe(text)
    expect(existsSync(disk.path('data/.lock'))).toBe(false)
  })
})

it('a checkpoint of an earlier format -> refused', async () => {
  const disk = await watchDisk()
  const text = '{"schema_version":1,"sandbox":{"seed":1,"checksum":"00000000"}\n}\n'
  writeFileSync(disk.path('data.json'), text)
  expect(await refusalOf(disk)).toContain('was written by an earlier version, which this one cannot read')
  expect(await filesOn(disk)).toEqual({ 'data.json': text })
})

describe('partners', () => {
  const partner = {
    isolation: 'partner',
    adminToken: 'operator',
    isolationSecret: 'one-of-many-secrets',
  } as const
  const by = async (
    token: string,
    sandbox: Sandbox,
    method: string,
    path: string,
    body?: object,
  ): Promise<Pick<ControlAnswer, 'status' | 'json' | 'text'>> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await sandbox.fetch(`/_sandbox${path}`, init)
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text), text }
  }

  /** A folder with a partner, and its credentials. */
  async function withPartner(name = 'acme') {
    const disk = await watchDisk()
    const one = await startIn(disk, partner)
    const { json } = await by('operator', one.sandbox, 'POST', '/workspaces', { name })
    const { api_key: key, admin_token: token }: Record<string, string> = json
    if (key === undefined || token === undefined) throw new Error('no credentials')
    return { disk, one, key, token }
  }

  it('keys and tokens are valid after a stop and after a crash; those before a rotation are revoked', async () => {
    const { disk, one, key, token } = await withPartner()
    const statuses = async ({ sandbox, call }: InFolder): Promise<number[]> => [
      (await call('acme', 'GET', '/v2/customers', { key })).status,
      (await call('acme', 'GET', '/v2/customers')).status,
      (await by(token, sandbox, 'GET', '/state')).status,
      (await by(`${token}x`, sandbox, 'GET', '/state')).status,
    ]
    const valid = [200, 401, 200, 401]
    expect(await statuses(one)).toEqual(valid)
    expect(await statuses(await startIn(await crashed(disk), partner))).toEqual(valid)
    await one.sandbox.close()
    const second = await startIn(disk, partner)
    expect(await statuses(second)).toEqual(valid)
    const rotated = await by('operator', second.sandbox, 'POST', '/workspaces/acme/rotate')
    expect(rotated.status).toBe(200)
    const third = await startIn(await crashed(disk), partner)
    expect(await statuses(third)).toEqual([401, 401, 401, 401])
    const read = await third.call('acme', 'GET', '/v2/customers', { key: rotated.json.api_key })
    expect(read.status).toBe(200)
  })

  it('only a valid key, token or link opens a closed workspace', async () => {
    const { disk, one, key, token } = await withPartner()
    const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
    const link = new URL((await one.call('acme', 'GET', statements, { key })).json.data[0].pdf_url)
    const later = (await one.call('acme', 'POST', '/v2/keys', { key })).json.key
    await one.sandbox.close()
    const keyed = async ({ call }: InFolder, used: string): Promise<number> =>
      (await call('acme', 'GET', '/v2/customers', { key: used })).status
    const attempts: [number, (folder: InFolder) => Promise<number>][] = [
      [200, (folder) => keyed(folder, key)],
      [200, (folder) => keyed(folder, later)],
      [200, async ({ sandbox }) => (await by(token, sandbox, 'GET', '/clock')).status],
      [200, async ({ sandbox }) => (await sandbox.fetch(link.pathname + link.search)).status],
      [401, (folder) => keyed(folder, `${fullKey}.acme`)],
      [401, (folder) => keyed(folder, key.replace('.acme', 'x.acme'))],
      [401, async ({ sandbox }) => (await by(`x${token}`, sandbox, 'GET', '/clock')).status],
      [
        403,
        async ({ sandbox }) => (await sandbox.fetch(`${link.pathname}?expires=1&nonce=1&signature=1`)).status,
      ],
    ]
    for (const [status, attempt] of attempts) {
      const folder = await startIn(disk, partner)
      disk.steps.length = 0
      expect([await attempt(folder), disk.steps.includes('read acme.json')]).toEqual([status, status === 200])
      await folder.sandbox.close()
    }
  })

  it('damage is reported to its partner and the operator, and not to others', async () => {
    const { disk, one, key, token } = await withPartner()
    await one.call('acme', 'POST', '/v2/transaction_intents', { ...intent, key })
    await one.sandbox.close()
    change(disk, 'acme.json', 'cus_ada', 'cus_adb')
    const { sandbox, call } = await startIn(disk, partner)
    const own = await call('acme', 'GET', '/v2/customers', { key })
    expect([own.status, own.json.error.message]).toEqual([503, brief])
    const ofToken = await by(token, sandbox, 'GET', '/state')
    expect([ofToken.status, ofToken.json.error.message]).toEqual([503, brief])
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(401)
    expect((await by(`x${token}`, sandbox, 'GET', '/state')).status).toBe(401)
    const ofOperator = await by('operator', sandbox, 'GET', '/state?workspace=acme')
    expect([ofOperator.status, ofOperator.text]).toEqual([503, expect.stringContaining('acme.json')])
  })

  it('a backup under another name -> refused alone', async () => {
    const { disk, one, key } = await withPartner()
    await one.sandbox.close()
    for (const name of filesIn(disk).filter((file) => /^acme\.(?:json|\d+\.log)$/.test(file)))
      cpSync(disk.path(`data/${name}`), disk.path(`data/${name.replace('acme', 'acme-backup')}`))
    const { sandbox, call, said } = await startIn(disk, partner)
    expect(said).toEqual([
      "workspace 'acme-backup' cannot be used: its file is that of 'acme', which no replay copied here: move it away, or put it back under its own name while no sandbox runs",
    ])
    expect(sandbox.health()).toMatchObject({ damaged: ['acme-backup'] })
    expect((await call('acme', 'GET', '/v2/customers', { key })).status).toBe(200)
    expect((await call('acme', 'GET', '/v2/customers', { key: `${key}-backup` })).status).not.toBe(200)
    expect((await by('operator', sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    expect(filesIn(disk)).toContain('acme-backup.json')
  })

  it('a rotation that cannot be saved -> the same keys stay valid', async () => {
    const { disk, one, key, token } = await withPartner()
    disk.judge = (step) => (step.includes(' acme.json') ? 'ENOSPC' : undefined)
    const refused = await by('operator', one.sandbox, 'POST', '/workspaces/acme/rotate')
    expect([refused.status, refused.json.error.message]).toEqual([
      500,
      'The change could not be saved to acme.json (no space is left on the disk), so it was rolled back.',
    ])
    expect((await one.call('acme', 'GET', '/v2/customers', { key })).status).toBe(200)
    expect((await by(token, one.sandbox, 'GET', '/state')).status).toBe(200)
    disk.judge = () => undefined
    await one.sandbox.close()
    const again = await startIn(disk, partner)
    expect((await again.call('acme', 'GET', '/v2/customers', { key })).status).toBe(200)
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
  ])('a start with %s -> refused, and no file changes', async (_, other, message) => {
    const { disk, one } = await withPartner()
    await one.sandbox.close()
    const before = filesIn(disk).map((name) => readFileSync(disk.path(`data/${name}`), 'utf8'))
    const refusal = await refusalOf(disk, { ...partner, ...other, data: disk.path('data/') })
    expect(refusal).toBe(`data: ${message}`)
    expect(filesIn(disk).map((name) => readFileSync(disk.path(`data/${name}`), 'utf8'))).toEqual(before)
    expect(existsSync(disk.path('data/.lock'))).toBe(false)
  })

  it('the file of a partner used alone -> refused, as its keys would be revoked', async () => {
    const { disk, one } = await withPartner()
    await one.sandbox.close()
    for (const name of filesIn(disk).filter((file) => /^acme\.\d+\.log$/.test(file)))
      cpSync(disk.path(`data/${name}`), disk.path(`data/${name.replace('acme', 'acme.json')}`))
    for (const options of [{}, partner])
      expect(await refusalOf(disk, { ...options, data: disk.path('data/acme.json') })).toBe(
        "data/acme.json: belongs to partner 'acme': start its folder with --isolation partner, or look at a copy of it with --fixtures",
      )
  })
})
