// @ts-check
/**
 * A small client as a partner would write one. It knows nothing of the sandbox: it takes a URL and a key, and for tests
 * another `fetch` and another way to wait.
 *
 * @import { BodyOf, Customer, OperationId, ResultOf, Reward, Statement, TransactionIntent } from 'partner-rewards-sandbox/contract'
 *
 * @typedef {object} ClientOptions
 * @property {string} apiKey
 * @property {string} [baseUrl] Where the service is; needed unless `fetch` knows it.
 * @property {(path: string, init: RequestInit) => Promise<Response>} [fetch]
 * @property {(milliseconds: number) => Promise<unknown>} [wait]
 */

const attempts = 5
const pageSize = 10

/** The service refused the call. */
export class Refused extends Error {
  /** @param {number} status @param {string} type */
  constructor(status, type) {
    super(`${status} ${type}`)
    this.name = 'Refused'
    this.status = status
    this.type = type
  }
}

/** No answer came, and repeating the call could do its work twice: a person has to look. */
export class OutcomeUnknown extends Error {
  /** @param {string} call @param {unknown} cause */
  constructor(call, cause) {
    super(`${call}: no answer came, so it may or may not have been done`, { cause })
    this.name = 'OutcomeUnknown'
  }
}

export class PartnerClient {
  #apiKey
  #fetch
  #wait

  /** @param {ClientOptions} options */
  constructor({ apiKey, baseUrl = '', fetch = globalThis.fetch, wait = sleep }) {
    this.#apiKey = apiKey
    this.#fetch = (/** @type {string} */ path, /** @type {RequestInit} */ init) => fetch(baseUrl + path, init)
    this.#wait = wait
  }

  /**
   * Linking once more changes nothing, so it is repeated when no answer came.
   * @param {string} customerId @param {string} ours
   * @returns {Promise<ResultOf<'linkCustomer'>>}
   */
  linkCustomer(customerId, ours) {
    return this.#call('POST', `/v2/customers/${encodeURIComponent(customerId)}/link`, {
      json: { partner_customer_id: ours },
      repeatable: true,
    })
  }

  /** @param {string} ours @returns {Promise<Customer | undefined>} */
  async findCustomer(ours) {
    const query = new URLSearchParams({ partner_customer_id: ours })
    /** @type {ResultOf<'searchCustomers'>} */
    const { data } = await this.#call('GET', `/v2/customers?${query}`)
    return data[0]
  }

  /**
   * The service knows no key that would make two calls one, so a lost answer is not tried again.
   * @param {BodyOf<'createTransactionIntent'>} intent
   * @returns {Promise<TransactionIntent>}
   */
  createIntent(intent) {
    return this.#call('POST', '/v2/transaction_intents', { json: intent })
  }

  /**
   * Makes a pending reward available. When no answer came, the reward itself says what became of it.
   * @param {string} id
   * @returns {Promise<Reward>}
   */
  async settleReward(id) {
    const path = `/v2/rewards/${encodeURIComponent(id)}`
    try {
      return await this.#call('PATCH', path, { json: { status: 'AVAILABLE' } })
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      /** @type {Reward} */
      const reward = await this.#call('GET', path)
      return reward.status === 'PENDING' ? this.settleReward(id) : reward
    }
  }

  /** @param {string} customerId @returns {Promise<number>} */
  async balance(customerId) {
    /** @type {ResultOf<'retrieveRewardsBalance'>} */
    const { reward_balance: balance } = await this.#call(
      'GET',
      `/v2/customers/${encodeURIComponent(customerId)}/rewards_balance`,
    )
    return balance
  }

  /**
   * Every closed statement, newest first.
   * @param {string} customerId @param {string} accountId
   * @returns {AsyncGenerator<Statement>}
   */
  async *statements(customerId, accountId) {
    const path = `/v2/customers/${encodeURIComponent(customerId)}/accounts/${encodeURIComponent(accountId)}/statements`
    const query = new URLSearchParams({ limit: String(pageSize) })
    for (;;) {
      /** @type {ResultOf<'listStatements'>} */
      const page = await this.#call('GET', `${path}?${query}`)
      yield* page.data
      if (!page.has_more || page.next_page_token === undefined) return
      query.set('starting_after', page.next_page_token)
    }
  }

  /**
   * One call, with as many tries as are safe. A 429 was not done, so it is always tried again, after as long as the
   * service asks. Fields that we do not know are left alone.
   *
   * @param {'GET' | 'POST' | 'PATCH'} method
   * @param {string} path
   * @param {{ json?: object, repeatable?: boolean }} [options]
   * @returns {Promise<any>}
   */
  async #call(method, path, { json, repeatable = method === 'GET' } = {}) {
    for (let attempt = 1; ; attempt++) {
      const last = attempt === attempts
      let response
      try {
        response = await this.#fetch(path, {
          method,
          headers: {
            authorization: `Bearer ${this.#apiKey}`,
            ...(json ? { 'content-type': 'application/json' } : {}),
          },
          ...(json ? { body: JSON.stringify(json) } : {}),
        })
        if (response.ok) return await response.json()
      } catch (error) {
        if (!repeatable || last) throw new OutcomeUnknown(`${method} ${path}`, error)
        await this.#wait(100 * 2 ** attempt)
        continue
      }
      const again = response.status === 429 || (repeatable && response.status >= 500)
      if (!again || last) throw new Refused(response.status, await typeOf(response))
      await this.#wait(Number(response.headers.get('retry-after') ?? 1) * 1000)
    }
  }
}

/** @param {Response} response @returns {Promise<string>} */
async function typeOf(response) {
  /** @type {any} */
  const body = await response.json().catch(() => undefined)
  return body?.type ?? body?.error?.type ?? body?.details?.join('; ') ?? 'no reason given'
}

/** @param {number} milliseconds @returns {Promise<void>} */
function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
