// Types of what is declared as values elsewhere, for the users of the library: `npm run generate` writes this file.

/** The id of an operation, such as `updateReward`. */
export type OperationId =
  | 'createTransactionIntent'
  | 'retrieveTransactionIntent'
  | 'listPaymentMethods'
  | 'retrievePaymentMethod'
  | 'searchCustomers'
  | 'linkCustomer'
  | 'listStatements'
  | 'retrieveRewardsBalance'
  | 'listRewardCategories'
  | 'retrieveReward'
  | 'updateReward'
  | 'deleteOrderEvent'
  | 'createApiKey'

/** The name of a built-in scenario, such as `rate-limited`. */
export type BuiltInScenario =
  | 'commit-but-answer-lost'
  | 'event-bad-signature'
  | 'event-concurrent'
  | 'event-drop'
  | 'event-duplicate'
  | 'event-early'
  | 'event-future-timestamp'
  | 'event-large'
  | 'event-late'
  | 'event-malformed-signature'
  | 'event-no-signature'
  | 'event-reorder'
  | 'event-same-json-other-bytes'
  | 'event-stale-timestamp'
  | 'event-unknown-fields'
  | 'event-unknown-type'
  | 'flaky-every-third'
  | 'hang'
  | 'html-gateway-error'
  | 'key-revoked'
  | 'new-enum-values-latest'
  | 'not-found-account'
  | 'not-found-customer'
  | 'not-found-payment-method'
  | 'not-found-reward'
  | 'not-found-transaction-intent'
  | 'null-optionals'
  | 'pagination-delete-while-walking'
  | 'pagination-empty-page-with-more'
  | 'pagination-empty'
  | 'pagination-exact-multiple'
  | 'pagination-expired-cursor'
  | 'pagination-insert-while-walking'
  | 'pagination-missing-cursor'
  | 'pagination-one-per-page'
  | 'pagination-repeated-cursor'
  | 'pagination-repeated-item'
  | 'pagination-short-last-page'
  | 'pagination-wrong-total'
  | 'rate-limited'
  | 'reset'
  | 'reward-settled-before-update'
  | 'reward-vanishes'
  | 'scope-missing-account-read'
  | 'scope-missing-authorized-user-read'
  | 'scope-missing-order-write'
  | 'scope-missing-pci-details-read'
  | 'scope-missing-transaction-intent-read'
  | 'scope-missing-transaction-intent-write'
  | 'slow'
  | 'truncated'
  | 'unavailable'
  | 'unknown-fields'
  | 'version-latest-preview'
  | 'version-sunset-2025-05-05'
  | 'version-unsupported'

