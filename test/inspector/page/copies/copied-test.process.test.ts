import { mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  asJavascriptTest,
  type JavascriptRunner,
} from '../../../../src/inspector/page/copies/as-javascript-test.ts'
import { asPytestTest } from '../../../../src/inspector/page/copies/as-pytest-test.ts'
import type { CopiedTest } from '../../../../src/inspector/page/copies/copied-test.ts'
import { describeWith } from '../../../helpers/describe-with.ts'
import { partnerProject, runNode, saveFile } from '../../../helpers/partner-project.ts'
import { copiedTests } from './copied-calls.ts'

/** Every 37th test, and one of each kind of outcome: a sample that is the same in each run. */
const sampleOf = (tests: readonly CopiedTest[]): CopiedTest[] =>
  tests.filter(
    ({ expected: { kind } }, index) =>
      index % 37 === 5 || index === tests.findIndex(({ expected }) => expected.kind === kind),
  )

/** A project with the runners, and a file for each copied test. */
async function projectWith(
  tests: readonly CopiedTest[],
  name: (number: number) => string,
  write: (test: CopiedTest) => string,
): Promise<string> {
  const folder = await partnerProject()
  for (const runner of ['vitest', '@playwright/test', 'jest']) {
    const at = join(folder, 'node_modules', runner)
    await mkdir(join(at, '..'), { recursive: true })
    await symlink(resolve('node_modules', runner), at)
  }
  for (const [number, test] of tests.entries()) await saveFile(folder, name(number), write(test))
  return folder
}

const program = (path: string): string => resolve('node_modules', path)

let tests: CopiedTest[] = []
beforeAll(async () => {
  tests = await copiedTests()
}, 120_000)

describe('a copied test passes as it is pasted', { timeout: 240_000 }, () => {
  it('there is one for each operation and outcome', () => {
    expect(tests.length).toBeGreaterThan(480)
    expect(new Set(tests.map(({ expected }) => expected.kind))).toEqual(
      new Set(['answer', 'spoiled', 'timeout']),
    )
  })

  it('vitest: all of them', async () => {
    const name = (number: number): string => `t/copied-${number}.test.ts`
    const folder = await projectWith(tests, name, (test) => asJavascriptTest(test, 'vitest'))
    const { code, output } = await runNode(
      [program('vitest/vitest.mjs'), 'run', '--no-isolate', '--maxWorkers=2', '--reporter=dot'],
      folder,
    )
    expect(output).toMatch(new RegExp(`Tests {2}${tests.length} passed`))
    expect(code).toBe(0)
  })

  it.each<[JavascriptRunner, string, (files: string[]) => string[], (count: number) => string]>([
    [
      'Jest',
      'test.cjs',
      () => [program('jest/bin/jest.js'), '--rootDir=.', '--testMatch=**/t/*.cjs'],
      (count) => `Tests: +${count} passed`,
    ],
    ['node:test', 'test.mjs', (files) => ['--test', ...files], (count) => `pass ${count}$`],
    [
      'Playwright',
      'spec.js',
      () => [program('@playwright/test/cli.js'), 'test', '--reporter=dot'],
      (count) => `${count} passed`,
    ],
  ])('%s: a sample', async (runner, ending, words, passed) => {
    const sample = sampleOf(tests)
    const name = (number: number): string => `t/copied-${number}.${ending}`
    const folder = await projectWith(sample, name, (test) => asJavascriptTest(test, runner))
    const { code, output } = await runNode(words(sample.map((_, number) => name(number))), folder)
    expect(output).toMatch(new RegExp(passed(sample.length), 'm'))
    expect(code).toBe(0)
  })
})

describeWith('pytest')('a copied test passes as it is pasted', { timeout: 240_000 }, () => {
  it('pytest: a sample', async () => {
    // The options that some need are those of `exec`.
    const sample = sampleOf(tests).filter(({ sandbox }) => Object.keys(sandbox).length === 0)
    const folder = await projectWith(sample, (number) => `t/test_copied_${number}.py`, asPytestTest)
    const exec = ['node_modules/partner-rewards-sandbox/dist/bin.cjs', 'exec']
    const { code, output } = await runNode([...exec, '--', 'python3', '-m', 'pytest', '-q', 't'], folder)
    expect(output).toMatch(new RegExp(`^${sample.length} passed`, 'm'))
    expect(code).toBe(0)
  })
})
