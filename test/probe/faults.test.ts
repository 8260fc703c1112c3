// Planted faults: conform names the points that a fault breaks, and no others; without a fault it finds nothing broken.
import { afterAll, describe, expect, it } from 'vitest'
import { conform, type Conformance } from '../../src/probe/conform.ts'
import type { ProbeOptions } from '../../src/probe/start-run.ts'
import { createSandbox } from '../../src/index.ts'
import { additions, arriveBy, faults, rewriteBy, type Fault } from './faults.ts'
import { testMachine } from '../helpers/probing.ts'
import { probedSandbox, randomAssumptions, type ProbedSandbox } from '../helpers/probed-sandbox.ts'

/** The long form: every fault with every point, and 200 draws. */
const isLong = process.env['PROBE_PROOF'] === 'long'
const draws = isLong ? 200 : 12
/** So many faults share a target and its assumptions, as nothing that they ask changes it. */
const together = 12
/** Of the short form, each of so many faults is asked with every point. */
const every = 20

const everything = { allow: ['write', 'irreversible'] } as const

const brokenIn = ({ points }: Conformance): string[] =>
  points
    .filter(({ verdict }) => verdict === 'broken' || verdict === 'unstable')
    .map(({ id }) => id)
    .toSorted()

let planted: Fault | undefined
const targets = new Map<number, Promise<ProbedSandbox>>()

/** The target of a seed, with whichever fault is planted. */
function targetOf(seed: number): Promise<ProbedSandbox> {
  const known =
    targets.get(seed) ??
    probedSandbox(
      randomAssumptions(seed),
      (request, answer) => (planted ? rewriteBy(planted)(request, answer) : answer),
      (request) => (planted ? arriveBy(planted)(request) : request),
    )
  targets.set(seed, known)
  return known
}

async function conformWith(
  fault: Fault | undefined,
  seed: number,
  options: ProbeOptions,
): Promise<Conformance> {
  const { target } = await targetOf(seed)
  planted = fault
  return conform(target, options, testMachine())
}

afterAll(async () => {
  for (const target of targets.values()) await (await target).sandbox.close()
})

describe('a planted fault is named, and nothing else', () => {
  it.each(faults.map((fault, place) => [fault.operation, fault.name, fault, place] as const))(
    '%s: %s',
    async (operation, _, fault, place) => {
      // What changes rows has a target of its own.
      const seed = fault.changes ? 1_000 + place : 1 + Math.floor(place / together)
      const isWhole = isLong || place % every === 0
      const report = await conformWith(fault, seed, {
        ...(fault.changes ? everything : {}),
        ...(isWhole ? {} : { only: [operation] }),
      })
      expect(brokenIn(report)).toEqual(fault.broken.map((name) => `${operation}/${name}`).toSorted())
    },
  )

  it('of at least 60 rules', () => {
    expect(faults.length).toBeGreaterThanOrEqual(60)
  })
})
