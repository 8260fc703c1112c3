// A target as it is written, in words of our own: users import this type, and no library's.
import type { Scope } from '../contract/scopes.ts'

/** A service that conform and calibrate may ask, as target.yaml has it. */
export interface GivenTarget {
  /** The base address; with a `fetch` of its own `http://sandbox.invalid` if left out. */
  readonly url?: string | undefined
  /** The host of `url` once more, without port; not needed with a `fetch` of its own. */
  readonly confirm_host?: string | undefined
  readonly keys: {
    /** A key with every scope, of one product. */
    readonly full: string
    /** Keys that lack one scope, by its name. */
    readonly without?: { readonly [S in Scope]?: string | undefined } | undefined
    /** A key of several products. */
    readonly multi?: string | undefined
  }
  /** Merchant keys of the products of `keys.multi`. */
  readonly merchant_keys?: readonly string[] | undefined
  /** Rows that exist at the target and may be read. */
  readonly ids?:
    | {
        readonly customer?: string | undefined
        readonly partner_customer_id?: string | undefined
        readonly account?: string | undefined
        readonly payment_method?: string | undefined
        readonly intent?: string | undefined
        readonly reward?: string | undefined
      }
    | undefined
  /** Rows that `allow: ['irreversible']` may use up. */
  readonly expendable?:
    | {
        readonly pending_rewards?: readonly string[] | undefined
        readonly order_events?: readonly string[] | undefined
        /** To be linked. */
        readonly customers?: readonly string[] | undefined
      }
    | undefined
  /** At most how many requests (500), how many a second (5), and how long an answer is waited for (10). */
  readonly budget?:
    | {
        readonly requests?: number | undefined
        readonly per_second?: number | undefined
        readonly timeout_seconds?: number | undefined
      }
    | undefined
  /** Takes the requests in place of the network, such as `fetch` of a sandbox: then no port is needed. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}
