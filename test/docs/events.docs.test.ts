// The page of events: its test of a receiver runs, and its description is the preset that it says.
import { existsSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { eventTypeNames, eventTypes } from '../../src/contract/event-types.ts'
import { presets } from '../../src/events/presets/index.ts'
import { receiverPoints } from '../../src/events/receiver-points.ts'
import { fateOf } from '../../src/explain/explain-events.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { eventEffects } from '../../src/scenarios/effects/event.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { partnerProject, runNode, saveFile } from '../helpers/partner-project.ts'

const page = readFileSync(join(packageRoot(), 'docs', 'events.md'), 'utf8')
const blocks = blocksOf(page).map(({ code }) => code)

it('the test of a receiver passes as it is printed', async () => {
  const folder = await partnerProject()
  for (const name of ['hono', 'standardwebhooks', '@stablelib', 'fast-sha256', 'vitest', '@vitest']) {
    await symlink(join(packageRoot(), 'node_modules', name), join(folder, 'node_modules', name)).catch(
      () => undefined,
    )
  }
  const suite = blocks.find((code) => code.includes('standardwebhooks')) ?? ''
  await saveFile(folder, 'receiver.test.ts', suite)
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs')
  const { code, output } = await runNode([vitest, 'run', '--root', folder], folder)
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/Tests\s+3 passed/) })
})

it('the description is the preset standard', () => {
  expect(parse(blocks.find((code) => code.startsWith('names:')) ?? '')).toEqual(presets.standard)
})

it('the explanation of an event is as it is printed', async () => {
  const { webhooks, events } = await startSandbox({ webhooks: 'standard', scenarios: 'event-bad-signature' })
  webhooks.add({ handler: () => new Response(null, { status: 400 }) })
  const { id } = events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  await events.drain()
  expect(blocks).toContain(`${fateOf(events.get(id) ?? { deliveries: [] })}\n`)
})

it('the scenario is valid', async () => {
  const written = blocks.find((code) => code.startsWith('name: status-events-twice')) ?? ''
  const { scenarios } = await startSandbox({ webhooks: 'standard' })
  expect(await scenarios.register(parse(written) as object)).toMatchObject({ name: 'status-events-twice' })
})

describe('the tables', () => {
  it.each(eventTypeNames)('have the type %s with the occasion that creates it', (type) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${type}\``)) ?? ''
    const about = eventTypes[type].about.replaceAll('`', '')
    expect(row.replaceAll('`', '')).toContain(about)
  })

  it.each([...eventEffects, 'delay'])('have the effect %s with its scenario', (effect) => {
    const notation = effect === 'delay' ? '{ event: { delay: 5m } }' : `{ event: ${effect} }`
    const name = effect === 'delay' ? 'event-late' : `event-${effect.replaceAll('_', '-')}`
    const row = page.split('\n').find((line) => line.startsWith(`| \`${notation}\``)) ?? ''
    expect(row).toContain(`| \`${name}\``)
    expect(existsSync(join(packageRoot(), 'scenarios', `${name}.yaml`))).toBe(true)
  })

  it('have each point of a receiver with its occasion', () => {
    const rows = page.split('\n').flatMap((line) => {
      const [, id, occasion = ''] = /^\| `(\w+)` +\| (it (?:accepted|answered) .*?) *\|$/.exec(line) ?? []
      return id === undefined ? [] : [[id, occasion]]
    })
    const sentences = receiverPoints.map(({ id, sentence }) => [
      id,
      sentence.replace(/^(The receiver|It)/, 'it').replace(/\.$/, ''),
    ])
    expect(rows).toEqual(sentences)
  })

  it.each(Object.keys(presets))('have the preset %s', (name) => {
    expect(page).toContain(`| \`${name}\``)
  })
})
