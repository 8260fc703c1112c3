// Learns the template of a body: which of its values are those of the event and of the resource.
import { isDeepStrictEqual } from 'node:util'
import { pathName } from '../../input/problems.ts'
import { ExactNumber } from '../../json/exact-number.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { Path } from '../../json/json-text.ts'
import { partsOf } from '../placeholders.ts'
import { timeTemplate } from './body-time.ts'
import type { BodyTime } from './decide-times.ts'
import type { EventFacts } from './event-facts.ts'
import { idIn, isFieldOf, isResourceIdField, type FoundResource } from './find-resource.ts'
import {
  isPreviousField,
  isResourceField,
  isSecretName,
  isShort,
  isTimeName,
  isTypeField,
} from './header-names.ts'
import { previousTemplate, resourceTemplate } from './resource-template.ts'
import { replaceTokens } from './replace-tokens.ts'
import { timeOf } from './times.ts'
import type { UndecidedList } from './undecided.ts'

/** The parts of a learned body. */
export interface LearnedBody {
  readonly template: Record<string, unknown>
  /** The times outside of the resource. */
  readonly times: readonly BodyTime[]
}

/** Thrown for a value that a template cannot have: its field is omitted. */
const omitted = Symbol('omitted')

/** Learns the template of a body, and its times. */
export class BodyLearner {
  readonly #facts: EventFacts
  readonly #signed: readonly string[]
  readonly #undecided: UndecidedList
  readonly #isSecret: (text: string) => boolean
  readonly #times: BodyTime[] = []

  /**
   * @param signed the values in the signed text.
   * @param isSecret whether a text must not be in the description.
   */
  constructor(
    facts: EventFacts,
    signed: readonly string[],
    undecided: UndecidedList,
    isSecret: (text: string) => boolean,
  ) {
    this.#facts = facts
    this.#signed = signed
    this.#undecided = undecided
    this.#isSecret = isSecret
  }

