import { describe, expect, it } from 'vitest'
import type { Io } from '../../../src/cli/io.ts'
import { perform } from '../../../src/cli/remote/remote-call.ts'
import { requests } from '../../../src/cli/remote/requests.ts'
import type { FlagValues } from '../../../src/cli/settings.ts'
import type { Timing } from '../../../src/cli/timing.ts'
import type { Sandbox } from '../../../src/index.ts'
import { quietIo } from '../../helpers/fake-io.ts'
import { asking, printed, refused, said } from '../../helpers/asking.ts'
import { testNow } from '../../helpers/sandbox.ts'

type Caller = Pick<Sandbox, 'workspace'>

/** Calls the API in the workspace `default`, one after the other. */
async function call({ workspace }: Caller, ...paths: string[]): Promise<void> {
  for (const path of paths) await workspace('default').fetch(path)
}

/** Follows the journal with a time of its own. */
async function followed(flags: FlagValues, io: Io, wait: Timing['wait']): Promise<number | void> {
  const options = { args: [], flags, io: { ...io, readStdin: () => Promise.resolve(Buffer.from('')) } }
  return perform(options, 'GET /_sandbox/requests', await requests(options, { wait, now: () => 0 }), {
    reads: true,
  })
}

const first = `${testNow}  req_default_1  200 GET /v2/customers?limit=1  success\n`
const second = `${testNow}  req_default_2  404 GET /v2/rewards/nope?ssn4=***  not_found (REWARD_NOT_FOUND_ERROR)\n`
const paths = ['/v2/customers?limit=1', '/v2/rewards/nope?ssn4=1234']

describe('requests', () => {
  it.each<[string[], string]>([
    [[], first + second],
    [['--status', '404'], second],
    [['--status', '2xx'], first],
    [['--text', 'nope'], second],
    [['--before', 'req_default_2'], first],
    [['--operation', 'searchCustomers'], first],
    [['--outcome', 'not_found'], second],
    [['--limit', '1'], second],
    [['--since', '2027-01-01T00:00:00Z'], ''],
  ])('%j -> a line each, oldest first, secrets hidden', async (words, stdout) => {
    const { sandbox, ask } = await asking()
    await call(sandbox, ...paths)
    expect(await ask(['requests', ...words])).toEqual(printed(stdout))
  })

  it('--before an id of another workspace -> the calls of that one, unless --workspace names one', async () => {
    const { sandbox, ask } = await asking()
    for (const path of paths) await sandbox.workspace('my_shop').fetch(path)
    const { code, stdout } = await ask(['requests', '--before', 'req_my_shop_2'])
    expect([code, stdout]).toEqual([0, first.replace('default', 'my_shop')])
    expect(await ask(['requests', '--before', 'req_my_shop_2', '--workspace', 'default'])).toEqual(
      printed(''),
    )
    expect(await ask(['requests', '--before', 'req_other_2'])).toEqual(
      refused(8, expect.stringMatching(/^error: no workspace is called 'other'/)),
    )
    expect(await ask(['requests', '--before', 'x'])).toEqual(printed(''))
  })

  it('--format json and har -> what the control plane answers', async () => {
    const { sandbox, url, ask } = await asking()
    await call(sandbox, ...paths)
    for (const [format, query] of [
      ['json', '?status=404'],
      ['har', '?status=404&format=har'],
    ] as const) {
      const body = await (await fetch(`${url}/_sandbox/requests${query}`)).text()
      expect(await ask(['requests', '--status', '404', '--format', format])).toEqual(printed(`${body}\n`))
    }
  })

  it.each([
    [['--status', 'x'], 'error: --status: must be an integer, a class such as 4xx, or lost\n'],
    [
      ['--follow', '--format', 'har'],
      'error: --follow cannot write a HAR, which is one document: omit --follow, or use --format json\n',
    ],
    [
      ['--follow', '--before', 'req_default_2'],
      'error: --before and --follow exclude each other: use one of them\n',
    ],
    [['--limit', '3', 'verify', '{}'], 'error: put --limit after the verb: requests verify --limit …\n'],
  ])('%j -> exit 2', async (words, stderr) => {
    const { ask } = await asking()
    expect(await ask(['requests', ...words])).toEqual(refused(2, stderr))
  })

  it('clear -> forgets them', async () => {
    const { sandbox, ask } = await asking()
    await call(sandbox, ...paths)
    expect(await ask(['requests', 'clear'])).toEqual(said("Cleared the journal of workspace 'default'\n"))
    expect(sandbox.requests.list()).toEqual([])
  })
})

