import { servedFile, work } from './fixtures.mjs'
import { load, writeScript } from './load.mjs'
import { shown } from './report.mjs'
import { startSandbox } from './server.mjs'
import { ratios, summary } from './stats.mjs'

/**
 * What one who watches costs a call: CPU per request with one reader of the stream / with none, in turns on one server.
 *
 * @param {import('../index.mjs').Context} context
 * @param {keyof typeof work} name
 * @returns {Promise<import('../index.mjs').Measured>}
 */
export async function costOfWatching({ folder, quick }, name) {
  const script = writeScript(folder, `watched-${name}`, work[name]())
  const server = await startSandbox(['--fixtures', servedFile(folder)])
  const spell = async () => {
    const before = await server.cpu()
    const { requests } = await load(server.url, script, 1)
    return ((await server.cpu()) - before) / requests
  }
  for (let warmUp = 0; warmUp < (quick ? 2 : 5); warmUp++) await spell()
  /** @type {{ none: number[], one: number[] }} */
  const cpu = { none: [], one: [] }
  let bytes = 0
  const rounds = quick ? 3 : 9
  for (let round = 0; round < rounds; round++) {
    cpu.none.push(await spell())
    const reading = new AbortController()
    const stream = await fetch(`${server.url}/_sandbox/stream`, { signal: reading.signal })
    const read = (async () => {
      for await (const chunk of stream.body ?? []) bytes += chunk.length
    })().catch(() => undefined)
    cpu.one.push(await spell())
    reading.abort()
    await read
  }
  await server.stop()
  const [none, one] = [summary(cpu.none), summary(cpu.one)]
  return {
    ...summary(ratios(cpu.one, cpu.none)),
    details: [
      `none  ${shown(none.value)} µs CPU (${shown(none.min)}–${shown(none.max)})`,
      `one   ${shown(one.value)} µs CPU (${shown(one.min)}–${shown(one.max)}), ${shown(Math.round(bytes / rounds / 1000))} kB read a second`,
    ],
    raw: cpu,
  }
}
