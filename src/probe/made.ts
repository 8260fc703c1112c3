// The list of what a run makes or changes, in a file: a line before each such request, and one with the id once known.
import { appendFile } from 'node:fs/promises'
import type { RiskClass } from './probe.ts'

/** One line. */
export interface MadeLine {
  run: string
  probe: string
  class: RiskClass
  method: string
  path: string
  /** Once it is known. */
  id?: string
}

/** Takes the lines; the request waits until it is done. */
export interface Made {
  note(line: MadeLine): Promise<void>
}

/** Appends to a file, which is there from the first line on, for its owner only. */
export function madeFile(path: string): Made {
  return {
    // Kept by the disk before the request leaves: a crash must not lose what to clean up.
    note: (line) => appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true }),
  }
}
