/**
 * A small client as a partner would write one: it pages, retries, refreshes, and tells apart what it must not trust.
 * It knows nothing of the sandbox.
 */
export interface ClientOptions {
  send(path: string, init: RequestInit): Promise<Response>
  /** Waits some milliseconds before the next try; given from outside, so that tests need not. */
  wait(milliseconds: number): Promise<void>
  apiKey: string
  version?: string | undefined
  /** How long the client waits for an answer. */
  patience?: (() => AbortSignal) | undefined
}

/** An answer that is no success, or no answer at all after every try. */
export class CallFailed extends Error {
  readonly status: number
  readonly details: readonly string[]

  constructor(status: number, type: string, details: readonly string[] = []) {
    super(`${status} ${type}`)
    this.status = status
    this.details = details
  }
}

/** The fields that the client reads; it ignores whatever else there is (contract: Conventions). */
export interface Row {
  id: string
  status: string
  [field: string]: unknown
}

interface Page {
  data: (Partial<Row> & { statement_id?: string })[]
  has_more: boolean
  total?: number
  next_page_token?: string
}

/** A list that was walked to its end, and what was wrong with its pages. */
export interface Walked {
  ids: string[]
  breaches: string[]
}

const attempts = 6
const pageSize = 10
const maxPages = 100

export class ReferenceClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** One call with as many tries as it takes; 429, 5xx and lost connections are tried again. */
  async call<T = Row>(method: string, path: string, json?: object): Promise<T> {
    let failure = new CallFailed(0, 'no answer')
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const answer = await this.#try(method, path, json)
      if (answer && answer.status < 300) return answer.body as T
      if (answer) failure = failureOf(answer.status, answer.body)
      if (answer && answer.status !== 429 && answer.status < 500) throw failure
      if (attempt < attempts) await this.#options.wait(answer?.retryAfter ?? 100 * 2 ** attempt)
    }
    throw failure
  }

  /** Every customer, each once. */
  customers(): Promise<Walked> {
    return this.#walk('/v2/customers', (page) => page.data.at(-1)?.id)
  }

  /** Every closed statement of an account, each once. */
  statements(customer: string, account: string): Promise<Walked> {
    return this.#walk(
      `/v2/customers/${customer}/accounts/${account}/statements`,
      ({ next_page_token: token }) => token ?? null,
    )
  }

  /** Settles a pending reward. If that is refused, another client was faster: the current status counts. */
  async settle(id: string): Promise<string> {
    const before = await this.call('GET', `/v2/rewards/${id}`)
    if (before.status !== 'PENDING') return before.status
    try {
      await this.call('PATCH', `/v2/rewards/${id}`, { status: 'DEDUCTED' })
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status !== 400) throw error
    }
    return (await this.call('GET', `/v2/rewards/${id}`)).status
  }

  /** @param cursorOf null when a cursor is owed and missing, undefined when the page gives none. */
  async #walk(path: string, cursorOf: (page: Page) => string | null | undefined): Promise<Walked> {
    const ids = new Set<string>()
    const breaches = new Set<string>()
    const totals = new Set<number>()
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages; pages++) {
      let page: Page
      try {
        page = await this.call<Page>('GET', `${path}?limit=${pageSize}${after(cursor)}`)
      } catch (error) {
        // A cursor that is no longer good means to begin again; what was seen is not counted twice.
        if (cursor === undefined || !isAbout(error, 'starting_after')) throw error
        cursor = undefined
        continue
      }
      const found = page.data.map((row) => row.statement_id ?? row.id ?? '')
      if (cursor !== undefined && found[0] === [...ids].at(-1)) breaches.add('an item twice')
      for (const id of found) ids.add(id)
      if (page.total !== undefined) totals.add(page.total)
      if (!page.has_more) break
      const next = cursorOf(page)
      if (next === null) breaches.add('no cursor')
      else if (next !== undefined && next === cursor) breaches.add('the same cursor twice')
      if (next === null || (next !== undefined && next === cursor)) break
      cursor = next ?? cursor
    }
    const [total] = totals
    // A total that changes on the way is a list that does.
    if (totals.size === 1 && total !== ids.size) breaches.add('another total')
    return { ids: [...ids], breaches: [...breaches] }
  }

  async #try(
    method: string,
    path: string,
    json: object | undefined,
  ): Promise<{ status: number; body: unknown; retryAfter: number | undefined } | undefined> {
    const { send, apiKey, version, patience } = this.#options
    try {
      const response = await send(path, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(version === undefined ? {} : { 'x-service-version': version }),
          ...(json ? { 'content-type': 'application/json' } : {}),
        },
        ...(json ? { body: JSON.stringify(json) } : {}),
        ...(patience ? { signal: patience() } : {}),
      })
      const text = await response.text()
      const { status, headers } = response
      const seconds = headers.get('retry-after')
      const retryAfter = seconds === null ? undefined : Number(seconds) * 1000
      // A gateway may answer with anything; only a success must be JSON.
      const body: unknown = text === '' ? undefined : status < 500 ? JSON.parse(text) : undefined
      return { status, body, retryAfter }
    } catch {
      return undefined
    }
  }
}

const after = (cursor: string | undefined): string =>
  cursor === undefined ? '' : `&starting_after=${encodeURIComponent(cursor)}`

function failureOf(status: number, body: unknown): CallFailed {
  const { error, type, details } = (body ?? {}) as Record<string, unknown>
  const nested = typeof error === 'object' && error !== null && 'type' in error ? error.type : error
  return new CallFailed(
    status,
    String(type ?? nested ?? 'no answer to use'),
    Array.isArray(details) ? details : [],
  )
}

function isAbout(error: unknown, field: string): boolean {
  return error instanceof CallFailed && error.details.some((detail) => detail.startsWith(field))
}
