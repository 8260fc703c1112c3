/** The time of a test's sandbox, and of the sandbox whose answers pages show. It has a file without vitest for the generators of pages. */
export const testNow = '2026-11-21T12:00:00.000Z'