  learn(body: Record<string, unknown>): LearnedBody {
    if (this.#facts.resource?.path.length === 0)
      this.#undecided.add(
        'body',
        'has the fields of the resource at its top; other resources may have other fields',
      )
    const template = this.#fields(body, [])
    return { template, times: this.#times }
  }

  #fields(value: Record<string, unknown>, path: Path): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        if (this.#isSecret(key)) {
          this.#undecided.add(
            pathName(['body', ...path]),
            'a field is omitted, as its name contains a secret',
          )
          return []
        }
        const learned = this.#valueOf(inner, [...path, key], key)
        return learned === omitted ? [] : [[key, learned]]
      }),
    )
  }

  #valueOf(value: unknown, path: Path, key: string): unknown {
    const { resource, previous } = this.#facts
    if (resource && isAt(path, resource))
      return resourceTemplate(resource, this.#facts.types, this.#undecided, this.#isSecret)
    if (previous && isAt(path, previous)) return previousTemplate(previous, resource, this.#undecided)
    if (Array.isArray(value)) {
      const items = value.map((item: unknown, index) => this.#valueOf(item, [...path, index], key))
      return items.filter((item) => item !== omitted)
    }
    if (isJsonObject(value)) {
      if (resource?.isFull && isDeepStrictEqual(value, resource.value))
        return this.#guess(
          path,
          '{resource}',
          'equals the resource; it may be the resource before the change',
        )
      if (Object.keys(value).length > 0) return this.#fields(value, path)
    }
    return this.#scalar(value, path, key)
  }

  #scalar(value: unknown, path: Path, key: string): unknown {
    const { resource, type } = this.#facts
    if (typeof value === 'string' && this.#isSecret(value))
      return this.#omit(path, 'omitted, as it contains a secret')
    if (value instanceof ExactNumber) return this.#omit(path, 'omitted: a number that JSON readers change')
    if (
      resource?.path.length === 0 &&
      resource.value[key] === value &&
      path.length === 1 &&
      isFieldOf(type, key, value)
    )
      return `{resource.${key}}`
    return this.#equalTo(value, path, key) ?? this.#other(value, path, key)
  }

  /** Returns the placeholder of a value that equals the id or the type of the event, or the id of the resource. */
  #equalTo(value: unknown, path: Path, key: string): string | undefined {
    const { id, typeName, resource, names } = this.#facts
    const resourceId = resource && idIn(resource.value)
    const at = pathName(['body', ...path])
    const isDoubtful = isShort(typeof value === 'string' ? value : '') && !/id|ref/i.test(key)
    if (value === id && id !== undefined) {
      if (id === resourceId) this.#undecided.add(at, 'the event and the resource have the same id')
      if (isDoubtful) this.#undecided.add(at, 'equals the id of the event')
      return '{event.id}'
    }
    if (value === typeName && typeName !== undefined) {
      if (typeof names === 'object' && !isTypeField(key))
        this.#undecided.add(at, 'equals the type of the event')
      return '{event.type}'
    }
    if (value !== resourceId || resourceId === undefined) return undefined
    if (isDoubtful) this.#undecided.add(at, 'equals the id of the resource')
    const field = idFieldOf(resource)
    if (field !== 'id') this.#undecided.add(at, `has the ${field} of a statement; other resources have an id`)
    return `{resource.${field}}`
  }

  #other(value: unknown, path: Path, key: string): unknown {
    const { resource, type } = this.#facts
    const isOfResource = key === 'id' && isResourceField(String(path.at(-2) ?? ''))
    if (typeof value === 'string' && (isOfResource || isResourceIdField(type, key)))
      return this.#guess(path, `{resource.${idFieldOf(resource)}}`, 'taken as the id of the resource')
    const time = typeof value === 'string' || typeof value === 'number' ? timeOf(String(value)) : undefined
    const isDigits = time !== undefined && /^[\d.]+$/.test(time.text)
    if (time && (!isDigits || isTimeName(key) || this.#signed.includes(time.text)))
      return timeTemplate({ time, value, path, key }, this.#facts, this.#times, this.#undecided)
    if (value === null && isPreviousField(key))
      return this.#guess(path, '{previous}', 'is null, and taken as the resource before the change')
    return this.#fieldOfResource(value, path, key) ?? this.#constant(value, path)
  }

  /** A value of the resource at another position. Equal values may be a coincidence. */
  #fieldOfResource(value: unknown, path: Path, key: string): string | undefined {
    const { resource, type } = this.#facts
    const isField = key !== 'id' && isFieldOf(type, key, value)
    if (resource?.isFull) {
      if (isField && isDeepStrictEqual(resource.value[key], value))
        return this.#guess(path, `{resource.${key}}`, 'equals the field of the resource')
      const same =
        typeof value === 'string' &&
        Object.keys(resource.value).find((name) => name.endsWith('_id') && resource.value[name] === value)
      return same ? this.#guess(path, `{resource.${same}}`, `equals ${same} of the resource`) : undefined
    }
    const isTyped = typeof value === 'string' || typeof value === 'number'
    return isField && isTyped && !['type', 'currency'].includes(key)
      ? this.#guess(path, `{resource.${key}}`, 'has the name of a field of the resource')
      : undefined
  }

  #constant(value: unknown, path: Path): unknown {
    const { id, resource } = this.#facts
    if (path.some((name) => isSecretName(String(name))))
      return this.#omit(path, 'omitted: its name looks secret')
    if (typeof value !== 'string') return this.#guess(path, value, copied)
    const resourceId = resource && idIn(resource.value)
    const template = replaceTokens(value, [
      [id, '{event.id}'],
      [resourceId, `{resource.${idFieldOf(resource)}}`],
    ])
    if (partsOf(value).some((part) => typeof part !== 'string'))
      return this.#omit(path, 'omitted: a description would take its braces as a placeholder')
    return this.#guess(
      path,
      template,
      template === value ? copied : 'a part of the text is taken as an id, and the rest is copied',
    )
  }

  #guess<T>(path: Path, template: T, why: string): T {
    this.#undecided.add(pathName(['body', ...path]), why)
    return template
  }

  #omit(path: Path, why: string): symbol {
    return this.#guess(path, omitted, why)
  }
}

/** The reason of every constant. */
export const copied = 'copied as it is; one delivery cannot show whether it varies'

const idFieldOf = (resource: FoundResource | undefined): string =>
  resource && Object.hasOwn(resource.value, 'statement_id') ? 'statement_id' : 'id'

const isAt = (path: Path, found: FoundResource): boolean =>
  found.path.length > 0 && isDeepStrictEqual(path, found.path)
