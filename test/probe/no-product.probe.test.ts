// A partnership that wants a product with every key, and a target that has none to name.
import { expect, it } from 'vitest'
import { conform } from '../../src/probe/conform.ts'
import { probedSandbox } from '../helpers/probed-sandbox.ts'
import { testMachine } from '../helpers/probing.ts'

it.each([
  ['names them', {}, 'observed'],
  ['names none', { merchant_keys: [] }, 'not observed'],
])('a target that %s -> nothing is broken', async (_, change, outcome) => {
  const assume = {
    merchant_key_required: 'partnership_of_several_products',
    missing_merchant_key_status: 400,
  }
  const { sandbox, target } = await probedSandbox(assume)
  try {
    const { summary, points } = await conform({ ...target, ...change }, {}, testMachine())
    expect(summary.broken).toBe(0)
    const reported = points.filter(({ why }) => why?.endsWith('add merchant_keys to the target'))
    expect(reported.length > 10).toBe(outcome === 'not observed')
  } finally {
    await sandbox.close()
  }
})