describe('requests --follow', () => {
  /** Follows; in each pause the next step is done, and after the last one it is Ctrl-C. */
  async function following(
    flags: Record<string, unknown>,
    steps: readonly ((sandbox: Caller & Pick<Sandbox, 'reset'>) => Promise<void>)[],
  ): Promise<{ code: number | void; stdout: string; pauses: number[] }> {
    const { sandbox, url } = await asking()
    await call(sandbox, ...paths)
    let stdout = ''
    let stop: () => void = () => undefined
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    const io = quietIo({ stdout: (text) => void (stdout += text), stopped, stop: () => stop() })
    const left = [...steps]
    const pauses: number[] = []
    const wait = async (milliseconds: number): Promise<boolean> => {
      pauses.push(milliseconds)
      const step = left.shift()
      if (step) await step(sandbox)
      else stop()
      return step !== undefined
    }
    const code = await followed({ url, follow: true, ...flags }, io, wait)
    return { code, stdout, pauses }
  }

  it('-> what there is, then each call once, until Ctrl-C ends it with exit 0', async () => {
    const { code, stdout, pauses } = await following({}, [
      (sandbox) => call(sandbox, '/v2/customers', '/v2/customers'),
      async () => undefined,
      (sandbox) => call(sandbox, '/v2/nothing'),
    ])
    const line = (number: number, rest: string): string => `${testNow}  req_default_${number}  ${rest}\n`
    expect(stdout).toBe(
      first +
        second +
        line(3, '200 GET /v2/customers  success') +
        line(4, '200 GET /v2/customers  success') +
        line(5, '404 GET /v2/nothing  unmatched (NOT_FOUND_ERROR)'),
    )
    expect([code, pauses]).toEqual([0, [1_000, 1_000, 1_000, 1_000]])
  })

  it('a reset begins a new journal -> its calls are printed too', async () => {
    const { stdout } = await following({}, [
      async (sandbox) => {
        sandbox.reset()
        await call(sandbox, '/v2/customers?limit=1')
      },
    ])
    expect(stdout).toBe(first + second + first)
  })

  it('filters count; a limit is that of what there is', async () => {
    const { stdout } = await following({ outcome: 'success', limit: '1' }, [
      (sandbox) => call(sandbox, '/v2/customers', '/v2/nothing', '/v2/customers'),
    ])
    expect(stdout.match(/req_default_\d/g)).toEqual(['req_default_1', 'req_default_3', 'req_default_5'])
  })

  it('--format json -> a line of JSON for each call', async () => {
    const { stdout } = await following({ format: 'json' }, [(sandbox) => call(sandbox, '/v2/customers')])
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(entries).toMatchObject([
      { id: 'req_default_1', status: 200, response: { status: 200 } },
      { id: 'req_default_2' },
      { id: 'req_default_3' },
    ])
  })

  it('the sandbox goes away -> exit 7, and said so', async () => {
    const { sandbox, url } = await asking()
    const io = quietIo()
    const wait = async (): Promise<boolean> => {
      await sandbox.close()
      return true
    }
    await expect(followed({ url, follow: true }, io, wait)).rejects.toMatchObject({
      exitCode: 7,
      message: expect.stringMatching(`^error: the sandbox at ${url} has stopped \\(.*\\)$`),
    })
  })
})

describe('requests verify', () => {
  const matcher = '{"operation":"searchCustomers","query":{"limit":"2"}}'

  it.each<[string, string[], string]>([
    ['as a word', ['{"operation":"searchCustomers"}'], ''],
    ['in a file', ['@asked.json'], ''],
    ['on stdin', [], '{"operation":"searchCustomers"}'],
  ])('what holds, %s -> exit 0', async (_how, words, stdin) => {
    const { sandbox, ask } = await asking({ 'asked.json': { operation: 'searchCustomers' } })
    await call(sandbox, ...paths)
    expect(await ask(['requests', 'verify', ...words], stdin)).toEqual(
      printed('It holds: 1 request matched.\n'),
    )
    expect(await ask(['requests', 'verify', ...words, '--format', 'json'], stdin)).toEqual(
      printed('{"count":1}\n'),
    )
  })

  it('what does not hold -> exit 6, with what came nearest', async () => {
    const { sandbox, url, ask } = await asking()
    await call(sandbox, ...paths)
    expect(await ask(['requests', 'verify', matcher])).toEqual({
      code: 6,
      stdout: `It does not hold: at least 1 expected, 0 of 2 requests matched
nearest:
  req_default_1 GET /v2/customers 200 searchCustomers
    query.limit: expected "2", it was "1"
  req_default_2 GET /v2/rewards/nope 404 retrieveReward
    operation: expected "searchCustomers", it was "retrieveReward"
    query.limit: expected "2", there was none
`,
      stderr: '',
    })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: matcher }
    const body = await (await fetch(`${url}/_sandbox/requests/verify`, init)).text()
    expect(await ask(['requests', 'verify', matcher, '--format', 'json'])).toEqual({
      code: 6,
      stdout: `${body}\n`,
      stderr: '',
    })
  })

  it.each<[string[], RegExp]>([
    [
      ['{"operation":"serchCustomers"}'],
      /^verify operation: must be one of .* did you mean 'searchCustomers'\?\n$/,
    ],
    [['{"count":1,"at_least":1}'], /^verify count: must be omitted with at_least and at_most\n$/],
    [['{'], /^JSON:1:2: expected a key/],
    [['@x'], /^x: there is no such file\n$/],
  ])('%j -> exit 2', async (words, stderr) => {
    const { ask } = await asking()
    expect(await ask(['requests', 'verify', ...words])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    })
  })
})
