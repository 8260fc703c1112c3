// 100 tests with the kit, as a user writes them. The figure runs this file in a project that has installed the package.
// @ts-nocheck -- only that project has the package
import { test } from 'partner-rewards-sandbox/vitest'
import { fiveCalls } from './five-calls.mjs'

for (let at = 0; at < 100; at++) {
  test(`test ${at}`, async ({ workspace }) => {
    await fiveCalls(workspace.fetch)
  })
}
