import { describe, expect, test } from 'vitest'
import { assumptionIds, valuesOf } from '../../src/contract/assumptions.ts'
import {
  answerSamples,
  exceptions,
  isException,
  namesTiedOne,
  sampleFixtures,
  samples,
  type Sample,
  type SampleAnswer,
} from '../helpers/assumption-samples.ts'
import { callerFor, startSandbox } from '../helpers/sandbox.ts'
import { samples as numberOfCases } from '../setup/samples.ts'

/**
 * Case 140: an answer names an assumption in `x-sandbox-assumptions` when, and only when, another of its values would
 * have changed the answer. A sample of calls is replayed under every value of every assumption.
 */

/** The answers under values of assumptions, each checked against the OpenAPI document of these values. */
async function replay(
  assume: Record<string, string | number>,
  sent: readonly Sample[] = samples,
): Promise<SampleAnswer[]> {
  const options = { assume, fixtures: sampleFixtures, maxWorkspaces: samples.length }
  const sandbox = await startSandbox(options)
  return answerSamples(sandbox, (workspace) => callerFor(workspace, options), sent)
}

/** The samples of a run: where it does not take all, first those whose usual answer names the assumption. */
async function samplesFor(id: string): Promise<readonly Sample[]> {
  const answers = await defaultAnswers
  const named = samples.filter((_, place) => answers[place]?.named.includes(id))
  return [...new Set([...named, ...samples])].slice(0, numberOfCases(samples.length))
}

// No answer of the API depends on the events that are sent.
const switchable = assumptionIds.filter((id) => valuesOf(id).length > 1 && id !== 'webhook_events')
const defaultAnswers = replay({})

async function usualOf(sent: readonly Sample[]): Promise<SampleAnswer[]> {
  const answers = await defaultAnswers
  return sent.flatMap((sample) => answers[samples.indexOf(sample)] ?? [])
}

describe('case 140: an answer names an assumption exactly where another value would have changed it', () => {
  test.each(switchable)('case 140: %s', { timeout: 60_000 }, async (id) => {
    const values: readonly (string | number)[] = valuesOf(id)
    const sent = await samplesFor(id)
    const worlds = new Map<string | number, SampleAnswer[]>()
    for (const [place, value] of values.entries()) {
      worlds.set(value, place === 0 ? await usualOf(sent) : await replay({ [id]: value }, sent))
    }
    const wrong: string[] = []
    for (const [place, sample] of sent.entries()) {
      const shown = new Set(values.map((value) => worlds.get(value)?.[place]?.shown))
      for (const value of values) {
        const answer = worlds.get(value)?.[place]
        const isNamed = answer?.named.includes(id) ?? false
        const rests = shown.size > 1
        if (isNamed === rests || isException(id, value, sample)) continue
        if (rests && namesTiedOne(answer, id)) continue
        wrong.push(`${id}=${value} ${JSON.stringify(sample).slice(0, 200)}: named ${isNamed}, rests ${rests}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('case 140: no other assumption is ever named', async () => {
    const named = new Set((await defaultAnswers).flatMap((answer) => answer.named))
    expect([...named].filter((id) => !switchable.some((other) => other === id))).toEqual([])
  })

  test('case 140: the sample shows each of them', async () => {
    const named = new Set<string>((await defaultAnswers).flatMap((answer) => answer.named))
    expect(switchable.filter((id) => !named.has(id))).toEqual(
      assumptionIds.filter((id) => exceptions.some((one) => one.id === id)),
    )
  })
})
