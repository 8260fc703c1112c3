import { createLog } from '../../src/cli/log.ts'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { quietIo } from './fake-io.ts'

/** Returns the log of `start` while `act` makes calls. */
export async function logOf(
  format: 'pretty' | 'json',
  act: (sandbox: Sandbox) => Promise<unknown>,
): Promise<string> {
  let printed = ''
  const io = quietIo({ stderr: (text) => void (printed += text) })
  const log = createLog(io, { quiet: false, format })
  await using sandbox = await createSandbox({}, { onAnswer: log.answer })
  await act(sandbox)
  log.flush()
  return printed
}

/** The events of a log as JSON, but for when they were; each has a time. */
export function eventsOf(log: string): object[] {
  return log
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { time, ...event } = JSON.parse(line) as { time?: unknown }
      if (typeof time !== 'string' || Number.isNaN(Date.parse(time))) throw new Error(`no time: ${line}`)
      return event
    })
}
