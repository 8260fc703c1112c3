import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { assumptionIds, valuesOf, type AssumptionId } from '../../src/contract/assumptions.ts'
import { tieOf } from '../../src/contract/tied-assumptions.ts'
import {
  answerSamples,
  isException,
  namesTiedOne,
  sampleFixtures,
  samples,
  type SampleAnswer,
} from '../helpers/assumption-samples.ts'
import { testNow, uncheckedCaller } from '../helpers/sandbox.ts'
import { samples as numberOfCases } from '../setup/samples.ts'

/**
 * Case 140 for two assumptions at once: under each pair of their values, an answer names one of them when, and only
 * when, another value of it would have changed the answer while the other one keeps its value.
 *
 * The suite draws some pairs. `ASSUMPTION_PAIRS=2000` checks all of them, which takes some ten minutes.
 */

type Pair = readonly [AssumptionId, AssumptionId]

// No answer of the API depends on the events that are sent.
const switchable = assumptionIds.filter((id) => valuesOf(id).length > 1 && id !== 'webhook_events')
const allPairs: Pair[] = switchable.flatMap((id, index) =>
  switchable
    .slice(index + 1)
    // Not all values of two that are tied are possible together.
    .filter((other) => tieOf(id)?.other !== other)
    .map((other): Pair => [id, other]),
)

/** Pairs that decide one part of a call together. */
const related: readonly Pair[] = [
  ['unknown_body_fields', 'payment_methods_pagination'],
  ['payment_methods_pagination', 'unknown_cursor'],
  ['link_response', 'link_replaces'],
  ['link_replaces', 'link_conflict_type'],
  ['link_conflict_type', 'link_conflict_status'],
  ['reward_deduction_update', 'reward_target_statuses'],
  ['reward_deduction_update', 'reward_not_pending'],
  ['create_key_shape', 'create_key_status'],
]

const wanted = Number(process.env['ASSUMPTION_PAIRS'] ?? numberOfCases(6))
const [shuffled = []] = fc.sample(fc.shuffledSubarray(allPairs, { minLength: allPairs.length }), 1)
const drawn = shuffled.slice(0, wanted)

type Value = string | number
type Setting = readonly [AssumptionId, Value]

const replays = new Map<string, Promise<SampleAnswer[]>>()

/** The answers to the samples under two values; the other assumptions have their defaults. */
function answersUnder(...settings: Setting[]): Promise<SampleAnswer[]> {
  const assume = settings.filter(([id, value]) => value !== valuesOf(id)[0]).toSorted()
  const key = String(assume)
  const answers = replays.get(key) ?? replay(Object.fromEntries(assume))
  replays.set(key, answers)
  return answers
}

async function replay(assume: Record<string, Value>): Promise<SampleAnswer[]> {
  const fixed = { clock: testNow, frozen: true, fixtures: sampleFixtures, maxWorkspaces: samples.length }
  await using sandbox = await createSandbox({ ...fixed, assume } as SandboxOptions)
  const answers = await answerSamples(sandbox, uncheckedCaller)
  // A digest is enough to compare by, and thousands of replays stay in memory.
  return answers.map(({ shown, named }) => ({
    shown: createHash('sha256').update(shown).digest('base64'),
    named,
  }))
}

/** The answers that name an assumption without need, or do not name one that decides them. */
async function violationsOf(id: AssumptionId, other: AssumptionId): Promise<string[]> {
  const wrong: string[] = []
  for (const otherValue of valuesOf(other)) {
    const worlds = await Promise.all(
      valuesOf(id).map(async (value) => ({
        value,
        answers: await answersUnder([id, value], [other, otherValue]),
      })),
    )
    for (const [index, sample] of samples.entries()) {
      const decides = new Set(worlds.map(({ answers }) => answers[index]?.shown)).size > 1
      for (const { value, answers } of worlds) {
        const isNamed = answers[index]?.named.includes(id) ?? false
        if (isNamed === decides || isException(id, value, sample)) continue
        if (decides && namesTiedOne(answers[index], id)) continue
        const call = JSON.stringify(sample).slice(0, 200)
        wrong.push(`${id}=${value} ${other}=${otherValue} ${call}: named ${isNamed}, decides ${decides}`)
      }
    }
  }
  return wrong
}

test.each([...related, ...drawn].slice(0, numberOfCases(related.length + wanted)))(
  'case 140: %s with %s',
  { timeout: 60_000 },
  async (id, other) => {
    expect([...(await violationsOf(id, other)), ...(await violationsOf(other, id))]).toEqual([])
  },
)
