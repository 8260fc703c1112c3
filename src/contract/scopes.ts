// The scopes (permissions) of API keys, and the effect of a missing scope (contract: Authentication 4-6).
/**
 * Without a `refuses` scope, a call is refused with 403. Without an `omits` scope, the call succeeds and the answer
 * omits the protected field.
 */
export const scopes = {
  TRANSACTION_INTENT_WRITE: { lacking: 'refuses', grants: 'create transaction intents' },
  TRANSACTION_INTENT_READ: { lacking: 'refuses', grants: 'retrieve transaction intents' },
  ACCOUNT_READ: { lacking: 'refuses', grants: 'list the closed statements of an account' },
  ORDER_WRITE: { lacking: 'refuses', grants: 'delete order events' },
  PCI_DETAILS_READ: { lacking: 'omits', grants: 'see card numbers in payment methods' },
  AUTHORIZED_USER_READ: { lacking: 'omits', grants: 'see the authorized users of a customer' },
} as const satisfies Record<string, { lacking: 'refuses' | 'omits'; grants: string }>

/** The name of a scope, such as `ORDER_WRITE`. */
export type Scope = keyof typeof scopes

type Lacking<Effect> = { [S in Scope]: (typeof scopes)[S]['lacking'] extends Effect ? S : never }[Scope]

/** A scope without which an endpoint answers 403. */
export type RefusingScope = Lacking<'refuses'>

/** A scope without which the answer omits a field. */
export type OmittingScope = Lacking<'omits'>

/** Every scope, in the order of the declaration above. */
export const scopeNames: readonly Scope[] = Object.keys(scopes) as Scope[]
