import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { partnerProject, runNode, saveFile } from '../helpers/partner-project.ts'

const page = readFileSync(join(packageRoot(), 'docs', 'library.md'), 'utf8')
const section = /## Mount it below a path\n[\s\S]*?(?=\n## )/.exec(page)?.[0] ?? ''
const [ofHono = '', ofVite = '', ofNext = ''] = blocksOf(section).map(({ code }) => code)

/** Calls a mounted sandbox through `call(path, init)`, and prints what comes back. */
const calls = `
  const headers = { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' }
  const body = JSON.stringify({ customer_id: 'cus_ada', amount: 4200, currency: 'USD' })
  const read = await call('/sandbox/v2/rewards/rwd_ada_pending', { headers })
  const created = await call('/sandbox/v2/transaction_intents', { method: 'POST', headers, body })
  const { id } = await created.json()
  const again = await call('/sandbox/v2/transaction_intents/' + id, { headers })
  const unknown = await call('/sandbox/v2/nothing', { headers })
  const statements = await call('/sandbox/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1', { headers })
  const [{ pdf_url }] = (await statements.json()).data
  const head = await call('/sandbox/v2/rewards/rwd_ada_pending', { method: 'HEAD', headers })
  console.log([read, created, again, unknown, head].map(({ status }) => status).join(' '), new URL(pdf_url).pathname.slice(0, 17))
`
const shown = '200 200 200 404 200 /sandbox/_sandbox\n'

async function project(files: Record<string, string>): Promise<string> {
  const folder = await partnerProject()
  for (const name of ['hono', '@hono', 'vite']) {
    await symlink(join(packageRoot(), 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const [name, text] of Object.entries(files)) await saveFile(folder, name, text)
  return folder
}

it('below another Hono app, served by its own adapter', async () => {
  const folder = await project({
    'app.js': ofHono,
    'call.js': `
      import { serve } from '@hono/node-server'
      import { app } from './app.js'
      serve({ fetch: app.fetch, port: 0 }, async ({ port }) => {
        const call = (path, init) => fetch('http://127.0.0.1:' + port + path, init)
        console.log(await (await call('/')).text())
        ${calls}
        process.exit()
      })
    `,
  })
  expect(await runNode(['call.js'], folder)).toEqual({ code: 0, output: `Your own page.\n${shown}` })
})

it('below a Vite dev server', async () => {
  const folder = await project({
    'vite.config.js': ofVite,
    'index.html': '<p>Your own page.</p>',
    'call.js': `
      import { createServer } from 'vite'
      const server = await createServer({ server: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
      await server.listen()
      const { port } = server.httpServer.address()
      const call = (path, init) => fetch('http://127.0.0.1:' + port + path, init)
      console.log((await (await call('/')).text()).includes('Your own page.'))
      ${calls}
      process.exit()
    `,
  })
  expect(await runNode(['call.js'], folder)).toEqual({ code: 0, output: `true\n${shown}` })
})

it('as a route handler of Next, called with what Next hands to one', async () => {
  const folder = await project({
    'route.js': ofNext,
    'call.js': `
      import * as handlers from './route.js'
      const call = (path, init = {}) =>
        handlers[init.method ?? 'GET'](new Request('http://localhost:3000' + path, init), {
          params: Promise.resolve({ path: path.split('/').slice(2) }),
        })
      ${calls}
    `,
  })
  expect(await runNode(['call.js'], folder)).toEqual({ code: 0, output: shown })
})
