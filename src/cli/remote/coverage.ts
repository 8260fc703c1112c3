// The verb coverage: prints which contract points a running sandbox saw exercised.
import { connect } from './connect.ts'
import type { Io } from '../io.ts'
import { writeResult } from '../output.ts'
import type { FlagValues } from '../settings.ts'

export async function coverage(flags: FlagValues, io: Io): Promise<void> {
  const format = typeof flags['format'] === 'string' ? flags['format'] : 'text'
  const text = await (await connect(flags, io)).read('GET', '/coverage', { query: { format }, shared: true })
  await writeResult([text], flags['output'], io)
}
