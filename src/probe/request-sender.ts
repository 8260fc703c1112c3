// Sends requests to the target in sequence: budget, rate, timeout, and answers that do not come from the service.
import { prepare, type ProbeRequest, type Sent } from './prepare.ts'
import { readAnswer, type Answer, type NotCalled } from './read-answer.ts'
import { findRoute } from '../endpoints/routes.ts'
import { listRewardCategories } from '../endpoints/reward-categories.ts'
import { merchantKeyHeader } from '../contract/credentials.ts'
import { latestVersion, versionHeader } from '../contract/versions.ts'
import { monotonicNow } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import { isControlPath, type Target } from './target.ts'

/** The request and the answer without redaction: only for the redactor, never to be written. */
export interface Exchange {
  readonly request: Sent
  readonly answer: Answer | NotCalled
}

/** The clocks, which tests replace. */
export interface Timing {
  wait: typeof wait
  /** Monotonic time in ms. */
  now(): number
  /** Milliseconds since the epoch, for a `Retry-After` with a date. */
  date(): number
}

/** The real clocks. */
export function realTiming(date: () => number): Timing {
  return { wait, now: monotonicNow, date }
}

/** Thrown for an answer that ends the whole run. */
export class CannotBeAsked extends Error {
  override name = 'CannotBeAsked'
  /** A service without an unreleased version is production, which must not be tested. */
  readonly production: boolean

  constructor(message: string, production = false) {
    super(message)
    this.production = production
  }
}

/** The first request of a run. */
export const firstRequest: ProbeRequest = {
  method: listRewardCategories.method,
  path: listRewardCategories.path,
  headers: { [versionHeader]: latestVersion },
}

const maxRetries = 3

/** Maximum `Retry-After` that is waited for (ms). */
const longestWait = 60_000

/** Maximum number of stored characters of a body. */
const maxBodyLength = 20_000

/**
 * Number of consecutive requests without an answer after which the target counts as down. The last of them repeats a
 * read that was answered before: if it is answered again, only one path is silent, and only that one is left alone.
 */
const maxSilences = 5

export class Asker {
  readonly #target: Target
  readonly #timing: Timing
  readonly #stop: AbortSignal | undefined
  #sent = 0
  #silences = 0
  /** The latest read that was answered. */
  #answered: Sent | undefined
  /** Operations that are not called any more, with the reason. */
  readonly #silent = new Map<string, NotCalled>()
  /** The product for calls that name none, if the target requires one with every key. */
  #product: string | undefined
  /** When the next request may be sent. */
  #free = -Infinity

  /** @param stop ends the run after the request in flight. */
  constructor(target: Target, timing: Timing, stop?: AbortSignal) {
    this.#target = target
    this.#timing = timing
    this.#stop = stop
  }

  /** The number of requests, including retries. */
  get sent(): number {
    return this.#sent
  }

  /**
   * Checks whether requests may be sent to the target.
   * @throws {CannotBeAsked} if it is production, does not answer, or refuses the key.
   */
  async first(): Promise<Exchange> {
    const exchange = await this.#firstAnswer()
    const { answer } = exchange
    const { host } = this.#target
    if ('notCalled' in answer) throw new CannotBeAsked(`${host} cannot be tested: ${answer.notCalled}`)
    const { status, text } = answer
    if (status === 401 || status === 403) {
      const next = text.toLowerCase().includes(merchantKeyHeader)
        ? 'add merchant_keys to the target'
        : 'check the key and the host'
      throw new CannotBeAsked(`${host} refuses keys.full with ${status}: ${next}`)
    }
    if (isVersionRefusal(answer)) {
      const message = `${host} refuses ${versionHeader}: ${latestVersion}, as production does: use a sandbox; nothing more was sent`
      throw new CannotBeAsked(message, true)
    }
    return exchange
  }

  /** Returns why a target that answered at first no longer does; undefined if it does. */
  async whyLost(): Promise<string | undefined> {
    const { answer } = await this.ask(firstRequest)
    if ('notCalled' in answer) return answer.notCalled
    const { status } = answer
    return status === 401 || status === 403 || status >= 500 ? `keys.full is answered ${status}` : undefined
  }

  /** A partnership of several products may require one with every key: then each is tried, whatever the message. */
  async #firstAnswer(): Promise<Exchange> {
    const plain = await this.ask(firstRequest)
    if ('notCalled' in plain.answer || isVersionRefusal(plain.answer)) return plain
    if (plain.answer.status !== 400 && plain.answer.status !== 403) return plain
    for (const product of productsToTry(this.#target)) {
      const exchange = await this.ask({
        ...firstRequest,
        headers: { ...firstRequest.headers, [merchantKeyHeader]: product },
      })
      if ('notCalled' in exchange.answer || exchange.answer.status >= 400) continue
      this.#product = product
      return exchange
    }
    return plain
  }

