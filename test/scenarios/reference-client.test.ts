import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { describeDays, runs } from './reference-days.ts'

describeDays('in process')

test('the table has every scenario of the catalogue that changes answers', async () => {
  await using sandbox = await createSandbox()
  const names = (await sandbox.scenarios.list())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('event-'))
  expect([...new Set(runs.map(({ scenario }) => scenario))].toSorted()).toEqual(names.toSorted())
})
