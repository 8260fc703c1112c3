// Calls to a sandbox by path and init.
import { fullKey, type Answered } from '../helpers/sandbox.ts'

export const withKey = { headers: { authorization: `Bearer ${fullKey}` } }

export const newIntent: RequestInit = {
  method: 'POST',
  headers: { ...withKey.headers, 'content-type': 'application/json' },
  body: JSON.stringify({ customer_id: 'cus_ada', amount: 100, currency: 'USD' }),
}

export async function bodyOf(answer: Promise<Response> | Response): Promise<Answered['json']> {
  return (await answer).json()
}
