// The file that lists everything a run creates or changes: a line before each such request, and one with the id after
// its answer.
import { appendFile } from 'node:fs/promises'
import type { RiskClass } from './probe.ts'

/** One line. */
export interface MadeLine {
  run: string
  probe: string
  class: RiskClass
  method: string
  path: string
  /** After its answer. */
  id?: string
}

/** Receives the lines; the request waits until the line is written. */
export interface Made {
  note(line: MadeLine): Promise<void>
}

/** Appends to a file, which is created with the first line, readable by its owner only. */
export function madeFile(path: string): Made {
  return {
    // Flushed to the disk before the request is sent: a crash must not lose what the user has to clean up.
    note: (line) => appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true }),
  }
}
