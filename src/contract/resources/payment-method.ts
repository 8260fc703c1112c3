// A payment method of a customer: card, secured credit card, bank account or loan (contract: Payment method).
import { z } from 'zod'
import type { Assumptions } from '../assumptions.ts'
import { documented, presentByRule, type InForce } from '../docs.ts'
import { currencyCode, decimalString, id, integer, metadata, minorUnits, timestamp } from '../formats.ts'

export const paymentMethodTypes = ['CARD', 'BANK_ACCOUNT', 'LOAN'] as const
export const paymentMethodType = z.enum(paymentMethodTypes)
export type PaymentMethodType = z.infer<typeof paymentMethodType>

/** The states of a payment method (contract: Payment method status). */
export const paymentMethodStatuses = ['ACTIVE', 'INACTIVE', 'CANCELED'] as const

/** The sub-objects of each type; a card has exactly one of its two (contract: Payment method). */
export const subObjectsOfType = {
  CARD: ['card', 'secured_credit_card'],
  BANK_ACCOUNT: ['bank_account'],
  LOAN: ['loan'],
} as const satisfies Record<PaymentMethodType, readonly string[]>

/** The fields of each type's sub-object that every answer has, by assumption `payment_method_fields`. */
export const alwaysPresent = {
  CARD: ['last4'],
  BANK_ACCOUNT: ['last4', 'routing_number', 'bank_name'],
  LOAN: ['amount', 'term_months'],
} as const satisfies Record<PaymentMethodType, readonly string[]>

/** The same for a token of a card. */
export const alwaysInToken = ['type', 'token', 'created_at', 'updated_at'] as const

const subObjects = Object.values(subObjectsOfType).flat()

/** A card number: digits only. The reader of a state document decides which numbers it may hold. */
export const pan = z.string().regex(/^\d{12,19}$/, 'must be 12 to 19 digits')

const lastFour = z.string().regex(/^\d{4}$/, 'must be 4 digits')
const expiryMonth = z.string().regex(/^(0[1-9]|1[0-2])$/, 'must be two digits from 01 to 12')
const expiryYear = z.string().regex(/^\d{4}$/, 'must be 4 digits')

const cardYear = z.string().regex(/^(\d{2}){1,2}$/, 'must be 2 or 4 digits')

const pciDetails = z.strictObject({
  pan: pan.optional(),
  exp_month: expiryMonth.optional(),
  exp_year: cardYear.optional(),
  cvv: z
    .string()
    .regex(/^\d{3,4}$/, 'must be 3 or 4 digits')
    .optional(),
})

/** Requires fields in answers under the default of the assumption about them. */
const requiring =
  (...required: string[]): InForce =>
  ({ payment_method_fields }) => ({ required: payment_method_fields === 'documented' ? required : [] })

const cardToken = documented(
  z.strictObject({
    type: z.string().optional(),
    token: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
    expires_at: timestamp.optional(),
    pan_reference_id: z.string().optional(),
  }),
  {},
  requiring(...alwaysInToken),
)

