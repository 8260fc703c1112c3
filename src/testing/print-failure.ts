import type { Journaled } from './received-requests.ts'
import { whatItSaw } from './what-it-saw.ts'

/** Prints beside a failed test what the sandbox saw. Both runners show what a test writes together with the test. */
export function printFailure(workspace: Journaled): void {
  // oxlint-disable-next-line no-console -- this runs in the process of a test, whose console the runner collects
  console.error(whatItSaw(workspace))
}
