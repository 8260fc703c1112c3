// The names of event types at a provider: one of the two styles, or a name of its own for one of our types.
import { eventTypeNames, eventTypes, type EventType } from '../../contract/event-types.ts'
import type { WebhookDescription } from '../description-type.ts'
import { providerName } from '../delivery.ts'

/** The styles that name every type. */
const styles = ['resource.action', 'RESOURCE_ACTION'] as const

/** A name that follows a style. */
export interface StyledName {
  readonly style: (typeof styles)[number]
  readonly type: EventType
}

/** Returns the style and the type of a name; undefined for a name of the provider's own. */
export function typeOfStyle(name: string): StyledName | undefined {
  for (const style of styles) {
    const type = eventTypeNames.find((one) => providerName({ names: style }, one) === name)
    if (type !== undefined) return { style, type }
  }
  return undefined
}

/** Words for the kinds of changes in names of providers. */
const actions: Readonly<Record<string, RegExp>> = {
  created: /^(?:creat|new|add|earn|issu|clos|generat)/,
  updated: /^(?:updat|chang|modif|edit)/,
  linked: /^(?:link|connect|attach)/,
  deleted: /^(?:delet|remov|destroy)/,
  posted: /^(?:post|settl|clear|book)/,
}

/**
 * Returns our types that a name of the provider's own may mean, by its words.
 *
 * @param among the types that the resource in the body allows.
 * @example typesLike('RewardChanged', eventTypeNames)   // ['reward.updated']
 */
export function typesLike(name: string, among: readonly EventType[]): EventType[] {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/s$/, ''))
  const hasResource = (type: EventType): boolean =>
    resourceWords(type).every((word) => words.includes(word.replace(/s$/, '')))
  const hasAction = (type: EventType): boolean => {
    const [, action = ''] = type.split('.')
    return words.some((word) => actions[action]?.test(word) === true)
  }
  const withAction = among.filter(hasAction)
  const withBoth = withAction.filter(hasResource)
  // `transaction_intent` also has the word `transaction`: the longest name of a resource wins.
  const longest = Math.max(0, ...withBoth.map((type) => resourceWords(type).length))
  const best = withBoth.filter((type) => resourceWords(type).length === longest)
  if (best.length > 0) return best
  const collections = new Set(among.map((type) => eventTypes[type].collection))
  return collections.size === 1 && withAction.length > 0 ? withAction : among.filter(hasResource)
}

/** The words of the resource of a type. @example resourceWords('order_event.deleted')   // ['order', 'event'] */
export const resourceWords = (type: EventType): string[] => (type.split('.')[0] ?? '').split('_')

/** The names of a description for a type of the provider's own. */
export const namesOf = (type: EventType, name: string): WebhookDescription['names'] => ({ [type]: name })
