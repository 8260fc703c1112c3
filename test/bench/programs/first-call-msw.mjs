// From the import of MSW to the first answer of a handler: node first-call-msw.mjs, asked once over IPC.
import { authorization } from '../lib/fixtures.mjs'

const started = performance.now()
const { http, HttpResponse } = await import('msw')
const { setupServer } = await import('msw/node')
const server = setupServer(
  http.get('https://partner.example/v2/rewards/:id', ({ params }) =>
    HttpResponse.json({ id: params['id'], customer_id: 'cus_ada', amount: 252, status: 'PENDING' }),
  ),
)
server.listen()
const answer = await fetch('https://partner.example/v2/rewards/rwd_ada_pending', {
  headers: { authorization },
})
const { id } = /** @type {{ id: string }} */ (await answer.json())
const milliseconds = performance.now() - started
if (id !== 'rwd_ada_pending') throw new Error(`the call answered ${answer.status}`)

process.on('message', () => process.send?.({ milliseconds }))
process.on('disconnect', () => process.exit())
