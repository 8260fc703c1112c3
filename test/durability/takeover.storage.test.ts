import { expect, it } from 'vitest'
import { launch } from '../helpers/processes.ts'

it('two containers on one data file, stopped, woken and killed -> nothing acknowledged is lost', async () => {
  const proof = launch(['test/durability/takeover.mjs', '--rounds', '5', '--together', '5', '--speed', '4'], {
    cwd: process.cwd(),
  })
  expect([await proof.ended, proof.err()]).toEqual([0, ''])
  expect(proof.out()).toMatch(/, 0 lost\n$|^skipped: /)
}, 180_000)
