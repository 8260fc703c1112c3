// The groups in which the page lists scenarios: the first word of a name is its group.
import type { ScenarioView } from '../../operations/scenarios.ts'

/** Scenarios under one heading. */
export interface ScenarioGroup<T> {
  title: string
  scenarios: readonly T[]
}

/** Title and names, in the order in which groups are shown. */
const families: readonly (readonly [title: string, names: RegExp])[] = [
  ['Not found', /^not-found-/],
  ['Keys and scopes', /^(?:key|scope)-/],
  ['Versions', /^version-/],
  ['Pagination', /^pagination-/],
  ['Values', /^(?:new-enum|null|unknown)-/],
  ['Races', /^reward-/],
  [
    'Transport and outages',
    /^(?:commit-but-answer-lost|flaky-.*|hang|html-.*|rate-limited|reset|slow|truncated|unavailable)$/,
  ],
  ['Webhook events', /^event-/],
]

/** Where a scenario belongs that a user wrote, under any name. */
const ownTitle = 'Your own'

/**
 * Scenarios by group, in the order that they have; a group without one is left out.
 * @example groupsOf([{ name: 'slow' }])   // [{ title: 'Transport and outages', scenarios: [{ name: 'slow' }] }]
 */
export function groupsOf<T extends Pick<ScenarioView, 'name' | 'registered'>>(
  scenarios: readonly T[],
): ScenarioGroup<T>[] {
  const titles = [...families.map(([title]) => title), ownTitle]
  return titles.flatMap((title) => {
    const own = scenarios.filter((scenario) => titleOf(scenario) === title)
    return own.length === 0 ? [] : [{ title, scenarios: own }]
  })
}

function titleOf({ name, registered }: Pick<ScenarioView, 'name' | 'registered'>): string {
  const family = registered ? undefined : families.find(([, names]) => names.test(name))
  return family?.[0] ?? ownTitle
}
