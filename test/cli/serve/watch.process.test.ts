import { writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHandles } from '../../helpers/open-handles.ts'
import { folderWith, serve, withKey, type Started } from '../../helpers/fake-io.ts'
import { eventsOf } from '../../helpers/log.ts'
import { started } from '../../helpers/processes.ts'

const rows = (amount: number | string): string => `customers:
  - id: cus_1
rewards:
  - { id: rwd_1, customer_id: cus_1, status: PENDING, amount: ${amount} }
`
const scenario = (name: string, status: number): string => `name: ${name}
description: Nothing works.
rules:
  - on: listRewardCategories
    effect: { respond: { status: ${status}, body: {} } }
    off_contract: true
`
// Files are written in one go (writeFileSync): half a file is a case of its own.
const sizes = '2 products, 10 api keys, 1 customer, 1 reward'
const reward = '/v2/rewards/rwd_1'
const categories = '/v2/rewards/rewards_categories'

/** The amount of the one reward, or the status where there is none. */
async function amountIn({ fetch }: Started): Promise<number> {
  const answer = await fetch(reward, withKey())
  const { amount } = (await answer.json()) as { amount?: number }
  return amount ?? answer.status
}

describe('a process that watches', () => {
  it('serves what was edited on the connection that is open, and the last good version after a bad edit', async () => {
    const cwd = await folderWith({ 'rows.yaml': rows(1), 'mine.yaml': scenario('mine', 418) })
    const argv = ['--watch', '--fixtures', 'rows.yaml', '--scenario', 'mine.yaml']
    const child = await started(argv, { cwd })
    const connection = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    const call = (
      path: string,
      key = 'sk_sandbox_full',
    ): Promise<{ status: number | undefined; text: string }> =>
      new Promise((resolve, reject) => {
        const { headers } = withKey(key) as { headers: Record<string, string> }
        get(`${child.url}${path}`, { agent: connection, headers }, (answer) => {
          ports.add(answer.socket.localPort)
          let text = ''
          answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
          answer.on('end', () => resolve({ status: answer.statusCode, text }))
        }).on('error', reject)
      })
    const amounts = async (): Promise<unknown[]> =>
      Promise.all(
        ['sk_sandbox_full', 'sk_sandbox_full.w1'].map(
          async (key) => JSON.parse((await call(reward, key)).text).amount,
        ),
      )
    const edit = (name: string, text: string): void => writeFileSync(join(cwd, name), text)
    const line = (text: string): RegExp => new RegExp(`^${text.replaceAll('.', '\\.')}$`, 'm')

    expect(await amounts()).toEqual([1, 1])
    expect((await call(categories)).status).toBe(418)

    edit('rows.yaml', rows(2))
    await child.errUntil(line(`reloaded rows.yaml: ${sizes}`))
    expect(await amounts()).toEqual([2, 2])

    edit('rows.yaml', rows('much'))
    const refused = await child.errUntil(/^ +\^\n/m)
    expect(refused.slice(refused.indexOf('refused'))).toBe(
      [
        'refused the edit of rows.yaml: the last valid version stays active',
        'rows.yaml:4:63 rewards[0].amount: must be an integer',
        '  - { id: rwd_1, customer_id: cus_1, status: PENDING, amount: much }',
        `${' '.repeat(62)}^`,
        '',
      ].join('\n'),
    )
    expect(await amounts()).toEqual([2, 2])

    edit('rows.yaml', rows(3))
    await child.errUntil(line(`reloaded rows.yaml: ${sizes}`))
    expect(await amounts()).toEqual([3, 3])

    edit('rows.yaml.swp', rows(4))
    await rename(join(cwd, 'rows.yaml.swp'), join(cwd, 'rows.yaml'))
    await child.errUntil(line(`reloaded rows.yaml: ${sizes}`))
    expect(await amounts()).toEqual([4, 4])

    edit('mine.yaml', scenario('renamed', 410))
    await child.errUntil(line(`reloaded mine.yaml: ${sizes}`))
    expect(await call('/_sandbox/scenarios/active')).toEqual({ status: 200, text: '{"active":["renamed"]}' })
    expect([(await call(categories)).status, (await call(categories, 'sk_sandbox_full.w1')).status]).toEqual([
      410, 410,
    ])
    expect((await call('/_sandbox/scenarios/mine')).status).toBe(404)

    expect(ports.size).toBe(1)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    connection.destroy()
  })
})

/** Starts with `rows.yaml` and a folder, lets a test edit them, and gives back what was printed since the start. */
async function edited(
  argv: readonly string[],
  act: (started: Started, at: (path: string) => string) => Promise<void>,
): Promise<string> {
  const cwd = await folderWith({ 'rows.yaml': rows(1), 'folder/more.yaml': 'order_events: []\n' })
  const words = ['--watch', '--fixtures', 'rows.yaml', '--fixtures', 'folder', ...argv]
  const { code, stderr } = await serve(words, { cwd }, (running) => act(running, (path) => join(cwd, path)))
  expect(code).toBe(0)
  return stderr
    .replaceAll(`${cwd}/`, '')
    .replace(/^API key.*\nInspector.*\n.*\n/, '')
    .replace(/Stopped by a signal\.\n$/, '')
}

