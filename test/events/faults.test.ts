import { describe, expect, it } from 'vitest'
import { eventTypeNames } from '../../src/contract/event-types.ts'
import { providerName } from '../../src/events/bodies.ts'
import { unknownName } from '../../src/events/faults.ts'
import { standard } from '../../src/events/presets/standard.ts'
import type { WebhookDescription } from '../../src/events/description-type.ts'

describe('the name of an unknown type', () => {
  const named = (name: string): WebhookDescription['names'] => ({ 'reward.updated': name })

  it.each<[string, WebhookDescription['names'], unknown: string]>([
    ['resource.action', 'resource.action', 'reward.unknown'],
    ['RESOURCE_ACTION', 'RESOURCE_ACTION', 'REWARD_UNKNOWN'],
    ['words with another separator', named('rewards:status-changed'), 'rewards:status-unknown'],
    ['words without a separator', named('RewardUpdated'), 'RewardUnknown'],
    ['the second word in lower case', named('rewardUpdated'), 'rewardUnknown'],
    ['one word', named('updated'), 'unknown'],
    ['no word at the end', named('reward!'), 'reward!.unknown'],
    [
      'a name that the provider has',
      { 'reward.updated': 'reward.changed', 'reward.created': 'reward.unknown' },
      'reward.unknown2',
    ],
  ])('%s -> in the same style', (_title, names, unknown) => {
    expect(unknownName({ ...standard, names }, 'reward.updated')).toBe(unknown)
  })

  it.each(['resource.action', 'RESOURCE_ACTION'] as const)('%s -> no type has it', (names) => {
    const description = { ...standard, names }
    const known = eventTypeNames.map((type) => providerName(description, type))
    for (const type of eventTypeNames) expect(known).not.toContain(unknownName(description, type))
  })
})
