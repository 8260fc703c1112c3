import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { started } from '../helpers/processes.ts'
import { beginning, transcript, type Transcript } from '../helpers/transcript.ts'

/**
 * The same seed, clock and requests give the same bytes. The files were written once and hold for every Node we
 * support, as the tests run on each of them; after a change of an answer and a build, `-u` rewrites both: the hashes
 * over all bytes, and what a reviewer reads to see what changed.
 */
const golden = './golden.txt'
const goldenToRead = './golden.readable.txt'

async function expectGolden({ hashes, readable }: Transcript): Promise<void> {
  // This one first: where both fail, its difference tells more.
  await expect(`${readable.join('\n\n')}\n`).toMatchFileSnapshot(goldenToRead)
  await expect(`${hashes.join('\n')}\n`).toMatchFileSnapshot(golden)
}

it('in this process: the bytes that were written down', async () => {
  await using sandbox = await createSandbox(beginning)
  const answers = await transcript((path, init) => sandbox.fetch(path, init))
  expect(answers.hashes.length).toBeGreaterThan(300)
  await expectGolden(answers)
})

it('in two other processes: the same bytes', async () => {
  const { seed, clock, baseUrl, generate } = beginning
  const args = Object.entries({
    seed,
    clock,
    'base-url': baseUrl,
    generate: `customers=${generate.customers}`,
  })
  const options = ['--frozen', ...args.flatMap(([name, value]) => [`--${name}`, String(value)])]
  const children = await Promise.all([started(options), started(options)])
  const transcripts = await Promise.all(
    children.map(({ url }) => transcript((path, init) => fetch(url + path, init))),
  )
  for (const answers of transcripts) await expectGolden(answers)
}, 60_000)

it('another seed: other bytes', async () => {
  await using sandbox = await createSandbox({ ...beginning, seed: 8 })
  const { hashes } = await transcript((path, init) => sandbox.fetch(path, init))
  expect(`${hashes.join('\n')}\n`).not.toBe(await readFile(new URL(golden, import.meta.url), 'utf8'))
})
