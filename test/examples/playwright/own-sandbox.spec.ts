import { expect, test } from 'partner-rewards-sandbox/playwright'

test.use({
  sandboxOptions: { clock: '2027-01-15T12:00:00Z', frozen: true, fixtures: { customers: [{ id: 'cus_1' }] } },
})

test('a sandbox of our own', async ({ api, workspace }) => {
  const answer = await api.get('/v2/customers')
  expect(await answer.json()).toMatchObject({ data: [{ id: 'cus_1' }], total: 1 })
  expect(workspace.clock.now()).toBe('2027-01-15T12:00:00.000Z')
})
