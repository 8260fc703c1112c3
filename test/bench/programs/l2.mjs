// L2, the reference of the speed budget: an app that a good engineer would write by hand for the same calls, with Hono,
// zod, a bearer key, a version header and Maps, and nothing else: node l2.mjs ROWS KEY [PORT], where ROWS is a JSON file
// with `rewards` and `customers`.
// @ts-nocheck -- written plainly, as such apps are
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
const [, , seedFile, apiKey, port = '0'] = process.argv

class Table {
  rows = []
  pos = new Map()
  idx = new Map()
  constructor(key) {
    this.key = key
  }
  add(o) {
    this.pos.set(o.id, this.rows.push(o) - 1)
    if (this.key) {
      const k = o[this.key]
      const a = this.idx.get(k)
      if (a) a.push(o)
      else this.idx.set(k, [o])
    }
  }
  get(id) {
    const p = this.pos.get(id)
    return p === undefined ? undefined : this.rows[p]
  }
  page(after, limit) {
    const s = after === undefined ? 0 : (this.pos.get(after) ?? -2) + 1
    if (s < 0) return null
    return {
      data: this.rows.slice(s, s + limit),
      has_more: s + limit < this.rows.length,
      total: this.rows.length,
    }
  }
}
const T = { rewards: new Table(), customers: new Table('partner_customer_id'), intents: new Table() }
if (seedFile) {
  const s = JSON.parse(readFileSync(seedFile, 'utf8'))
  for (const r of s.rewards ?? []) T.rewards.add(r)
  for (const c of s.customers ?? []) T.customers.add(c)
}
const keys = new Map([[apiKey, { scopes: new Set(['TRANSACTION_INTENT_WRITE', 'TRANSACTION_INTENT_READ']) }]])
const str = z.string()
const Addr = z.object({
  street_line1: str.optional(),
  street_line2: str.optional(),
  city: str.optional(),
  state: str.optional(),
  postal_code: str.optional(),
  country: str.optional(),
})
const Intent = z.object({
  customer_id: str.min(1),
  amount: z.int(),
  currency: str.regex(/^[A-Z]{3}$/),
  payment_method_id: str.optional(),
  network_transaction_id: str.optional(),
  merchant_name: str.optional(),
  merchant_address: Addr.optional(),
  merchant_id: str.optional(),
  merchant_code: str.optional(),
  expected_date: z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional(),
  metadata: z.record(str, z.unknown()).optional(),
})
const Query = z.object({
  partner_customer_id: str.regex(/^[\x20-\x7e]{1,128}$/).optional(),
  starting_after: str.optional(),
  limit: z.coerce.number().int().min(1).optional(),
})
const app = new Hono()
const nf = (c, type, param) => c.json({ type, message: 'not found', param }, 404)
app.use('/v2/*', async (c, next) => {
  const a = c.req.header('authorization')
  let k
  if (a?.startsWith('Bearer ')) k = keys.get(a.slice(7))
  else if (a?.startsWith('Basic ')) k = keys.get(atob(a.slice(6)).split(':')[0])
  if (!k) return c.json({ error: { type: 'UNAUTHORIZED', message: 'invalid credentials' } }, 401)
  c.set('key', k)
  const v = c.req.header('x-service-version') ?? '2025-05-05'
  if (v !== '2025-05-05' && v !== '2026-10-13' && v !== 'latest')
    return c.json({ error: { type: 'BAD_REQUEST_ERROR', message: 'version' } }, 400)
  c.header('x-service-version', v)
  await next()
})
app.get('/v2/rewards/:id', (c) => {
  const r = T.rewards.get(c.req.param('id'))
  return r ? c.json(r) : nf(c, 'REWARD_NOT_FOUND_ERROR', 'reward_id')
})
app.get('/v2/customers', (c) => {
  const q = Query.safeParse(c.req.query())
  if (!q.success)
    return c.json(
      {
        error: 'Bad Request',
        status: 400,
        path: c.req.path,
        details: q.error.issues.map((i) => i.path.join('.') + ' ' + i.message),
        timestamp: new Date().toISOString(),
      },
      400,
    )
  const { partner_customer_id: p, starting_after, limit } = q.data
  if (p !== undefined) {
    const d = T.customers.idx.get(p) ?? []
    return c.json({ data: d, has_more: false, total: d.length })
  }
  const page = T.customers.page(starting_after, limit ?? 100)
  return page ? c.json(page) : nf(c, 'BAD_CURSOR', 'starting_after')
})
app.get('/v2/customers/:id', (c) => {
  const r = T.customers.get(c.req.param('id'))
  return r ? c.json(r) : nf(c, 'CUSTOMER_NOT_FOUND_ERROR', 'customer_id')
})
let n = 0
app.post('/v2/transaction_intents', async (c) => {
  if (!c.get('key').scopes.has('TRANSACTION_INTENT_WRITE'))
    return c.json({ error: { type: 'FORBIDDEN', message: 'scope' } }, 403)
  const b = Intent.safeParse(await c.req.json())
  if (!b.success)
    return c.json(
      {
        error: 'Bad Request',
        status: 400,
        details: b.error.issues.map((i) => i.path.join('.') + ' ' + i.message),
      },
      400,
    )
  const d = b.data
  if (!T.customers.get(d.customer_id)) return nf(c, 'CUSTOMER_NOT_FOUND_ERROR', 'customer_id')
  const o = {
    id: `ti_${++n}`,
    customer_id: d.customer_id,
    amount: d.amount,
    currency: d.currency,
    status: 'CONFIRMED',
    created_at: new Date().toISOString(),
    payment_method_id: d.payment_method_id,
    network_transaction_id: d.network_transaction_id,
    metadata: d.metadata ?? {},
  }
  T.intents.add(o)
  return c.json(o)
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, (address) => {
  process.stdout.write(`L2 listening on http://127.0.0.1:${address.port}\n`)
})
