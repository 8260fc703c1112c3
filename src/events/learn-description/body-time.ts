// The template of a time in a body, outside of the resource.
import { pathName } from '../../input/problems.ts'
import type { Path } from '../../json/json-text.ts'
import type { BodyTime } from './decide-times.ts'
import type { EventFacts } from './event-facts.ts'
import { isFieldOf } from './find-resource.ts'
import { isTimeName } from './header-names.ts'
import { isSameInstant, timeOf, timePlaceholder, type SeenTime } from './times.ts'
import type { UndecidedList } from './undecided.ts'

/** A value of a body that is a time. */
interface TimeValue {
  readonly time: SeenTime
  readonly value: unknown
  readonly path: Path
  readonly key: string
}

/**
 * Returns the template of a time.
 *
 * @param times the times so far, to which it is added, unless it is a field of the resource.
 */
export function timeTemplate(
  { time, value, path, key }: TimeValue,
  { resource, type }: EventFacts,
  times: BodyTime[],
  undecided: UndecidedList,
): unknown {
  const doubt = (why: string): void => undecided.add(pathName(['body', ...path]), why)
  const isField = isFieldOf(type, key, value)
  if (resource?.isFull && isField && resource.value[key] === value) {
    doubt('equals the field of the resource; it may be the time of the event')
    return `{resource.${key}}`
  }
  const equal = fieldOfTime(resource?.value ?? {}, time)
  const isSure = isTimeName(key) && !isField && equal === undefined
  times.push({ path, time, isSure })
  const [first] = times
  if (first && !isSameInstant(first.time, time))
    doubt('the body has several times: this one is taken as that of the event')
  else if (equal !== undefined) doubt(`taken as the time of the event; it equals ${equal} of the resource`)
  else if (!isSure) doubt('taken as the time of the event')

  if (time.format === 'unix' && typeof value === 'string') doubt('is a text, and the sandbox writes a number')
  if (time.format !== null) return timePlaceholder('event.time', time)
  if (time.form === 'another form of RFC 3339') {
    doubt('the sandbox writes times like 2026-11-21T12:00:00.000Z')
    return '{event.time}'
  }
  doubt(`is a time as ${time.form}, which a description cannot write: it is copied and will not change`)
  return value
}

/** Returns the name of a field with the same time. */
function fieldOfTime(fields: Readonly<Record<string, unknown>>, time: SeenTime): string | undefined {
  return Object.keys(fields).find((name) => {
    const value = fields[name]
    const other = typeof value === 'string' ? timeOf(value) : undefined
    return other !== undefined && isSameInstant(time, other)
  })
}
