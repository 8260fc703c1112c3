import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { started } from '../helpers/processes.ts'
import { beginning, transcript } from './transcript.ts'

/**
 * The same seed, clock and requests give the same bytes. The file was written once and holds for every Node we
 * support, as the tests run on each of them; `-u` rewrites it after a change of an answer.
 */
const golden = './golden.txt'

it('in this process: the bytes that were written down', async () => {
  await using sandbox = await createSandbox(beginning)
  const lines = await transcript((path, init) => sandbox.fetch(path, init))
  expect(lines.length).toBeGreaterThan(300)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden)
})

it('in two other processes: the same bytes', async () => {
  const { seed, clock, baseUrl, generate } = beginning
  const args = Object.entries({
    seed,
    clock,
    'base-url': baseUrl,
    generate: `customers=${generate.customers}`,
  })
  const given = ['--frozen', ...args.flatMap(([name, value]) => [`--${name}`, String(value)])]
  const children = await Promise.all([started(given), started(given)])
  const transcripts = await Promise.all(
    children.map(({ url }) => transcript((path, init) => fetch(url + path, init))),
  )
  for (const lines of transcripts) await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden)
}, 60_000)

it('another seed: other bytes', async () => {
  await using sandbox = await createSandbox({ ...beginning, seed: 8 })
  const lines = await transcript((path, init) => sandbox.fetch(path, init))
  expect(`${lines.join('\n')}\n`).not.toBe(await readFile(new URL(golden, import.meta.url), 'utf8'))
})
