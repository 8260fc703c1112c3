import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { describeWithEngine } from '../helpers/engine.ts'
import { allFaults, lineOf, prove, type Proof } from './prove.ts'

/** `npm run proof:many` sets them; without it, one short run shows that the proof works. */
const { PROOF_SEEDS: seeds, PROOF_FROM: from = '1', PROOF_CALLS: calls = '0' } = process.env

const hasBalancer = spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0
const routes: Proof['route'][] = seeds === undefined || !hasBalancer ? ['random'] : ['balancer', 'random']
const runs = Array.from({ length: Number(seeds ?? 1) }, (_, at) => Number(from) + at).flatMap((seed) =>
  routes.map((route) => [seed, route] as const),
)

describeWithEngine('three processes on one engine', () => {
  test.each(runs)(
    'are one sandbox, whatever fails: seed %i, %s',
    { timeout: 3_600_000 },
    async (seed, route) => {
      const faults = seeds === undefined ? (['stop', 'crash'] as const) : allFaults
      const proved = await prove({ seed, route, calls: Number(calls), faults })
      if (seeds !== undefined) process.stdout.write(`${lineOf(proved)}\n`)
      expect(proved.violations).toEqual([])
      expect(proved.acknowledged).toBeGreaterThan(500)
    },
  )
})
