// The endpoints of a workspace that receive events: rows with an address, and handlers in this process, which are no
// rows.
import type { EventType } from '../contract/event-types.ts'
import type { AllowedAddresses } from './allowed-addresses.ts'
import { problemOfSecret } from './signature.ts'
import type { WebhookDescription } from './description-type.ts'

/** Receives the deliveries of an endpoint in process, such as the `fetch` of a Hono app. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>

/** The types that an endpoint receives; `*` for all. */
export type SubscribedTypes = readonly (EventType | '*')[]

/** An endpoint, in a list. */
export interface WebhookEndpoint {
  id: string
  /** Null for a handler in process. */
  url: string | null
  events: SubscribedTypes
  /** Whether it receives events. */
  enabled: boolean
  /** When it was added, on the clock of the sandbox. */
  created_at: string
  /** A listener sends its deliveries: the sandbox does not connect to the URL. */
  listener?: true | undefined
  /** Any certificate of the receiver is accepted. */
  insecure?: true | undefined
  /** Why its deliveries may be skipped, if its address is not allowed. */
  warning?: string
}

/** An endpoint with its secrets' history. */
export interface Endpoint extends Omit<WebhookEndpoint, 'warning'> {
  /** How often its secret was replaced, and when last. */
  readonly rotation?: { readonly count: number; readonly at: string } | undefined
  readonly handler?: WebhookHandler
  /** The clock whose time is signed for a handler; by default that of the machine. */
  readonly clock?: 'sandbox' | undefined
  /** Its secret until the first rotation, if it is not derived. */
  readonly secret?: string | undefined
}

/** Returns why a description cannot sign with the secret of an endpoint; undefined if it can. */
export function secretProblem(
  { secret }: Pick<Endpoint, 'secret'>,
  { signing }: WebhookDescription,
): string | undefined {
  return secret === undefined || signing.algorithm === 'none'
    ? undefined
    : problemOfSecret(secret, signing.key)
}

/** Whether an endpoint receives a type. */
export function receives({ enabled, events }: Endpoint, type: EventType): boolean {
  return enabled && events.some((name) => name === '*' || name === type)
}

/** An endpoint as a list shows it. */
export function endpointView(
  { id, url, events, enabled, created_at, insecure, listener }: Endpoint,
  allowed: Pick<AllowedAddresses, 'warningFor'>,
): WebhookEndpoint {
  const warning = url === null || listener ? undefined : allowed.warningFor(new URL(url))
  return {
    id,
    url,
    events: [...events],
    enabled,
    created_at,
    ...(insecure && { insecure }),
    ...(listener && { listener }),
    ...(warning !== undefined && { warning }),
  }
}
