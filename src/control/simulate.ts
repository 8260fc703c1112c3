// Simulations over HTTP, /_sandbox/simulate: a network transaction arrives, a statement closes.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'
import { readJson } from './read-body.ts'
import { sendJson } from './send-json.ts'

export const simulateTransaction: Noun = {
  path: '/_sandbox/simulate/transaction',
  answers: { POST: answers.simulatedTransaction },
  about: 'POST {intent_id}, or customer_id, amount, currency, merchant_name: a network transaction arrives',
  library: { POST: 'simulate.transaction' },
  methods: {
    POST: async (_verbs, c, { simulate }) => sendJson(simulate.own.transaction(await readJson(c)), 201),
  },
}

export const simulateStatement: Noun = {
  path: '/_sandbox/simulate/statement',
  answers: { POST: answers.simulatedStatement },
  about: 'POST {account_id}: its cycle closes and becomes the newest statement',
  library: { POST: 'simulate.statement' },
  methods: {
    POST: async (_verbs, c, { simulate }) => sendJson(simulate.own.statement(await readJson(c)), 201),
  },
}
