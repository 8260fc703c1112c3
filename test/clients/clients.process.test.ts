import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { started } from '../helpers/processes.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { countingProxy } from '../helpers/counting-proxy.ts'
import { reportedStory, type Story } from './story.ts'
import { tellStory } from './typescript/story.ts'

/** Runs a program that prints the story; the last two words are where the service is, and the key. */
async function printedStory(program: string, file: string, url: string, key: string): Promise<Story> {
  const path = join(packageRoot(), 'test', 'clients', file)
  const { stdout } = await promisify(execFile)(program, [path, url, key])
  return JSON.parse(stdout) as Story
}

/** Each makes 19 calls; Node's own `fetch` opens a second connection before it knows that the first is free. */
const clients: [
  string,
  { needs: string[]; mayOpen: number; tell: (url: string, key: string) => Promise<Story> },
][] = [
  [
    'a generated TypeScript client keeps its connections',
    { needs: [], mayOpen: 2, tell: (baseUrl, key) => tellStory({ baseUrl, key }) },
  ],
  [
    'curl: a connection for each run of it, also for three calls at once',
    {
      needs: ['bash', 'curl'],
      mayOpen: 17,
      tell: (url, key) => printedStory('bash', 'curl/story.sh', url, key),
    },
  ],
  [
    "Python's urllib opens one for each call, its http.client one for six",
    {
      needs: ['python3'],
      mayOpen: 14,
      tell: (url, key) => printedStory('python3', 'python/story.py', url, key),
    },
  ],
]

/** The programs among these that this machine lacks. */
function missing(programs: readonly string[]): string[] {
  return programs.filter((program) => spawnSync(program, ['--version']).status !== 0)
}

describe('a day of work against the built server', { timeout: 60_000 }, () => {
  it.for(clients)('%s', async ([, { needs, mayOpen, tell }], { skip }) => {
    const gone = missing(needs)
    skip(gone.length > 0, `not checked: ${gone.join(' and ')} cannot be run here`)
    const server = await started()
    const { url, connections } = await countingProxy(server.port)
    expect(await tell(url, fullKey)).toEqual(reportedStory)
    expect(connections()).toBeLessThanOrEqual(mayOpen)
  })
})

describe('a day of work in process', () => {
  it('the generated TypeScript client on the fetch of a sandbox', async () => {
    const { fetch } = await startSandbox()
    expect(await tellStory({ baseUrl: 'http://sandbox', key: fullKey, fetch })).toEqual(reportedStory)
  })
})
