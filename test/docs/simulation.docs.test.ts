// The table of docs/simulation.md, run from top to bottom as a reader does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { asking } from '../helpers/asking.ts'

const page = readFileSync(join(packageRoot(), 'docs/simulation.md'), 'utf8')
const [, table = ''] = /<!-- life -->\n([\s\S]*?)<!-- \/life -->/.exec(page) ?? []

const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** The words of a command line, without the quotes of a shell. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

it('the table of the life of a purchase: each command changes what it says, with these events', async () => {
  const { sandbox, ask } = await asking({}, { webhooks: 'standard' })
  const ids = new Map<string, string>()
  let seen = 0
  for (const [, step, command = '', changes, events = '', balance] of rows) {
    const words = wordsOf(
      command.replaceAll('`', '').replaceAll(/\b(TXN|CAPTURE)\b/g, (name) => ids.get(name) ?? name),
    )
    sandbox.clock.advance({ seconds: 5 })
    const { code, stdout, stderr } = await ask([...words, '--format', 'json'])
    expect([step, code, stderr]).toEqual([step, 0, ''])
    const made = JSON.parse(stdout)
    if (made.transaction && !ids.has('TXN')) ids.set('TXN', made.transaction.id)
    if (made.event?.status === 'CAPTURED' && !ids.has('CAPTURE')) ids.set('CAPTURE', made.event.id)

    const all = sandbox.events.list().toReversed()
    const own = all.slice(seen)
    seen = all.length
    expect([step, own.map(({ type }) => `\`${type}\``).join(', ')]).toEqual([step, events])
    const told = own.flatMap(({ type, data }) => {
      if (type.startsWith('transaction.')) return [`the transaction is ${data['status']}: ${data['amount']}`]
      if (type === 'statement.created')
        return [`purchases of ${data['purchases']}, refunds of ${data['refunds']}`]
      return [`a reward of ${data['amount']} is ${data['status']}`]
    })
    const { json } = await sandbox.call('GET', '/v2/customers/cus_ada/rewards_balance')
    expect([step, told.join('; '), json.reward_balance]).toEqual([step, changes, Number(balance)])
  }
  expect(rows.length).toBeGreaterThan(6)
})