  /**
   * Sends a request after the rate limit allows it; a failed request becomes an answer with a reason, never an
   * exception.
   */
  async ask(requested: ProbeRequest): Promise<Exchange> {
    const request = prepare(this.#target, requested, this.#product)
    const answer = await this.#withRetry(request)
    return { request: kept(request), answer }
  }

  async #withRetry(request: Sent): Promise<Answer | NotCalled> {
    for (let retries = 0; ; retries++) {
      const answer = await this.#atRate(request)
      if ('notCalled' in answer || (answer.status !== 429 && answer.status !== 503)) return answer
      if (retries === maxRetries) return { notCalled: `it answered ${answer.status} four times` }
      const pause = this.#pause(answer.headers['retry-after'])
      if (pause > longestWait) {
        return { notCalled: `it answered ${answer.status} and asks to wait ${Math.ceil(pause / 1000)} s` }
      }
      if (!(await this.#wait(pause))) return stopped
    }
  }

  /** Returns the delay of `Retry-After`, in seconds or as a date; one second without it, or if it is invalid. */
  #pause(retryAfter = ''): number {
    if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter) * 1000)
    const date = Date.parse(retryAfter)
    return Number.isNaN(date) ? 1000 : Math.max(0, date - this.#timing.date())
  }

  async #atRate(request: Sent): Promise<Answer | NotCalled> {
    const operation = operationOf(request)
    const silent = this.#silent.get(operation)
    if (silent) return silent
    const answer = await this.#next(request)
    const isLast = 'notCalled' in answer && this.#silences === maxSilences - 1
    if (isLast && this.#answered && !('notCalled' in (await this.#next(this.#answered)))) {
      this.#silent.set(operation, answer)
    }
    return answer
  }

  async #next(request: Sent): Promise<Answer | NotCalled> {
    const { requests, per_second: perSecond } = this.#target.budget
    if (this.#silences >= maxSilences) return { notCalled: 'the target has stopped answering' }
    if (this.#sent >= requests) return { notCalled: `the budget of ${requests} requests is used up` }
    const pause = this.#free - this.#timing.now()
    if (pause > 0 && !(await this.#wait(pause))) return stopped
    if (this.#stop?.aborted) return stopped
    this.#free = this.#timing.now() + 1000 / perSecond
    this.#sent += 1
    const answer = await this.#send(request)
    if ('notCalled' in answer) this.#silences += 1
    else {
      this.#silences = 0
      if (request.method === 'GET') this.#answered = request
    }
    return answer
  }

  #wait(milliseconds: number): Promise<boolean> {
    return this.#timing.wait(milliseconds, ...(this.#stop ? [this.#stop] : []))
  }

  async #send({ path, ...request }: Sent): Promise<Answer | NotCalled> {
    const address = new URL(this.#target.url + path)
    if (isControlPath(address.pathname)) throw new Error(`${path} is no path of the service`)
    const over = new AbortController()
    const { timeout_seconds: seconds } = this.#target.budget
    const send = this.#target.fetch ?? fetch
    const call = async (): Promise<Answer | NotCalled> => {
      const response = await send(address.href, { ...request, redirect: 'manual', signal: over.signal })
      return readAnswer(response)
    }
    // A race, as a custom fetch may ignore its signal.
    const late = this.#timing
      .wait(seconds * 1000, over.signal)
      .then(() => ({ notCalled: `no answer within ${seconds} s` }))
    const answer = call().catch((error: unknown) => ({ notCalled: `no answer: ${reasonOf(error)}` }))
    return Promise.race([answer, late]).finally(() => over.abort())
  }
}

/** Returns the products to try if the target requires one: those of `keys.multi`, as it names no others. */
export const productsToTry = ({ merchant_keys: products }: Target): string[] => products.slice(0, 3)

/** Whether an answer refuses the requested version (contract: Versioning 5). */
const isVersionRefusal = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  status === 400 && /version/i.test(text)

/** Whether a refusal is about the product, by its words. */
export const namesProduct = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  /merchant|product/i.test(text) && !isVersionRefusal({ status, text })

/** Whether an answer refuses a call without a product (contract: Authentication 9). */
export const wantsProduct = (answer: Pick<Answer, 'status' | 'text'>): boolean =>
  (answer.status === 400 || answer.status === 403) && namesProduct(answer)

/** Returns the operation of a request; its method and path if there is none. */
function operationOf({ method, path }: Sent): string {
  const [pathname = ''] = path.split('?')
  return findRoute(pathname)?.byMethod.get(method)?.id ?? `${method} ${pathname}`
}

const stopped: NotCalled = { notCalled: 'the run was stopped' }

/**
 * Of the large bodies in the search for a limit, only the beginning is stored: two dozen of them would fill the memory.
 */
function kept({ body, ...request }: Sent): Sent {
  if (body === undefined) return request
  const short = body.length > maxBodyLength ? `${body.slice(0, 200)}… (${body.length} characters)` : body
  return { ...request, body: short }
}

/** Returns the code of a network error, without addresses. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.name : 'the connection failed'
}
