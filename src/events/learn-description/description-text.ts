// A learned description as a file: YAML with comments that name what is undecided, or JSON.
import { stringify } from 'yaml'
import { printable } from '../../input/problems.ts'
import type { LearnedDescription } from './index.ts'

/** Returns the lines that say what was found, and what one delivery cannot decide. */
export function summaryLines({ found, undecided, position, others }: LearnedDescription): string[] {
  const reasons = new Map<string, string[]>()
  for (const { at, why } of undecided) reasons.set(why, [...(reasons.get(why) ?? []), printable(at)])
  const from =
    position === undefined
      ? []
      : [`From ${position}${others > 0 ? `; ${others} more may be deliveries` : ''}.`]
  return [
    ...from,
    'Found:',
    ...Object.entries(found).map(([name, text]) => `  ${name}: ${text}`),
    'Undecided by one delivery:',
    ...[...reasons].map(([why, places]) => `  ${places.join(', ')}: ${why}`),
  ]
}

/**
 * Returns the text of a learned description.
 *
 * @param name the name of the file: JSON, which has no comments, if it ends so.
 */
export function descriptionText(learned: LearnedDescription, name: string): string {
  if (/\.json$/i.test(name)) return `${JSON.stringify(learned.description, null, 2)}\n`
  const comments = ['Learned from one delivery by calibrate --delivery.', ...summaryLines(learned)]
  const lines = comments.map((line) => `# ${line.replaceAll(/[^\x20-\x7e\u00a0-\ud7ff]/g, '?')}\n`).join('')
  return lines + stringify(learned.description, { lineWidth: 0, singleQuote: true })
}
