import { beforeAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../src/index.ts'
import { damaged, kinds } from '../../durability/lib/damages.mjs'
import { randomFrom } from '../../durability/lib/random.mjs'
import {
  makeWorld,
  startOnDamaged,
  type Files,
  type Outcome,
  type World,
} from '../../durability/lib/worlds.mjs'

// A small part of `npm run durability:damage`.

const ends = ['killed', 'closed'] as const
const worlds = new Map<string, { one: World; other: World }>()

beforeAll(async () => {
  for (const end of ends) {
    const one = await makeWorld(createSandbox, 'one', end)
    worlds.set(end, { one, other: await makeWorld(createSandbox, 'other', end) })
  }
})

const places = [
  ['killed', 'data.json'],
  ['killed', 'data.json.wal'],
  ['killed', 'data.json.prev'],
  ['closed', 'data.json'],
  ['closed', 'data.json.prev'],
] as const

describe.each(places)('%s, %s', (end, file) => {
  it.each(kinds)('%s -> every acknowledged write is there, or it is told', async (kind) => {
    const world = worlds.get(end)
    if (!world) throw new Error('not made')
    const random = randomFrom(kinds.indexOf(kind))
    const damages: Files[] = []
    while (damages.length < 2) {
      const files = damaged(kind, world.one.files, world.other.files, file, random)
      if (files) damages.push(files)
    }
    const start = async (files: Files): Promise<void> => {
      const { outcome, said } = await startOnDamaged(createSandbox, files, world.one)
      const allowed: Outcome[] = file.endsWith('.prev') ? ['whole'] : ['whole', 'refused', 'told']
      expect(allowed, said).toContain(outcome)
      if (outcome !== 'refused') return
      const again = await startOnDamaged(createSandbox, files, world.one, true)
      expect(['whole', 'told'], again.said).toContain(again.outcome)
    }
    await Promise.all(damages.map(start))
  })
})

it('what is not damaged -> everything is there; after a crash, up to which commit', async () => {
  for (const end of ends) {
    const one = worlds.get(end)?.one
    if (!one) throw new Error('not made')
    const { outcome, said } = await startOnDamaged(createSandbox, one.files, one)
    const line = /data\.json was not closed, as after a crash: recovered up to commit 13$/
    expect([outcome, said]).toEqual(['whole', end === 'closed' ? '' : expect.stringMatching(line)])
  }
})
