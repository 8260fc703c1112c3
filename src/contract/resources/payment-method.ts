import { z } from 'zod'
import { documented } from '../docs.ts'
import { currencyCode, decimalString, id, metadata, minorUnits, timestamp } from '../formats.ts'

export const paymentMethodTypes = ['CARD', 'BANK_ACCOUNT', 'LOAN'] as const
export const paymentMethodType = z.enum(paymentMethodTypes)
export type PaymentMethodType = z.infer<typeof paymentMethodType>

/** The states of a payment method (contract: Payment method status). */
export const paymentMethodStatuses = ['ACTIVE', 'INACTIVE', 'CANCELED'] as const

/** Which sub-object a type has; a card has exactly one of its two (contract: Payment method). */
export const subObjectsOfType = {
  CARD: ['card', 'secured_credit_card'],
  BANK_ACCOUNT: ['bank_account'],
  LOAN: ['loan'],
} as const satisfies Record<PaymentMethodType, readonly string[]>

/** A card number: digits only. Which numbers a state document may hold is decided where it is read. */
export const pan = z.string().regex(/^\d{12,19}$/, 'must be 12 to 19 digits')

const lastFour = z.string().regex(/^\d{4}$/, 'must be 4 digits')
const expiryMonth = z.string().regex(/^(0[1-9]|1[0-2])$/, 'must be two digits from 01 to 12')
const expiryYear = z.string().regex(/^\d{4}$/, 'must be 4 digits')

const pciDetails = z.strictObject({
  pan: pan.optional(),
  exp_month: expiryMonth.optional(),
  exp_year: expiryYear.optional(),
  cvv: z
    .string()
    .regex(/^\d{3,4}$/, 'must be 3 or 4 digits')
    .optional(),
})

const cardToken = z.strictObject({
  type: documented(z.string().optional(), { 'x-assumption': 'payment_method_values' }),
  token: z.string().optional(),
  created_at: timestamp.optional(),
  updated_at: timestamp.optional(),
  expires_at: timestamp.optional(),
  pan_reference_id: z.string().optional(),
})

/** The shape of `card` and of `secured_credit_card`. */
export const card = documented(
  z.strictObject({
    last4: lastFour,
    network: documented(z.string().optional(), { 'x-assumption': 'payment_method_values' }),
    card_type: documented(z.string().optional(), { 'x-assumption': 'payment_method_values' }),
    card_design_id: z.string().optional(),
    exp_month: expiryMonth.optional(),
    exp_year: expiryYear.optional(),
    pci_details: documented(pciDetails.optional(), {
      description: 'Left out when the key lacks the scope.',
      'x-requires-scope': 'PCI_DETAILS_READ',
    }),
    tokens: z.array(cardToken).optional(),
  }),
  { id: 'Card', description: 'A card, secured or not.', 'x-assumption': 'payment_method_fields' },
)

const bankAccount = documented(
  z.strictObject({
    last4: lastFour,
    routing_number: z.string().optional(),
    bank_name: z.string().optional(),
    account_type: documented(z.string().optional(), { 'x-assumption': 'payment_method_values' }),
  }),
  { id: 'BankAccount', description: 'A bank account.', 'x-assumption': 'payment_method_fields' },
)

const loan = documented(
  z.strictObject({
    amount: minorUnits.optional(),
    term_months: z.int('must be an integer').optional(),
    currency: currencyCode.optional(),
    remaining_balance: minorUnits.optional(),
    apr: decimalString.optional(),
    loan_status: documented(z.string().optional(), { 'x-assumption': 'payment_method_values' }),
  }),
  { id: 'Loan', description: 'A loan.', 'x-assumption': 'payment_method_fields' },
)

/** A card, a secured credit card, a bank account or a loan of a customer (contract: Payment method). */
export const paymentMethod = documented(
  z.strictObject({
    id,
    type: paymentMethodType,
    customer_id: id,
    created_at: timestamp,
    status: z.enum(paymentMethodStatuses),
    metadata: metadata.optional(),
    card: card.optional(),
    secured_credit_card: card.optional(),
    bank_account: bankAccount.optional(),
    loan: loan.optional(),
    updated_at: timestamp.optional(),
  }),
  {
    id: 'PaymentMethod',
    description: 'A payment method; it has the one sub-object of its kind.',
    oneOf: Object.values(subObjectsOfType).flatMap((names) => names.map((name) => ({ required: [name] }))),
  },
)

export type PaymentMethod = z.infer<typeof paymentMethod>
