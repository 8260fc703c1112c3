import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { serveWhile } from '../../src/cli/serve/serving.ts'
import { readSettings } from '../../src/cli/settings.ts'
import { watchDisk } from '../helpers/disk.ts'
import { cli, folderWith, quietIo, serve, withKey } from '../helpers/fake-io.ts'
import { eventsOf } from '../helpers/log.ts'

const newIntent: RequestInit = {
  method: 'POST',
  headers: { ...withKey().headers, 'content-type': 'application/json' },
  body: JSON.stringify({ customer_id: 'cus_ada', amount: 1, currency: 'USD' }),
}

/** The output, with file names relative to their folder, which is not the working directory here. */
const inFolder = (text: string, cwd: string): string => text.replaceAll(`${cwd}/`, '')

describe('start --data', () => {
  it('keeps what was written, from one start to the next', async () => {
    const cwd = await folderWith()
    let id = ''
    const first = await serve(['--data', 'data.json'], { cwd }, async ({ fetch: call }) => {
      id = ((await (await call('/v2/transaction_intents', newIntent)).json()) as { id: string }).id
    })
    const second = await serve(['--data', 'data.json'], { cwd }, async ({ fetch: call }) => {
      expect((await call(`/v2/transaction_intents/${id}`, withKey())).status).toBe(200)
    })
    expect([first.code, second.code]).toEqual([0, 0])
    expect((await readdir(cwd)).toSorted()).toEqual([
      'data.json',
      expect.stringMatching(/^data\.json\.\d+\.log$/),
      'data.json.previous',
    ])
  })

  it.each([
    ['the environment', [], { SANDBOX_DATA: 'data.json' }, {}],
    ['SANDBOX_OPTIONS', [], { SANDBOX_OPTIONS: '--data data.json' }, {}],
    ['a config file', [], {}, { 'sandbox.config.yaml': 'data: data.json\n' }],
  ] as const)('the options come from %s as well', async (_where, argv, env, files) => {
    const cwd = await folderWith(files)
    await serve(argv, { cwd, env }, async ({ fetch: call }) => {
      await call('/v2/transaction_intents', newIntent)
    })
    expect(await readdir(cwd)).toContain('data.json.previous')
  })

  it('fixtures beside a data file -> said on stderr, unless --quiet', async () => {
    const cwd = await folderWith({ 'f.json': { customers: [{ id: 'cus_1' }] } })
    const argv = ['--data', 'data.json', '--fixtures', 'f.json']
    const [first, second] = [await serve(argv, { cwd }), await serve(argv, { cwd })]
    const quiet = await serve([...argv, '--quiet'], { cwd })
    const json = await serve([...argv, '--log-format', 'json'], { cwd })
    const message =
      'data.json exists and is used; the fixtures are the state after a reset, and that of new workspaces'
    expect(first.stderr).not.toContain('data.json')
    expect(inFolder(second.stderr, cwd).split('\n')).toContain(message)
    expect(quiet.stderr).toBe('')
    expect(eventsOf(inFolder(json.stderr, cwd))).toContainEqual({ level: 'info', event: 'notice', message })
  })

  it('a damaged data file -> exit 3, naming the position and the next steps', async () => {
    const cwd = await folderWith({ 'data.json': '[1]' })
    const refused = await cli(['start', '--data', 'data.json', '--port', '0'], { cwd })
    expect({ ...refused, stderr: inFolder(refused.stderr, cwd) }).toEqual({
      code: 3,
      stdout: '',
      stderr: 'data.json:1:1: must be a state document\n[1]\n^\n',
    })
  })

  it('a second sandbox on the file -> exit 3, and the first serves on', async () => {
    const cwd = await folderWith()
    await serve(['--data', 'data.json'], { cwd }, async ({ fetch: call }) => {
      const second = await cli(['start', '--data', 'data.json', '--port', '0'], { cwd })
      expect([second.code, inFolder(second.stderr, cwd)]).toEqual([
        3,
        'data.json: is in use by another sandbox (this process); stop it, or give each its own file with --data\n',
      ])
      expect((await call('/v2/transaction_intents', newIntent)).status).toBe(200)
    })
  })

  it('a port that is in use -> exit 4, and the file is given back', async () => {
    const cwd = await folderWith()
    await serve([], { cwd }, async ({ url }) => {
      const busy = await cli(['start', '--data', 'data.json', '--port', new URL(url).port], { cwd })
      expect(busy.code).toBe(4)
    })
    expect(await readdir(cwd)).not.toContain('data.json.lock')
  })

  it.each([
    ['a file', 'data.json', 'write data.json.lock', []],
    ['a folder', 'kept/', 'write .lock', ['kept']],
  ])('asked to end while it loads %s -> the lock is gone', async (_what, data, step, left) => {
    const disk = await watchDisk()
    let stop = (): void => undefined
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    disk.judge = (taken) => {
      if (taken === step) stop()
      return undefined
    }
    const io = quietIo({ cwd: disk.folder, stopped, stop })
    const settings = await readSettings({ data: `${disk.folder}/${data}` }, io, 'start')
    const served = await serveWhile(settings, io, async () => 'served')
    expect(served).toBeUndefined()
    expect(disk.steps).toContain(step)
    expect((await readdir(disk.folder, { recursive: true })).toSorted()).toEqual(left)
  })

  it('the disk fails for good -> exit 74 with a plain message, calls in flight answered', async () => {
    const disk = await watchDisk()
    const ran = await serve(['--data', disk.path('data.json'), '--quiet'], {}, async ({ fetch: call }) => {
      disk.judge = (step) => (step.startsWith('fdatasync') ? 'EIO' : undefined)
      expect((await call('/v2/transaction_intents', newIntent)).status).toBe(500)
    })
    expect(ran.code).toBe(74)
    expect(ran.stderr).toBe(
      `error: ${disk.path('data.json')} cannot be written any more: the disk reported an error. It has every acknowledged change; start again when the disk works.\n`,
    )
  })

  it('a full disk -> said once, also with --quiet, and exit 0 when nothing is missing', async () => {
    const disk = await watchDisk()
    const ran = await serve(['--data', disk.path('data.json'), '--quiet'], {}, async ({ fetch: call }) => {
      disk.judge = (step) => (step.startsWith('write') ? 'ENOSPC' : undefined)
      expect((await call('/v2/transaction_intents', newIntent)).status).toBe(500)
      expect((await call('/v2/transaction_intents', newIntent)).status).toBe(503)
    })
    expect(ran.code).toBe(0)
    expect(ran.stderr).toBe(
      `${disk.path('data.json')} cannot be written (no space is left on the disk): changes are refused until it can; reads continue.\n`,
    )
  })
})
