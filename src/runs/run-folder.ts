// The folder through which the sandboxes of a run report to it: the options of the run, and a file of each sandbox.
import { appendFileSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RuleRecord } from '../findings/sandbox-findings.ts'
import type { SandboxOptions } from '../options/index.ts'
import { stringify } from '../json/stringify.ts'
import { parseExact } from '../reading/parse-exact.ts'
import { isSystemError, packageVersion, uniqueName } from '../runtime/host.ts'
import type { CallRecord } from './call-record.ts'

/** The variable that names it to the programs of a run. */
export const runVariable = 'SANDBOX_RUN'

/** One line of a report, written by this package and read by the same one. */
export type ReportLine =
  /** A sandbox joined. */
  | { joined: true }
  | { call: CallRecord }
  | { rules: readonly RuleRecord[] }
  /** A sandbox of its own was started by this verb, whose calls are none of the run. */
  | { other: string }

/** What the sandboxes that join a run are told. */
export interface RunTerms {
  /** What they begin with. */
  options: SandboxOptions
  /** Whether the run writes a journal of its calls. */
  journal: boolean
}

const termsFile = 'run.json'
const reportEnd = '.jsonl'

/** Makes the folder of a run, for nobody but this user. */
export async function makeRunFolder(terms: RunTerms): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-rewards-run-'))
  await writeFile(join(folder, termsFile), JSON.stringify({ version: packageVersion(), ...terms }))
  return folder
}

export async function removeRunFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** The terms of a run; undefined when it is over, or of another version of this package, which reads other reports. */
export function termsOfRun(folder: string): RunTerms | undefined {
  const text = unlessOver(() => readFileSync(join(folder, termsFile), 'utf8'))
  if (text === undefined) return undefined
  const { version, ...terms } = JSON.parse(text) as RunTerms & { version: string }
  return version === packageVersion() ? terms : undefined
}

/**
 * A report of its own within a run. A line is written when the function returns: it is there also when the process is
 * killed then. Once the run is over nobody is told.
 */
export function openReport(folder: string): (line: ReportLine) => void {
  const file = join(folder, `${uniqueName()}${reportEnd}`)
  return (line) => unlessOver(() => appendFileSync(file, `${stringify(line)}\n`))
}

/** What was reported, report by report. A line that was being written when its process was killed is left out. */
export async function* readReports(folder: string): AsyncGenerator<{ name: string; lines: ReportLine[] }> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(reportEnd))
  for (const name of names.toSorted()) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1)
    yield { name, lines: lines.map((line) => parseExact(line, true) as ReportLine) }
  }
}

/** Tells the run of the surrounding command, where there is one, of a sandbox that is none of it. */
export function reportOther(env: Readonly<Record<string, string | undefined>>, verb: string): void {
  const folder = env[runVariable]
  if (folder) openReport(folder)({ other: verb })
}

function unlessOver<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}
