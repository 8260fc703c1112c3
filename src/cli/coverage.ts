import { CliError, exitCodes, type Io } from './io.ts'
import { sandboxUrl } from './health.ts'
import { writeResult } from './output.ts'
import type { FlagValues } from './settings.ts'

const patienceMs = 30_000

/** Prints which contract points a running sandbox saw exercised. */
export async function coverage(flags: FlagValues, io: Io): Promise<number> {
  const url = sandboxUrl(flags, io)
  const asked = new URLSearchParams()
  for (const name of ['format', 'workspace']) {
    const value = flags[name]
    if (typeof value === 'string') asked.set(name, value)
  }
  const answer = await fetch(`${url}/_sandbox/coverage?${asked.toString()}`, {
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => {
    const message = `error: no sandbox answers at ${url}: start one, or name it with --url`
    throw new CliError(message, exitCodes.unexpected)
  })
  const text = await answer.text()
  if (!answer.ok) throw new CliError(`error: ${url} refused: ${reasonOf(text)}`, exitCodes.unexpected)
  await writeResult([text], flags['output'], io)
  return exitCodes.fine
}

/** What the control plane says, or the text of whatever else answers there. */
function reasonOf(text: string): string {
  return /"message":\s*"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200)
}
