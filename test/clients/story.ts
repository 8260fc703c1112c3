/**
 * What a partner's program does in a day's work, and what it must come to see; every client tells it in its own
 * language, as JSON of this shape.
 */
export interface Story {
  /** The customer that now has the partner's identifier, and the ones found by it. */
  linked: { id: string; partner_customer_id: string }
  found: string[]
  /** The intent as it was created, and whether reading it gives the same. */
  intent: { amount: number; currency: string; status: string }
  read_back: boolean
  /** The balance before and after a reward is settled. */
  balances: [number, number]
  settled: { id: string; status: string }
  /** How many rows each page had, and how many different rows that makes: by token, and by id. */
  statements: Walk
  customers: Walk
  /** One refusal of each shape of errors. */
  refused: {
    a: { status: number; details: string[] }
    b: { status: number; type: string }
    c: { status: number; type: string; param: string }
  }
  /** The answers to the attempts of a limited call, and the seconds that it was told to wait. */
  attempts: { status: number; retry_after: string | null }[]
}

export interface Walk {
  pages: number[]
  different: number
}

/** Facts for every client, on the built-in fixtures. */
export const reportedStory: Story = {
  linked: { id: 'cus_ben', partner_customer_id: 'crm/4711 &+%' },
  found: ['cus_ben'],
  intent: { amount: 1250, currency: 'USD', status: 'CONFIRMED' },
  read_back: true,
  balances: [29_590, 29_842],
  settled: { id: 'rwd_ada_pending', status: 'AVAILABLE' },
  statements: { pages: [10, 10, 7], different: 27 },
  customers: { pages: [10, 10, 6], different: 26 },
  refused: {
    a: { status: 400, details: ['body: amount or status is required'] },
    b: { status: 400, type: 'BAD_REQUEST_ERROR' },
    c: { status: 404, type: 'TRANSACTION_INTENT_FOUND_ERROR', param: 'intent_id' },
  },
  attempts: [
    { status: 429, retry_after: '1' },
    { status: 429, retry_after: '1' },
    { status: 200, retry_after: null },
  ],
}
