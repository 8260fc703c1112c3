import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { startSandbox, type Answered, type CallApi } from '../helpers/sandbox.ts'

const text = readFileSync(join(packageRoot(), 'docs', 'partner-rewards.http'), 'utf8')

/** A request as an editor reads it. */
interface HttpRequest {
  title: string
  comments: string[]
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Reads the syntax that the REST Client and the HTTP Client share. */
function requestsOf(content: string): HttpRequest[] {
  const variables = new Map(
    [...content.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  const filled = content.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name)
    if (value === undefined) throw new Error(`the file has no variable ${name}`)
    return value
  })
  const [, ...blocks] = filled.split(/^### /m)
  return blocks.map((block) => {
    const [head = '', ...rest] = block.trim().split('\n\n')
    const [title = '', ...lines] = head.split('\n')
    const [line = '', ...headers] = lines.filter((each) => !each.startsWith('#'))
    const [method = '', url = ''] = line.split(' ')
    const { pathname, search } = new URL(url)
    return {
      title,
      comments: lines.filter((each) => each.startsWith('#')),
      method,
      path: pathname + search,
      headers: Object.fromEntries(headers.map((each) => each.split(/: (.*)/).slice(0, 2))),
      ...(rest.length === 0 ? {} : { body: rest.join('\n\n') }),
    }
  })
}

const read = requestsOf(text)
const requests = read.slice(0, -1)
const reset = read.at(-1)

/** The status that a request says it is answered with; that of a refused credential is left to an assumption. */
function statedStatus({ comments }: HttpRequest): number {
  return Number(/\b[1-5]\d\d\b/.exec(comments.join('\n'))?.[0] ?? 401)
}

describe('docs/partner-rewards.http', () => {
  it('has every operation, and says its scope', () => {
    const successes = requests.filter(({ title }) => title.endsWith('/success'))
    expect(successes.map(({ title }) => title)).toEqual(endpoints.map(({ id }) => `${id}/success`))
    expect(successes.map(({ comments }) => /Scope: (\w+)/.exec(comments.join())?.[1])).toEqual(
      endpoints.map(({ scope }) => scope ?? 'none'),
    )
    expect(requests.length).toBeGreaterThan(endpoints.length * 3)
  })

  it.each([
    ['one after the other, from top to bottom', false],
    ['alone, right after a start', true],
  ])(
    'sent %s -> each is answered as it says, and exercises the contract point that it is named after',
    async (_how, startsOver) => {
      const sandbox = await startSandbox()
      for (const request of requests) {
        if (startsOver) sandbox.reset()
        sandbox.coverage.clear()
        const answer = await send(sandbox.call, request)
        expect(answer.status, `${request.title}: ${answer.text}`).toBe(statedStatus(request))
        const { points } = await sandbox.coverage.get()
        const covered = points.filter((point) => point.covered).map(({ id }) => id)
        expect(covered, `${request.title}: ${answer.text}`).toContain(request.title)
      }
    },
  )

  it('its last request brings back what the others change', async () => {
    const sandbox = await startSandbox()
    const before = sandbox.snapshot()
    for (const request of requests) await send(sandbox.call, request)
    expect(sandbox.snapshot()).not.toEqual(before)
    const { method = '', path = '' } = reset ?? {}
    expect((await sandbox.fetch(path, { method })).status).toBe(200)
    expect(sandbox.snapshot()).toEqual(before)
  })
})

function send(call: CallApi, { method, path, headers, body }: HttpRequest): Promise<Answered> {
  return call(method, path, { key: null, headers, ...(body === undefined ? {} : { body }) })
}
