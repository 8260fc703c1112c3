// Asks the target, one request after the other: budget, pace, patience, and what is no answer of the service.
import { prepare, type ProbeRequest, type Sent } from './prepare.ts'
import { readAnswer, type Answer, type NotCalled } from './read-answer.ts'
import { listRewardCategories } from '../endpoints/reward-categories.ts'
import { merchantKeyHeader } from '../contract/credentials.ts'
import { latestVersion, versionHeader } from '../contract/versions.ts'
import { monotonicNow } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import { isControlPath, type Target } from './target.ts'

/** What goes out and comes back, with nothing hidden: for the redactor, and never to be written. */
export interface Exchange {
  readonly request: Sent
  readonly answer: Answer | NotCalled
}

/** How time passes; tests give a time of their own. */
export interface Timing {
  wait: typeof wait
  /** Milliseconds of a clock that only moves forward. */
  now(): number
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  date(): number
}

/** What runs on the real clock. */
export function realTiming(date: () => number): Timing {
  return { wait, now: monotonicNow, date }
}

/** Thrown for an answer that ends the whole run. */
export class CannotBeAsked extends Error {
  override name = 'CannotBeAsked'
  /** A service that knows no unreleased version is production: nobody may be tried out there. */
  readonly production: boolean

  constructor(message: string, production = false) {
    super(message)
    this.production = production
  }
}

/** The request that comes before anything else. */
export const firstRequest: ProbeRequest = {
  method: listRewardCategories.method,
  path: listRewardCategories.path,
  headers: { [versionHeader]: latestVersion },
}

const maxRetries = 3

/** A service that asks for more patience is not waited for. */
const longestWait = 60_000

/** Characters of a body. */
const longestKept = 20_000

/** So many requests in a row without an answer, and the target is taken for gone. */
const maxSilences = 5

export class Asker {
  readonly #target: Target
  readonly #timing: Timing
  readonly #stop: AbortSignal | undefined
  #sent = 0
  #silences = 0
  /** What every call names that names no product itself, where the target asks all keys for one. */
  #product: string | undefined
  /** When the next request may be sent. */
  #free = -Infinity

  /** @param stop ends the run after the request in flight. */
  constructor(target: Target, timing: Timing, stop?: AbortSignal) {
    this.#target = target
    this.#timing = timing
    this.#stop = stop
  }

  /** How many requests were sent, those again included that had to wait. */
  get sent(): number {
    return this.#sent
  }

  /**
   * Asks whether the target may be asked at all.
   * @throws {CannotBeAsked} when it is production, does not answer, or refuses the key.
   */
  async first(): Promise<Exchange> {
    const exchange = await this.#firstAnswer()
    const { answer } = exchange
    const { host } = this.#target
    if ('notCalled' in answer) throw new CannotBeAsked(`${host} cannot be asked: ${answer.notCalled}`)
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

  /** Why a target that answered at first does so no longer; undefined when it does. */
  async whyLost(): Promise<string | undefined> {
    const { answer } = await this.ask(firstRequest)
    if ('notCalled' in answer) return answer.notCalled
    const { status } = answer
    return status === 401 || status === 403 || status >= 500 ? `keys.full is answered ${status}` : undefined
  }

  /** A partnership of several products may have to name one with every key: then each is tried, whatever the message. */
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

  /** Sends a request when its turn has come; what is no answer of the service is told as such, and never thrown. */
  async ask(asked: ProbeRequest): Promise<Exchange> {
    const request = prepare(this.#target, asked, this.#product)
    const answer = await this.#patiently(request)
    return { request: kept(request), answer }
  }

  async #patiently(request: Sent): Promise<Answer | NotCalled> {
    for (let retries = 0; ; retries++) {
      const answer = await this.#inTurn(request)
      if ('notCalled' in answer || (answer.status !== 429 && answer.status !== 503)) return answer
      if (retries === maxRetries) return { notCalled: `it answered ${answer.status} four times` }
      const pause = this.#pause(answer.headers['retry-after'])
      if (pause > longestWait) {
        return { notCalled: `it answered ${answer.status} and asks to wait ${Math.ceil(pause / 1000)} s` }
      }
      if (!(await this.#wait(pause))) return stopped
    }
  }

  /** By `Retry-After`, in seconds or as a date; a second without it, or where nobody could read it. */
  #pause(retryAfter = ''): number {
    if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter) * 1000)
    const date = Date.parse(retryAfter)
    return Number.isNaN(date) ? 1000 : Math.max(0, date - this.#timing.date())
  }

  async #inTurn(request: Sent): Promise<Answer | NotCalled> {
    const { requests, per_second: perSecond } = this.#target.budget
    if (this.#silences >= maxSilences) return { notCalled: 'the target has stopped answering' }
    if (this.#sent >= requests) return { notCalled: `the budget of ${requests} requests is used up` }
    const pause = this.#free - this.#timing.now()
    if (pause > 0 && !(await this.#wait(pause))) return stopped
    if (this.#stop?.aborted) return stopped
    this.#free = this.#timing.now() + 1000 / perSecond
    this.#sent += 1
    const answer = await this.#send(request)
    this.#silences = 'notCalled' in answer ? this.#silences + 1 : 0
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
    // Raced, as a fetch of somebody else need not listen to its signal.
    const late = this.#timing
      .wait(seconds * 1000, over.signal)
      .then(() => ({ notCalled: `no answer within ${seconds} s` }))
    const answer = call().catch((error: unknown) => ({ notCalled: `no answer: ${reasonOf(error)}` }))
    return Promise.race([answer, late]).finally(() => over.abort())
  }
}

/** The products that are tried where the target wants one named: those of `keys.multi`, as it says no others. */
export const productsToTry = ({ merchant_keys: products }: Target): string[] => products.slice(0, 3)

/** Whether an answer refuses the version that it was asked for (contract: Versioning 5). */
const isVersionRefusal = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  status === 400 && /version/i.test(text)

/** Whether an answer refuses a call for want of a product (contract: Authentication 9). */
export const wantsProduct = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  (status === 400 || status === 403) && /merchant|product/i.test(text) && !isVersionRefusal({ status, text })

const stopped: NotCalled = { notCalled: 'the run was stopped' }

/** Of a body as large as the search for a limit sends, its beginning: two dozen of them would fill the memory. */
function kept({ body, ...request }: Sent): Sent {
  if (body === undefined) return request
  const short = body.length > longestKept ? `${body.slice(0, 200)}… (${body.length} characters)` : body
  return { ...request, body: short }
}

/** What tells an error of the network, without addresses. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.name : 'the connection failed'
}