describe('an edit', () => {
  const refusal = (file: string): string =>
    `refused the edit of ${file}: the last valid version stays active\n`

  it('that leaves half a file -> refused; the rest of it -> reloaded', async () => {
    const printed = await edited([], async (running, at) => {
      writeFileSync(at('rows.yaml'), rows(2).slice(0, -12))
      await running.errUntil(/^refused .*\n[^]*\^\n/m)
      expect(await amountIn(running)).toBe(1)
      writeFileSync(at('rows.yaml'), rows(2))
      await running.errUntil(/^reloaded rows\.yaml/m)
      expect(await amountIn(running)).toBe(2)
    })
    expect(printed).toContain(refusal('rows.yaml'))
  })

  it('that deletes a named file -> refused, and it says so', async () => {
    const printed = await edited([], async (running, at) => {
      await rm(at('rows.yaml'))
      await running.errUntil(/no such file\n/)
      expect(await amountIn(running)).toBe(1)
    })
    expect(printed).toBe(
      `${refusal('rows.yaml')}rows.yaml: there is no such file\n200 GET ${reward} (default req_default_1)\n`,
    )
  })

  it('that adds a file to a given folder -> it is loaded; that deletes it -> it is gone', async () => {
    const printed = await edited([], async (running, at) => {
      writeFileSync(at('folder/z.json'), JSON.stringify({ rewards: [{ id: 'rwd_1', amount: 9 }] }))
      await running.errUntil(/^reloaded /m)
      expect(await amountIn(running)).toBe(9)
      await rm(at('folder/z.json'))
      await running.errUntil(/^reloaded /m)
      expect(await amountIn(running)).toBe(1)
    })
    expect(printed).toMatch(/^reloaded folder\/z\.json: .*\n200 .*\nreloaded folder\/z\.json: .*\n200 .*\n$/)
  })

  it('that takes a given folder away -> refused; that brings it back -> reloaded', async () => {
    const printed = await edited([], async (running, at) => {
      await rm(at('folder'), { recursive: true })
      await running.errUntil(/no such file\n/)
      expect(await amountIn(running)).toBe(1)
      await mkdir(at('folder'))
      writeFileSync(at('folder/more.yaml'), 'rewards: [{ id: rwd_1, amount: 5 }]\n')
      await running.errUntil(/^reloaded /m)
      expect(await amountIn(running)).toBe(5)
    })
    expect(printed).toContain('folder: there is no such file\n')
  })

  it('of another file -> nothing is said', async () => {
    const printed = await edited([], async (running, at) => {
      writeFileSync(at('other.yaml'), rows(7))
      writeFileSync(at('folder/notes.txt'), rows(7))
      writeFileSync(at('rows.yaml'), rows(2))
      await running.errUntil(/^reloaded .*\n/m)
    })
    expect(printed).toMatch(/^reloaded rows\.yaml: .*\n$/)
  })

  it('with new keys -> the new ones are masked in the lines that follow', async () => {
    const key = 'sk_sandbox_brand_new'
    const keys = `api_keys: [{ id: key_new, secret: s_new, api_key: ${key}, scopes: [], products: [mk_summit], environment: sandbox }]\n`
    const printed = await edited([], async (running, at) => {
      writeFileSync(at('rows.yaml'), rows(2) + keys)
      await running.errUntil(/^reloaded /m)
      expect((await running.fetch(`/v2/rewards/${key}`, withKey(key))).status).toBe(404)
    })
    expect(printed).toMatch(/^404 GET /m)
    expect(printed).not.toContain(key)
  })

  it('--quiet -> only what is refused is said', async () => {
    const printed = await edited(['--quiet'], async (running, at) => {
      writeFileSync(at('rows.yaml'), rows(2))
      while ((await amountIn(running)) !== 2);
      await rm(at('rows.yaml'))
      await running.errUntil(/no such file\n/)
    })
    expect(printed).toBe(`${refusal('rows.yaml')}rows.yaml: there is no such file\n`)
  })

  it('--log-format json -> one event each', async () => {
    const printed = await edited(['--log-format', 'json'], async (running, at) => {
      writeFileSync(at('rows.yaml'), rows(2))
      await running.errUntil(/"reloaded".*\n/)
      writeFileSync(at('rows.yaml'), 'customers: 1\n')
      await running.errUntil(/"refused".*\n/)
    })
    expect(eventsOf(printed).slice(1, -1)).toEqual([
      {
        level: 'info',
        event: 'reloaded',
        files: ['rows.yaml'],
        rows: { products: 2, api_keys: 10, customers: 1, rewards: 1 },
      },
      {
        level: 'error',
        event: 'refused',
        files: ['rows.yaml'],
        message: 'the last valid version stays active',
        problems: [
          {
            source: 'rows.yaml',
            line: 1,
            column: 12,
            path: 'customers',
            message: 'must be a list of rows',
            excerpt: 'customers: 1\n           ^',
          },
        ],
      },
    ])
  })
})

describe('--watch', () => {
  it.each([
    ['alone', ['--watch']],
    ['with a scenario of the catalogue', ['--watch', '--scenario', 'slow']],
  ])('%s -> it says that there is nothing to watch, and serves', async (_what, argv) => {
    const { code, stderr } = await serve(argv, {}, async ({ url }) => {
      expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    })
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^--watch: nothing to watch: no --fixtures, --scenario or --scenario-library names a file\nAPI key/,
    )
  })

  it('with bad fixtures at start -> exit 3, as without', async () => {
    const cwd = await folderWith({ 'rows.yaml': 'customers: 1\n' })
    await expect(serve(['--watch', '--fixtures', 'rows.yaml'], { cwd })).rejects.toThrow(
      'rows.yaml:1:12 customers: must be a list of rows',
    )
    expect(await openHandles('FSEventWrap')).toBe(0)
  })

  it('left out -> nothing is watched', async () => {
    const cwd = await folderWith({ 'rows.yaml': rows(1) })
    await serve(['--fixtures', 'rows.yaml'], { cwd }, async () => {
      expect(await openHandles('FSEventWrap')).toBe(0)
    })
  })
})