/** The shape of `card` and of `secured_credit_card`. */
export const card = documented(
  z.strictObject({
    last4: lastFour,
    network: documented(z.string().optional(), { description: 'Such as VISA, MASTERCARD or AMEX.' }),
    card_type: documented(z.string().optional(), { description: 'Such as PHYSICAL, VIRTUAL or UNIFIED.' }),
    card_design_id: z.string().optional(),
    exp_month: expiryMonth.optional(),
    exp_year: expiryYear.optional(),
    pci_details: documented(pciDetails.optional(), {
      description: 'Omitted if the key lacks the scope.',
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
    account_type: documented(z.string().optional(), { description: 'Such as CHECKING or SAVINGS.' }),
  }),
  { id: 'BankAccount', description: 'A bank account.', 'x-assumption': 'payment_method_fields' },
  requiring(...alwaysPresent.BANK_ACCOUNT.slice(1)),
)

const loan = documented(
  z.strictObject({
    amount: minorUnits.optional(),
    term_months: integer.optional(),
    currency: currencyCode.optional(),
    remaining_balance: minorUnits.optional(),
    apr: decimalString.optional(),
    loan_status: documented(z.string().optional(), {
      description: 'Such as PENDING, APPROVED, ACTIVE or CLOSED.',
    }),
  }),
  { id: 'Loan', description: 'A loan.', 'x-assumption': 'payment_method_fields' },
  requiring(...alwaysPresent.LOAN),
)

/** A payment method has exactly one sub-object, which matches its type. */
const kinds = Object.entries(subObjectsOfType).flatMap(([type, names]) =>
  names.map((name) => ({
    title: name,
    properties: {
      type: { const: type },
      ...Object.fromEntries(subObjects.filter((other) => other !== name).map((other) => [other, false])),
    },
    required: [name],
  })),
)

const exampleHead = {
  customer_id: 'cus_ada',
  created_at: '2025-03-02T15:04:05.000Z',
  status: 'ACTIVE',
  metadata: { nickname: 'daily' },
  updated_at: '2026-11-20T09:30:00.000Z',
}
/** The card as a key without PCI_DETAILS_READ sees it. */
const exampleCard = {
  last4: '4242',
  network: 'VISA',
  card_type: 'PHYSICAL',
  card_design_id: 'design_summit_blue',
  exp_month: '08',
  exp_year: '2029',
  tokens: [
    {
      type: 'APPLE_WALLET',
      token: 'tok_5q8d2m',
      created_at: '2025-03-05T10:00:00.000Z',
      updated_at: '2025-03-05T10:00:00.000Z',
      expires_at: '2029-08-31T23:59:59.000Z',
      pan_reference_id: 'V-0123456789',
    },
  ],
}
const examplePciDetails = { pan: '4242424242424242', exp_month: '08', exp_year: '2029', cvv: '123' }

const describe = <S extends z.ZodObject>(schema: S): S =>
  documented(schema, {
    id: 'PaymentMethod',
    description: 'A payment method; it has the one sub-object of its kind.',
    oneOf: kinds,
    examples: [
      {
        ...exampleHead,
        id: 'pm_ada_card',
        type: 'CARD',
        card: { ...exampleCard, pci_details: examplePciDetails },
      },
      { ...exampleHead, id: 'pm_ada_secured', type: 'CARD', secured_credit_card: exampleCard },
      {
        ...exampleHead,
        id: 'pm_ada_bank',
        type: 'BANK_ACCOUNT',
        bank_account: {
          last4: '6789',
          routing_number: '110000000',
          bank_name: 'First Harbor Bank',
          account_type: 'CHECKING',
        },
      },
      {
        ...exampleHead,
        id: 'pm_ada_loan',
        type: 'LOAN',
        loan: {
          amount: 1500000,
          term_months: 36,
          currency: 'USD',
          remaining_balance: 987500,
          apr: '7.49',
          loan_status: 'ACTIVE',
        },
      },
    ],
  })

/** A payment method with the fields of its row. */
export const sparsePaymentMethod = describe(
  z.strictObject({
    id,
    type: paymentMethodType,
    customer_id: id,
    created_at: timestamp,
    status: documented(z.enum(paymentMethodStatuses), { 'x-assumption': 'payment_method_transitions' }),
    metadata: metadata.optional(),
    card: presentByRule(card.optional()),
    secured_credit_card: presentByRule(card.optional()),
    bank_account: presentByRule(bankAccount.optional()),
    loan: presentByRule(loan.optional()),
    updated_at: timestamp.optional(),
  }),
)

/** A payment method with metadata, which are empty if its row has none. */
export const paymentMethod = describe(
  sparsePaymentMethod.extend({
    metadata: documented(metadata.default({}), { 'x-assumption': 'payment_method_fields' }),
  }),
)

/** Returns the schema of a payment method in an answer, by assumption `payment_method_fields`. */
export const paymentMethodIn = ({
  payment_method_fields: fields,
}: Assumptions): typeof paymentMethod | typeof sparsePaymentMethod =>
  fields === 'documented' ? paymentMethod : sparsePaymentMethod
