// A run that sandboxes join, and its tally.
import { onTestFinished, vi } from 'vitest'
import type { SandboxOptions } from '../../../src/options/index.ts'
import {
  createRunFolder,
  readReports,
  removeRunFolder,
  runVariable,
} from '../../../src/sandbox/runs/run-folder.ts'
import { RunTally } from '../../../src/sandbox/runs/run-tally.ts'

/** A run that the sandboxes of a test join. */
export async function runOf(options: SandboxOptions = {}, journal = false): Promise<string> {
  const folder = await createRunFolder({ options, journal })
  onTestFinished(() => removeRunFolder(folder))
  vi.stubEnv(runVariable, folder)
  return folder
}

export async function tallyOf(folder: string): Promise<RunTally> {
  const tally = new RunTally()
  for await (const { name, line } of readReports(folder)) tally.addReported(name, line)
  return tally
}
