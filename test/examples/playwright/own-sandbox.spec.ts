import { expect, test } from 'partner-rewards-sandbox/playwright'

test.use({
  sandboxOptions: {
    clock: '2027-01-15T12:00:00Z',
    frozen: true,
    webhooks: 'standard',
    fixtures: {
      customers: [{ id: 'cus_1' }],
      rewards: [{ id: 'rwd_1', customer_id: 'cus_1', amount: 100, currency: 'USD', status: 'PENDING' }],
    },
  },
})

test('a sandbox of our own', async ({ api, workspace }) => {
  const answer = await api.get('/v2/customers')
  expect(await answer.json()).toMatchObject({ data: [{ id: 'cus_1' }], total: 1 })
  expect(workspace.clock.now()).toBe('2027-01-15T12:00:00.000Z')
})

test('a drain after a call counts its event', async ({ api, workspace }) => {
  workspace.webhooks.add({ handler: () => new Response(null, { status: 204 }) })
  await expect(await api.patch('/v2/rewards/rwd_1', { data: { status: 'AVAILABLE' } })).toBeOK()
  expect(await workspace.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
})
