/**
 * For `vi.waitFor` and `vi.waitUntil`, whose usual patience of a second ends before what they wait for has come where
 * many tests share few cores. Whoever waits in vain is told before the test times out.
 */
export const patient = { timeout: 15_000 }
