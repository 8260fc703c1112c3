// Generates payment methods: a card first, then perhaps the one it replaced, a bank account, a loan.
import type { Row } from '../store/rows.ts'
import { rfc3339 } from '../runtime/rfc3339.ts'
import { currentCards, type TestCard } from '../secrets/cards.ts'
import { day, endOfHistory, later, sometime, type CustomerContext } from './generation-context.ts'

type PaymentMethod = Row<'payment_methods'>
type Card = NonNullable<PaymentMethod['card']>

export function makePaymentMethods(making: CustomerContext): PaymentMethod[] {
  const { random } = making
  const methods: PaymentMethod[] = [makeCard(making)]
  if (random.percent(12)) methods.push(makeReplacedCard(making))
  if (random.percent(45)) methods.push(makeBankAccount(making))
  if (random.percent(10)) methods.push(makeLoan(making))
  return methods.map((method, index) => ({ ...method, id: `pm_${making.number}_${index + 1}` }))
}

/** The common fields, in the order of the schema; the id is assigned at the end. */
function common<T extends PaymentMethod['type']>(
  { customerId }: CustomerContext,
  type: T,
  createdAt: string,
  status: PaymentMethod['status'] = 'ACTIVE',
): { id: string; type: T; customer_id: string; created_at: string; status: PaymentMethod['status'] } {
  return { id: '', type, customer_id: customerId, created_at: createdAt, status }
}

function makeCard(making: CustomerContext): PaymentMethod {
  const { random, since, accountId } = making
  const createdAt = rfc3339(since + random.integer(1, 72) * 3_600_000)
  const inUse = random.percent(92)
  const about = common(making, 'CARD', createdAt, inUse ? 'ACTIVE' : 'INACTIVE')
  const card = cardDetails(making, createdAt, random.pick(usedCards), random.integer(2027, 2031))
  const updated = random.percent(30) ? { updated_at: later(making, createdAt) } : {}
  return random.percent(12)
    ? { ...about, secured_credit_card: card, ...updated, account_id: accountId }
    : { ...about, card, ...updated, account_id: accountId }
}

function makeReplacedCard(making: CustomerContext): PaymentMethod {
  const { random, since, accountId } = making
  const createdAt = rfc3339(since + 3_600_000)
  const card = cardDetails(making, createdAt, random.pick(usedCards), random.integer(2025, 2027), 0)
  const about = common(making, 'CARD', createdAt, 'CANCELED')
  return { ...about, card, updated_at: later(making, createdAt), account_id: accountId }
}

const [firstCard = { pan: '', network: '' }, ...moreCards] = currentCards
const usedCards: readonly [TestCard, ...TestCard[]] = [firstCard, ...moreCards]

function cardDetails(
  making: CustomerContext,
  createdAt: string,
  { pan, network }: TestCard,
  year: number,
  tokenChance = 30,
): Card {
  const { random, product } = making
  const month = String(random.integer(1, 12)).padStart(2, '0')
  const expiry = { exp_month: month, exp_year: String(year) }
  const hasTokens = random.percent(tokenChance)
  return {
    last4: pan.slice(-4),
    network,
    card_type: random.pick(['PHYSICAL', 'PHYSICAL', 'PHYSICAL', 'VIRTUAL', 'UNIFIED']),
    card_design_id: `design_${product.merchant_key}_${random.integer(1, 3)}`,
    ...expiry,
    pci_details: { pan, ...expiry, cvv: random.digits(network === 'AMEX' ? 4 : 3) },
    ...(hasTokens ? { tokens: makeTokens(making, createdAt, year, month) } : {}),
  }
}

function makeTokens(
  making: CustomerContext,
  createdAt: string,
  year: number,
  month: string,
): NonNullable<Card['tokens']> {
  const { random, number } = making
  const first = random.integer(0, 3)
  const kinds = ['ADYEN', 'APPLE_WALLET', 'CYBERSOURCE', 'WORLDPAY'].slice(first, first + 2)
  return kinds.map((type, index) => ({
    type,
    token: `tok_${number}_${index + 1}`,
    ...tokenDates(making, createdAt),
    expires_at: rfc3339(Date.UTC(year, Number(month), 1) - 1000),
    pan_reference_id: `panref_${number}_${random.digits(6)}`,
  }))
}

function tokenDates(making: CustomerContext, createdAt: string): { created_at: string; updated_at: string } {
  const created = later(making, createdAt)
  return { created_at: created, updated_at: created }
}

function makeBankAccount(making: CustomerContext): PaymentMethod {
  const { random } = making
  return {
    ...common(making, 'BANK_ACCOUNT', sometime(making)),
    bank_account: {
      last4: random.digits(4),
      routing_number: '110000000',
      bank_name: random.pick(['First Sandbox Bank', 'Prairie Community Bank', 'Harborside Credit Union']),
      account_type: random.percent(75) ? 'CHECKING' : 'SAVINGS',
    },
  }
}

function makeLoan(making: CustomerContext): PaymentMethod {
  const { random, since } = making
  const term = random.pick([12, 24, 36, 48, 60])
  const amount = random.integer(10, 300) * 10_000
  const createdAt = sometime(making)
  const months = Math.floor((endOfHistory - Math.max(Date.parse(createdAt), since)) / (30 * day))
  // Repaid in equal monthly instalments.
  const remaining = Math.max(0, amount - Math.floor(amount / term) * Math.min(months, term))
  return {
    ...common(making, 'LOAN', createdAt),
    loan: {
      amount,
      term_months: term,
      currency: 'USD',
      remaining_balance: months >= term ? 0 : remaining,
      apr: `${random.integer(5, 24)}.${random.digits(2)}`,
      loan_status: months >= term ? 'CLOSED' : 'ACTIVE',
    },
  }
}
