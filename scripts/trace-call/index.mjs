// Prints the files of src whose functions run for one warm call, in the order of their first function call:
//   npm run trace:call
// It adds a marker to each function in a build of the sources, as V8's coverage counts calls but has no order.
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { build } from 'tsdown'
import { marked } from './mark.mjs'

const root = join(import.meta.dirname, '../..')
const outDir = mkdtempSync(join(root, 'node_modules/.trace-call-'))

/** @type {Set<string>} */
let entered = new Set()
Object.assign(globalThis, { entered: (/** @type {string} */ file) => void entered.add(file) })

try {
  await build({
    entry: { index: join(root, 'src/index.ts') },
    cwd: root,
    config: false,
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    deps: { alwaysBundle: [/^(?!vitest$|@playwright\/test$)/], onlyBundle: false },
    dts: false,
    minify: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'mark-functions',
        transform: {
          order: 'pre',
          filter: { id: /\/src\/.*\.tsx?$/ },
          handler: (code, id) => marked(code, id.slice(join(root, 'src/').length)),
        },
      },
    ],
  })
  const { createSandbox } = await import(join(outDir, 'index.mjs'))
  const sandbox = await createSandbox()
  const { port } = await sandbox.listen()
  for (let call = 0; call < 20; call++) await createIntent(port)
  entered = new Set()
  await createIntent(port)
  process.stdout.write(`${[...entered].join('\n')}\n`)
  await sandbox.close()
} finally {
  rmSync(outDir, { recursive: true })
}

/** Creates an intent over HTTP, as a partner's client does. @param {number} port @returns {Promise<void>} */
function createIntent(port) {
  const headers = { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' }
  const body = JSON.stringify({ customer_id: 'cus_ada', amount: 4200, currency: 'USD' })
  return new Promise((resolve, reject) => {
    const path = '/v2/transaction_intents'
    const sent = request({ port, method: 'POST', path, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the call was answered ${answer.statusCode}, not 200`))
      answer.resume().on('end', resolve)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
