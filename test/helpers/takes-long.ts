// More time for the tests of a file.
import { vi } from 'vitest'

/**
 * For files of which some test took more than 5 s where three runs of all tests shared two cores: on a machine that is
 * four times slower it would come near the usual 20 s. Called before the tests; vitest takes it back after the file.
 */
export function takesLong(): void {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
}
