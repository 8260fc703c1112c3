// The type of a target in the library, written out: users import this type, and no library's.
import type { Scope } from '../contract/scopes.ts'

/** A service that conform and calibrate may test, in the form of target.yaml. */
export interface GivenTarget {
  /** The base address; with a custom `fetch`, `http://sandbox.invalid` by default. */
  readonly url?: string | undefined
  /** The host of `url` again, without port; not needed with a custom `fetch`. */
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
        readonly deducted_reward?: string | undefined
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
  /** Maximum number of requests (500), requests per second (5), and the timeout of an answer in seconds (10). */
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
