import { createSandbox, type Sandbox, type SandboxOptions, type SandboxWorkspace } from '../../src/index.ts'
import { servedEndpoints } from '../../src/endpoints/index.ts'
import { findRoute, routesOf } from '../../src/endpoints/routes.ts'
import { describeApi } from '../../src/openapi/index.ts'
import { resolveAssumptions, type UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { withTest } from '../setup/with-test.ts'
import { conformance } from './conformance.ts'
import { poolFor, returnedAtEnd } from './sandbox-pool.ts'
import { testNow } from './test-now.ts'

/** One call of a test, in the words a test needs. */
export interface CallOptions {
  /** The API key, sent as Bearer; null sends no credential, and left out it is the one with every scope. */
  key?: string | null
  headers?: Record<string, string>
  /** Sent as JSON with its content type. */
  json?: unknown
  /** Sent as it is, without a content type. */
  body?: RequestInit['body']
}

/** An answer, read to its end. */
export interface Answered {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  json: any
  version: string | null
  requestId: string | null
  /** The assumptions that it names, without those that nearly every answer names. */
  assumptions: string[]
}

export type CallApi = (method: string, path: string, options?: CallOptions) => Promise<Answered>

export { testNow }

export const fullKey = 'sk_sandbox_full'

type Checker = ReturnType<typeof conformance>
const checkers = new Map<string, Checker>()

/** Options as tables of tests have them, whose values are of wider types; what types refuse is tested by itself. */
export type WideOptions = Omit<SandboxOptions, 'assume' | 'fixtures'> & {
  assume?: UnvalidatedSettings
  fixtures?: string | object | readonly (string | object)[]
}

/**
 * A sandbox with a frozen clock, and a way to call it. Every answer is checked against the OpenAPI document and the
 * header rules of the contract before a test sees it. A test may get a sandbox that an earlier test of its file used.
 * @param fresh for a test that reads what a reset leaves there: the timeline, findings, metrics.
 */
export async function startSandbox(
  options: WideOptions = {},
  { fresh = false } = {},
): Promise<Sandbox & { call: CallApi }> {
  const settings = { clock: testNow, frozen: true, ...options } as SandboxOptions
  const pool = fresh ? undefined : poolFor(settings)
  let sandbox = pool?.pop() ?? (await createSandbox(settings, { onBug: rethrow }))
  if (pool) sandbox = returnedAtEnd(sandbox, pool)
  else withTest(() => sandbox.close())
  return Object.assign(sandbox, { call: callerFor(sandbox, options) })
}

/** The same way to call for a workspace's own `fetch` or any other door, such as a socket. */
export function callerFor(door: Pick<SandboxWorkspace, 'fetch'>, options: WideOptions = {}): CallApi {
  const checker = checkerFor(options as SandboxOptions)
  const call = uncheckedCaller(door)
  return async (method, path, sent) => {
    const answer = await call(method, path, sent)
    const { status, headers, text: body } = answer
    checker.check({ method, path }, { status, headers, body })
    return answer
  }
}

/** The same without a check of the answers, for calls by the thousand whose answers a test compares. */
export function uncheckedCaller(door: Pick<SandboxWorkspace, 'fetch'>): CallApi {
  return async (method, path, { key = fullKey, headers = {}, json, body } = {}) => {
    const sent = new Headers(headers)
    if (key !== null && !sent.has('authorization')) sent.set('authorization', `Bearer ${key}`)
    if (json !== undefined) sent.set('content-type', 'application/json')
    const content = json === undefined ? body : JSON.stringify(json)
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: sent,
      ...(content === undefined ? {} : { body: content }),
    }
    if (content instanceof ReadableStream) init.duplex = 'half'
    const response = await door.fetch(path, init)
    return answered(response, await response.text())
  }
}

export function answered(response: Response, text: string): Answered {
  const { status, headers } = response
  return {
    status,
    headers,
    text,
    json:
      text !== '' && headers.get('content-type')?.startsWith('application/json')
        ? JSON.parse(text)
        : undefined,
    version: headers.get('x-service-version'),
    requestId: headers.get('x-sandbox-request-id'),
    assumptions: namedIn(headers).filter((id) => !usuallyNamed.includes(id)),
  }
}

/** The assumptions that an answer names. */
export function namedIn(headers: Headers): string[] {
  return headers.get('x-sandbox-assumptions')?.split(', ') ?? []
}

/** Nearly every answer of the default fixtures names this assumption, as their partnership has two products. */
export const usuallyNamed = ['merchant_key_required']

/**
 * Checks answers by what the document says of their path. The document depends on assumptions and environment only; to
 * describe an operation and compile its validators is the slow part, so each path is described when it is first called.
 */
export function checkerFor({ assume, environment = 'sandbox' }: SandboxOptions): Checker {
  return {
    check(request, answer) {
      const { pathname } = new URL(request.path, 'http://localhost')
      const path = findRoute(pathname.replace(/(?<=.)\/$/, ''), routesOf())?.path
      const id = JSON.stringify([assume, environment, path])
      let checker = checkers.get(id)
      if (!checker) {
        const assumptions = resolveAssumptions(assume as UnvalidatedSettings)
        const document = describeApi({
          assumptions,
          serverUrl: 'http://localhost',
          environment,
          sandboxVersion: '0.0.0',
          sandbox: true,
          endpoints: servedEndpoints(assumptions).filter((endpoint) => endpoint.path === path),
        })
        checkers.set(id, (checker = conformance(document)))
      }
      checker.check(request, answer)
    },
  }
}

export function basic(user: string, password = ''): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/** A failure that is a bug of ours must not hide behind a 500. */
function rethrow(error: unknown): void {
  throw error instanceof Error ? error : new Error(String(error))
}
