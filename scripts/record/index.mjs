// Records all output of a generated run, to compare it before and after a refactoring that must not change it:
//   npm run record -- OUT [--calls 5000] [--store redis://127.0.0.1:6379]
// It writes a folder for each kind of storage, in process and over HTTP. `diff -r BEFORE AFTER` shows the changes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSandbox } from '../../dist/index.mjs'
import { nextRequest, randomOf, workspaces } from './requests.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { calls: { type: 'string', default: '5000' }, store: { type: 'string' } },
})
const [out] = positionals
if (out === undefined) throw new Error('the output folder is missing: npm run record -- OUT')
const fixed = { clock: '2026-11-21T12:00:00.000Z', frozen: true, seed: 1, journalSize: Number(values.calls) }

/** Removes durations and ports, which differ between runs. */
const steady = (text) =>
  text
    .replaceAll(/("duration_ms":|"time":|"wait":)-?[\d.e-]+/g, '$10')
    .replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, 'HOST')

async function record(name, options, overHttp) {
  const sandbox = await createSandbox({ ...fixed, ...options })
  try {
    await recordRun(sandbox, join(out, name), overHttp)
  } finally {
    await sandbox.close()
  }
}

async function recordRun(sandbox, folder, overHttp) {
  mkdirSync(folder, { recursive: true })
  const url = overHttp ? (await sandbox.listen()).url : undefined
  const door = url === undefined ? sandbox.fetch : (path, init) => fetch(new URL(path, url), init)
  const random = randomOf(1)
  const intents = []
  const lines = []
  const ask = async ({ method, path, ...init }) => {
    const answer = await door(path, { method, ...init })
    return { answer, text: await answer.text() }
  }
  for (let call = 0; call < Number(values.calls); call++) {
    const request = nextRequest(random, intents)
    const { answer, text } = await ask(request)
    const [, intent] = /"id":"(int_\w+)"/.exec(text) ?? []
    if (intent !== undefined && answer.status === 200) intents.push(intent)
    const headers = [...answer.headers].filter(
      ([header]) => !/^(connection|keep-alive|transfer-encoding)$/.test(header),
    )
    lines.push(JSON.stringify([call, request.method, request.path, answer.status, headers, text]))
  }
  const write = (file, text) => writeFileSync(join(folder, file), steady(text).replaceAll('},{', '},\n{'))
  write('answers.jsonl', lines.join('\n'))
  const see = async (path) => (await ask({ method: 'GET', path: `/_sandbox${path}` })).text
  for (const workspace of workspaces) {
    const of = `workspace=${workspace}`
    const journal = await see(`/requests?${of}`)
    write(`${workspace}-journal.json`, journal)
    const explained = []
    for (const { id } of JSON.parse(journal).requests) explained.push(await see(`/requests/${id}?${of}`))
    write(`${workspace}-explanations.jsonl`, explained.join('\n'))
    write(`${workspace}-coverage.json`, await see(`/coverage?${of}`))
    write(`${workspace}-assumptions.json`, await see(`/assumptions?${of}`))
    write(`${workspace}-state.json`, await see(`/state?${of}`))
    write(`${workspace}.har`, JSON.stringify(sandbox.workspace(workspace).requests.har()))
  }
  write('openapi.json', await see('/openapi.json'))
}

const kept = mkdtempSync(join(tmpdir(), 'record-'))
const ways = {
  memory: () => ({}),
  file: (door) => ({ data: join(kept, `${door}.json`) }),
  folder: (door) => ({ data: join(kept, `${door}/`) }),
  ...(values.store === undefined
    ? {}
    : { store: (door) => ({ store: values.store, storePrefix: `record-${process.pid}-${door}` }) }),
}
for (const [way, options] of Object.entries(ways)) {
  for (const door of ['process', 'http']) {
    await record(`${way}-${door}`, options(door), door === 'http')
    console.log(`${way}-${door}: written`)
  }
}
rmSync(kept, { recursive: true, force: true })
