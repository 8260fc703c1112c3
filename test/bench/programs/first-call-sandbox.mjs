// From the import of the library to its first answer in process: node first-call-sandbox.mjs LIBRARY, asked once over IPC.
import { authorization } from '../lib/fixtures.mjs'

const [, , library = ''] = process.argv
const started = performance.now()
/** @type {{ createSandbox: () => Promise<any> }} */
const { createSandbox } = await import(library)
const sandbox = await createSandbox()
const answer = await sandbox.fetch('/v2/rewards/rwd_ada_pending', { headers: { authorization } })
const { id } = await answer.json()
const milliseconds = performance.now() - started
if (id !== 'rwd_ada_pending') throw new Error(`the call answered ${answer.status}`)

process.on('message', () => process.send?.({ milliseconds }))
process.on('disconnect', () => process.exit())
