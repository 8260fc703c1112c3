// Sandboxes under `--isolation partner`, and a key that ends while a call is answered.
import { expect, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import type { SandboxOptions } from '../../src/options/index.ts'
import { ask, bearer, operator, partnerOptions } from '../helpers/partners.ts'

/** A sandbox of partners, closed when the test ends. */
export async function apart(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ ...partnerOptions, ...options })
  onTestFinished(() => sandbox.close())
  return sandbox
}

export const make = async (sandbox: Sandbox, body: object = { name: 'acme' }) =>
  ask(sandbox, 'POST', '/_sandbox/workspaces', operator, body)

/** Rotates the keys of a workspace at each moment of a call to its control plane. */
export async function expectRefusedUnderWay(method: string, path: string, body?: unknown): Promise<void> {
  const sandbox = await apart()
  let refused = 0
  for (let moment = 0; ; moment++) {
    const { json: made } = await make(sandbox, { name: `p${moment}` })
    let isOver = false
    const asking = ask(sandbox, method, `/_sandbox${path}`, bearer(made.admin_token), body)
    void asking.finally(() => (isOver = true))
    for (let turn = 0; turn < moment; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (isOver) break
    await sandbox.workspaces.rotate(`p${moment}`)
    const workspace = sandbox.workspace(`p${moment}`)
    workspace.state.put('customers', 'cus_of_the_next', { product: 'mk_summit' })
    const seen = async (): Promise<unknown> => [workspace.state.document(), await workspace.scenarios.list()]
    const before = seen()
    // Actions before the keys were revoked may be reported afterwards.
    const { status, text } = await asking
    if (status === 401) refused += 1
    expect(text.includes('cus_of_the_next')).toBe(false)
    expect(await seen()).toEqual(await before)
  }
  expect(refused).toBeGreaterThan(0)
}
