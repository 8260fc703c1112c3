// The description of webhook events as a type for users; a test compares it with the schema.
import type { EventKind, EventType } from '../contract/event-types.ts'

/** How the webhook events of a provider look. See docs/events.md. */
export interface WebhookDescription {
  /** How types are named: as here, in capitals, or by a map from our names to the provider's: then only these are sent. */
  readonly names: 'resource.action' | 'RESOURCE_ACTION' | { readonly [Type in EventType]?: string }
  /**
   * A template of any JSON object, such as `{ id: '{event.id}', data: '{resource}' }`. A field such as `'{card.tokens?}'` is
   * absent without a value, or with an empty list. It may be omitted if `bodies` has one for every type that is sent.
   */
  readonly body?: object | undefined
  /**
   * Bodies of their own, by our type, such as `reward.updated`, or by kind, such as `REWARD`. That of the type wins over
   * that of the kind, and both over `body`.
   */
  readonly bodies?: { readonly [Name in EventType | EventKind]?: object } | undefined
  /** Sorts the fields of every object of the body by their names. */
  readonly sort_keys?: boolean | undefined
  /** Templates of headers by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signing:
    | { readonly algorithm: 'none' }
    | {
        readonly algorithm: 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512'
        /** How the secret becomes a key; `sha256` and `sha256_hex` are the SHA-256 of its text, as bytes or hex text. */
        readonly key: 'whsec' | 'text' | 'hex' | 'base64' | 'sha256' | 'sha256_hex'
        /** The template of the text that is signed, with `{body}`. */
        readonly signed: string
        /** Joins the signatures of two valid secrets; `none`: only the new secret signs. */
        readonly join?: string | undefined
      }
  /** The time after each failed attempt until the next one, such as `5s` or `2h`. */
  readonly retries: readonly string[] | 'none'
  /** The statuses that accept a delivery. */
  readonly success: '2xx' | readonly number[]
  /** The statuses that disable the endpoint. */
  readonly disable_on?: readonly number[] | undefined
  /** The statuses that are final: a failed attempt is not repeated. */
  readonly give_up_on?: readonly number[] | undefined
  /** How long a receiver may take, 1s to 120s. */
  readonly timeout: string
}
