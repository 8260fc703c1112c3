// A file of its own, without vitest, as the generators of pages import it.

/** The time of a test's sandbox, and of the sandbox whose answers pages show. */
export const testNow = '2026-11-21T12:00:00.000Z'
