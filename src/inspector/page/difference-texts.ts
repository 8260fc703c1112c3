// Texts of the header: each difference from a fresh sandbox, with a link to its undo.
import type { Differences } from '../../operations/differences.ts'
import { distanceText } from '../../runtime/distance-text.ts'

/** One part of the differences. */
export interface DifferenceText {
  text: string
  /** How it is undone there. */
  undo: string
  /** The view where. */
  view: string
  query: Readonly<Record<string, string>>
}

/** @example differencesText(differences).map(({ text }) => text)   // ['2 scenarios on', 'clock +30 d, frozen'] */
export function differencesText({ scenarios, clock, rows, assumptions }: Differences): DifferenceText[] {
  return [
    ...(scenarios.length === 0
      ? []
      : [
          {
            text: `${counted(scenarios.length, 'scenario')} on`,
            undo: `Switch off ${scenarios.join(', ')}`,
            view: 'scenarios',
            query: {},
          },
        ]),
    ...(clock === null
      ? []
      : [
          {
            text: clockText(clock),
            undo: clock.moved_ms === 0 ? 'Let it run' : 'Only a reset or a restored snapshot undoes this',
            view: 'clock',
            query: {},
          },
        ]),
    ...(rows === 0
      ? []
      : [
          {
            text: `${counted(rows, 'row')} edited`,
            undo: 'See what changed, and put the rows back to their baseline',
            view: 'state',
            query: { since: 'baseline' },
          },
        ]),
    ...(assumptions.length === 0
      ? []
      : [
          {
            text: `${counted(assumptions.length, 'assumption')} changed`,
            undo: `See which option of the start decides ${assumptions.join(', ')}`,
            view: 'assumptions',
            query: { changed: 'true' },
          },
        ]),
  ]
}

function clockText({ moved_ms: moved, frozen }: NonNullable<Differences['clock']>): string {
  if (moved === 0) return 'clock frozen'
  const distance = distanceText(Math.abs(moved))
  const by = distance === '' ? 'moved by less than a minute' : `${moved < 0 ? '−' : '+'}${distance}`
  return `clock ${by}${frozen ? ', frozen' : ''}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