/** A complete row of each collection: the resource, and the fields that the sandbox adds to it. */
export interface CollectionRows {
  products: {
    merchant_key: string
    name: string
    rewards: {
      /** A 3-character ISO 4217 code, or a reward unit such as POINTS. */
      currency: string
      symbol: string
      accrual?: 'instant' | 'statement' | 'statement_aggregated' | 'delayed'
      description:
        | string
        | {
            en: string
            es: string
          }
      precision: number
      categories: {
        name:
          | string
          | {
              en: string
              es: string
            }
        description:
          | string
          | {
              en: string
              es: string
            }
        earn_rate: string
        type: string
        merchants: string[]
      }[]
      special_categories: {
        name:
          | string
          | {
              en: string
              es: string
            }
        description:
          | string
          | {
              en: string
              es: string
            }
        type: string
      }[]
    }
  }
  api_keys: {
    id: string
    secret: string
    api_key: string
    scopes: (
      | 'TRANSACTION_INTENT_WRITE'
      | 'TRANSACTION_INTENT_READ'
      | 'ACCOUNT_READ'
      | 'ORDER_WRITE'
      | 'PCI_DETAILS_READ'
      | 'AUTHORIZED_USER_READ'
    )[]
    products: string[]
    environment: 'sandbox' | 'production'
    created_at: string
    scenarios?: string[]
  }
  customers: {
    id: string
    email: string
    phone?: string
    statuses: Record<string, string>
    first_name: string
    last_name: string
    preferred_language?: string
    ssn4?: string
    date_of_birth?: {
      year: number
      month: number
      day: number
    }
    /** A postal address; every part is optional. */
    address?: {
      street_line1?: string
      street_line2?: string
      city?: string
      state?: string
      postal_code?: string
      /** Three letters of ISO 3166-1, such as USA. */
      country?: string
    }
    /** The partner's own identifier of the customer; compared byte for byte. */
    partner_customer_id?: string
    /** Free-form JSON object. */
    metadata?: Record<string, unknown>
    created_at: string
    updated_at?: string
    /** Omitted if the key lacks the scope. */
    authorized_users?: {
      authorized_user_id: string
      first_name?: string
      last_name?: string
      email?: string
      phone?: string
      date_of_birth?: {
        year: number
        month: number
        day: number
      }
      postal_code?: string
      payment_method_id?: string
      /** In lower case, such as active. */
      status?: string
    }[]
    product: string
    /** An amount in minimum currency units. */
    opening_balance?: number
  }
  links: {
    /** The partner's own identifier of the customer; compared byte for byte. */
    partner_customer_id: string
    /** Such as ACTIVE or INACTIVE. */
    status: string
    created_at: string
    updated_at?: string
    /** Free-form JSON object. */
    metadata?: Record<string, unknown>
    id: string
  }
  accounts: {
    id: string
    customer_id: string
    /** A 3-character ISO 4217 code. */
    currency: string
    status?: 'OPEN' | 'CLOSED'
  }
  payment_methods: {
    id: string
    type: 'CARD' | 'BANK_ACCOUNT' | 'LOAN'
    customer_id: string
    created_at: string
    status: 'ACTIVE' | 'INACTIVE' | 'CANCELED'
    /** Free-form JSON object. */
    metadata?: Record<string, unknown>
    /** A card, secured or not. */
    card?: {
      last4: string
      /** Such as VISA, MASTERCARD or AMEX. */
      network?: string
      /** Such as PHYSICAL, VIRTUAL or UNIFIED. */
      card_type?: string
      card_design_id?: string
      exp_month?: string
      exp_year?: string
      /** Omitted if the key lacks the scope. */
      pci_details?: {
        pan?: string
        exp_month?: string
        exp_year?: string
        cvv?: string
      }
      tokens?: {
        type?: string
        token?: string
        created_at?: string
        updated_at?: string
        expires_at?: string
        pan_reference_id?: string
      }[]
    }
    /** A card, secured or not. */
    secured_credit_card?: {
      last4: string
      /** Such as VISA, MASTERCARD or AMEX. */
      network?: string
      /** Such as PHYSICAL, VIRTUAL or UNIFIED. */
      card_type?: string
      card_design_id?: string
      exp_month?: string
      exp_year?: string
      /** Omitted if the key lacks the scope. */
      pci_details?: {
        pan?: string
        exp_month?: string
        exp_year?: string
        cvv?: string
      }
      tokens?: {
        type?: string
        token?: string
        created_at?: string
        updated_at?: string
        expires_at?: string
        pan_reference_id?: string
      }[]
    }
    /** A bank account. */
    bank_account?: {
      last4: string
      routing_number?: string
      bank_name?: string
      /** Such as CHECKING or SAVINGS. */
      account_type?: string
    }
    /** A loan. */
    loan?: {
      /** An amount in minimum currency units. */
      amount?: number
      term_months?: number
      /** A 3-character ISO 4217 code. */
      currency?: string
      /** An amount in minimum currency units. */
      remaining_balance?: number
      apr?: string
      /** Such as PENDING, APPROVED, ACTIVE or CLOSED. */
      loan_status?: string
    }
    updated_at?: string
    account_id?: string
  }
  rewards: {
    id: string
    customer_id: string
    /** The transaction that generated the reward, if one did. */
    transaction_event_id?: string
    /** An amount in minimum currency units. */
    amount: number
    type: 'OFFER' | 'TRANSACTION' | 'ONE_TIME' | 'STATEMENT' | 'REFERRAL'
    /** A 3-character ISO 4217 code, or a reward unit such as POINTS. */
    currency?: string
    status: 'PENDING' | 'AVAILABLE' | 'PENDING_DEDUCTION' | 'DEDUCTED'
    created_at: string
    updated_at?: string
    /** Free-form JSON object. */
    metadata?: Record<string, unknown>
  }
  transaction_intents: {
    id: string
    customer_id: string
    /** An amount in minimum currency units. */
    amount: number
    /** A 3-character ISO 4217 code. */
    currency: string
    status: 'CONFIRMED' | 'CANCELED'
    created_at: string
    /** The payment method the intent was executed with. */
    payment_method_id?: string
    /** The card network's unique transaction identifier. */
    network_transaction_id?: string
    /** The partner's unique transaction identifier. */
    partner_transaction_id?: string
    updated_at?: string
    /** Additional data of the intent. */
    metadata?: Record<string, unknown>
    merchant_name?: string
    /** A postal address; every part is optional. */
    merchant_address?: {
      street_line1?: string
      street_line2?: string
      city?: string
      state?: string
      postal_code?: string
      /** Three letters of ISO 3166-1, such as USA. */
      country?: string
    }
    merchant_id?: string
    merchant_code?: string
    expected_date?: string
  }
  statements: {
    statement_id: string
    customer_id: string
    account_id: string
    period_start_date: string
    /** When the cycle closed. */
    period_end_date: string
    due_date: string
    /** A 3-character ISO 4217 code. */
    currency: string
    statement_balance: number
    minimum_due: number
    previous_balance: number
    purchases: number
    payments: number
    credits: number
    refunds: number
    interest: number
    fees: number
    overdue_amount?: number
  }
  orders: {
    id: string
    customer_id: string
    payment_method_id: string
    /** The partner's own id of the order. */
    partner_order_id: string
    merchant_id?: string
    merchant_name?: string
    merchant_address?: {
      street_line1?: string
      street_line2?: string
      city?: string
      state?: string
      postal_code?: string
      /** Three letters of ISO 3166-1, such as USA. */
      country?: string
    }[]
    /** What is expected. */
    order_lines?: {
      name: string
      /** How many. */
      quantity: number
      /** The price of one, in minimum currency units. */
      rate: number
      /** The rewards for one, in minimum units. */
      rewards_rate: number
      product_url?: string
    }[]
    /** An amount in minimum currency units. */
    total_order_amount: number
    /** An amount in minimum units of the rewards. */
    total_rewards_amount?: number
    /** A 3-character ISO 4217 code. */
    currency?: string
    created_at?: string
    updated_at?: string
  }
  order_events: {
    id: string
    customer_id: string
    /** The partner's own id of the event. */
    partner_event_id?: string
    /** The id of the order. */
    order_id: string
    /** Such as CAPTURED or REFUNDED. */
    type: string
    /** An amount in minimum currency units. */
    amount: number
    /** An amount in minimum units of the rewards. */
    rewards_amount?: number
    /** A 3-character ISO 4217 code. */
    currency?: string
    /** The network's transaction id. */
    network_transaction_id: string
    /** What happened, line by line. */
    order_lines?: {
      name: string
      /** How many. */
      quantity: number
      /** The price of one, in minimum currency units. */
      rate: number
      /** The rewards for one, in minimum units. */
      rewards_rate: number
      product_url?: string
    }[]
    /** Free-form JSON object. */
    metadata?: Record<string, unknown>
  }
  transactions: {
    id: string
    customer_id: string
    payment_method_id?: string
    account_id?: string
    /** An amount in minimum currency units. */
    amount: number
    /** A 3-character ISO 4217 code. */
    currency: string
    status?: 'APPROVED' | 'UPDATED' | 'VOIDED' | 'CAPTURED' | 'REFUNDED'
    merchant_name: string
    merchant_code?: string
    merchant?: {
      network_id?: string
      category?: string
      /** A postal address; every part is optional. */
      address?: {
        street_line1?: string
        street_line2?: string
        city?: string
        state?: string
        postal_code?: string
        /** Three letters of ISO 3166-1, such as USA. */
        country?: string
      }
    }
    intent_id?: string
    network_transaction_id?: string
    authorization_code?: string
    purchase_method?: string
    partner_transaction_id?: string
    /** Free-form JSON object. */
    metadata?: Record<string, unknown>
    statement_id?: string
    posted_at?: string
    created_at: string
    updated_at?: string
  }
  transaction_events: {
    id: string
    transaction_id: string
    n?: number
    status: 'APPROVED' | 'UPDATED' | 'VOIDED' | 'CAPTURED' | 'REFUNDED'
    /** An amount in minimum currency units. */
    amount: number
    posted_at: string
    account_id?: string
    capture_id?: string
    earn_rate?: string
    /** An amount in minimum currency units. */
    reward_amount?: number
    reward_id?: string
    statement_id?: string
  }
  offers: {
    id: string
    is_prescreened: boolean
    title: string
    description: string
    customer_id: string
  }
  customer_sessions: {
    id: string
    /** Opens the session in a browser, once. Do not log it. */
    client_secret: string
    expires_at: string
    /** Free-form JSON object. */
    metadata?: Record<string, unknown>
    /** Texts about the customer, by key. */
    customer_metadata?: Record<string, string>
    source?: string
    customer_id: string
    created_at: string
    /** An amount in minimum currency units. */
    transaction_amount?: number
    /** A 3-character ISO 4217 code. */
    transaction_currency?: string
  }
  webhook_endpoints: {
    id: string
    url: string
    events: (
      | '*'
      | 'transaction_intent.created'
      | 'transaction_intent.updated'
      | 'reward.created'
      | 'reward.updated'
      | 'customer.linked'
      | 'order_event.deleted'
      | 'statement.created'
      | 'transaction.approved'
      | 'transaction.updated'
      | 'transaction.voided'
      | 'transaction.captured'
      | 'transaction.refunded'
      | 'payment_method.created'
      | 'payment_method.updated'
      | 'account.closed'
      | 'APPLICATION'
      | 'STREAK'
    )[]
    enabled: boolean
    created_at: string
    secret?: string
    insecure?: true
    listener?: true
    rotation?: {
      count: number
      at: string
    }
  }
  events: {
    id: string
    type:
      | 'transaction_intent.created'
      | 'transaction_intent.updated'
      | 'reward.created'
      | 'reward.updated'
      | 'customer.linked'
      | 'order_event.deleted'
      | 'statement.created'
      | 'transaction.approved'
      | 'transaction.updated'
      | 'transaction.voided'
      | 'transaction.captured'
      | 'transaction.refunded'
      | 'payment_method.created'
      | 'payment_method.updated'
      | 'account.closed'
      | 'APPLICATION'
      | 'STREAK'
    time: string
    source: 'api' | 'simulation' | 'scenario' | 'trigger'
    /** Free-form JSON object. */
    data: Record<string, unknown>
    previous: Record<string, unknown> | null
    /** Free-form JSON object. */
    related?: Record<string, unknown>
    request_id: string | null
    deliveries: {
      n: number
      endpoint_id: string | null
      due: string
      at: string | null
      state: 'delivered' | 'waiting' | 'collected' | 'failed' | 'skipped'
      status: number | null
      reason: string
      response_body?: string
      faults?: (
        | 'concurrent'
        | 'reorder'
        | 'bad_signature'
        | 'no_signature'
        | 'malformed_signature'
        | 'stale_timestamp'
        | 'future_timestamp'
        | 'unknown_type'
        | 'unknown_fields'
        | 'same_json_other_bytes'
        | 'large'
        | 'early'
      )[]
      after?: string
    }[]
    scenario_rules?: string[]
  }
}

/** The id field of the rows of each collection. */
export interface CollectionIds {
  products: 'merchant_key'
  api_keys: 'id'
  customers: 'id'
  links: 'id'
  accounts: 'id'
  payment_methods: 'id'
  rewards: 'id'
  transaction_intents: 'id'
  statements: 'statement_id'
  orders: 'id'
  order_events: 'id'
  transactions: 'id'
  transaction_events: 'id'
  offers: 'id'
  customer_sessions: 'id'
  webhook_endpoints: 'id'
  events: 'id'
}

/** The settings of the partner's account. */
export interface AccountRow {
  saved_version: {
    sandbox: '2025-05-05' | '2026-10-13'
    production: '2025-05-05' | '2026-10-13'
  }
}

/** The data about the sandbox in a dump, in addition to the state. */
export interface SandboxPart {
  seed?: number
  ids?: number
  sequences?: {
    webhook_endpoints: number
    events: number
    generation?: number
  }
  clock?: {
    now: string
    frozen: boolean
  }
  workspace?: Record<string, unknown>
  about?: Record<string, unknown>
  log?: number
  seq?: number
  checksum?: string
}
