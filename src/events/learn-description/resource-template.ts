// The templates of a resource that was found in a body: whole, or by its fields.
import type { EventType } from '../../contract/event-types.ts'
import { pathName } from '../../input/problems.ts'
import type { FoundResource } from './find-resource.ts'
import { isPreviousField } from './header-names.ts'
import type { UndecidedList } from './undecided.ts'

/**
 * Returns the template of the resource.
 *
 * @param types the types that the event may have.
 * @param isSecret whether a text must not be shown.
 */
export function resourceTemplate(
  { path, value, isFull, isNamed, more }: FoundResource,
  types: readonly EventType[],
  undecided: UndecidedList,
  isSecret: (text: string) => boolean,
): unknown {
  const at = pathName(['body', ...path])
  if (Object.keys(value).length === 1 && types.includes('order_event.deleted'))
    undecided.add(at, 'an order event has only its id: the resource of other types may be whole')
  if (!isNamed) undecided.add(at, 'taken as the resource after the change, by its fields')
  if (!isFull) return fieldTemplates('resource', value)
  const names = more.map((name) => (isSecret(name) ? '…' : name))
  if (more.length > 0) undecided.add(at, `the sandbox has no ${names.join(', ')} in this resource`)
  return '{resource}'
}

/** Returns the template of the resource before the change. */
export function previousTemplate(
  { path, value, isFull }: FoundResource,
  resource: FoundResource | undefined,
  undecided: UndecidedList,
): unknown {
  const at = pathName(['body', ...path])
  const isNamed = path.some((name) => isPreviousField(String(name)))
  if (!isFull) {
    undecided.add(at, 'has some fields of the resource before the change; other events may have other fields')
    return fieldTemplates('previous', value)
  }
  if (!isNamed || !resource?.isFull) undecided.add(at, 'taken as the resource before the change')
  return '{previous}'
}

const fieldTemplates = (name: string, value: object): object =>
  Object.fromEntries(Object.keys(value).map((field) => [field, `{${name}.${field}}`]))
