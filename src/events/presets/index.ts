// The presets: descriptions for partners who do not know yet how the events of their provider look.
import type { WebhookDescription } from '../description-type.ts'
import { bodyHmac } from './body-hmac.ts'
import { documented } from './documented.ts'
import { standard } from './standard.ts'
import { thin } from './thin.ts'
import { timestampedHmac } from './timestamped-hmac.ts'

/** The presets by their names, which are values of the assumption `webhook_events`. */
export const presets = {
  standard,
  thin,
  timestamped_hmac: timestampedHmac,
  body_hmac: bodyHmac,
  documented,
} as const satisfies Readonly<Record<string, WebhookDescription>>

export const isPreset = (name: string): name is keyof typeof presets => Object.hasOwn(presets, name)
