// Checks of locales: the language of texts in an answer, by comparing those of each locale.
import { valuesOf } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { locales as kinds, type LocaleKind } from '../../endpoints/localized.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { Answer } from '../read-answer.ts'
import { cannotTell, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { call, plain } from './calls.ts'
import { broken, holds, type Facet } from './check.ts'
import { isSuccess } from '../answers.ts'
import { detailsOf, inWords, namesField } from './seen.ts'

const kindNames = Object.keys(kinds) as LocaleKind[]

export const locales: Facet = (endpoint, { name }) => {
  const kind = kindNames.find((one) => name === `locale/${one}`)
  if (kind === undefined) throw new Error(`${name} names no kind of locale`)
  return { needs: [], steps: stepsOf.get(endpoint) ?? [], read: (context) => read(kind, context) }
}

const requestedKinds = kindNames.filter((kind) => kinds[kind].example !== undefined)

function namesIn({ query }: Endpoint): readonly string[] {
  const nameFrom = query['locale']?.nameFrom
  return nameFrom === undefined ? [] : valuesOf(nameFrom)
}

const underEach = (kind: LocaleKind): string => `${kind} under each name`

/**
 * Sends all names together; if that is refused, as all but one are unknown, the details name all except the right one,
 * which is then sent alone.
 */
function asking(endpoint: Endpoint, kind: LocaleKind, names: readonly string[]): Step<'holds'>[] {
  const locale = kinds[kind].example ?? ''
  const all = call(endpoint, underEach(kind), {
    query: `?${names.map((name) => `${name}=${locale}`).join('&')}`,
  })
  const alone = call(endpoint, kind, { query: `?<locale>=${locale}` })
  const first = underEach(requestedKinds[0] ?? kind)
  return [
    // If the first is refused, so are the others.
    {
      ...all,
      request: (context) =>
        all.name === first || wasTaken(context, first) ? all.request(context) : undefined,
    },
    {
      ...alone,
      request(context) {
        const name = wasTaken(context, first) ? undefined : nameIn(context, first, names)
        const path = alone.path(context).replace('<locale>', name ?? '')
        return name === undefined ? undefined : { ...alone.request(context), path }
      },
    },
  ]
}

function wasTaken(context: ProbeContext, step: string): boolean {
  const answer = context.answer(step)
  return answer !== undefined && isSuccess(answer)
}

function nameIn(context: ProbeContext, step: string, names: readonly string[]): string | undefined {
  const answer = context.answer(step)
  const details = answer ? detailsOf(answer) : []
  const left = names.filter((name) => !details.some((detail) => namesField(detail, name)))
  return left.length === 1 ? left[0] : undefined
}

/** The same steps for all kinds, as each compares all of them. */
const stepsOf = new Map(
  endpoints.map((endpoint) => {
    const names = namesIn(endpoint)
    return [endpoint, [plain(endpoint), ...requestedKinds.flatMap((kind) => asking(endpoint, kind, names))]]
  }),
)

/** The translated texts of each kind, if the call succeeded. */
function textsIn(context: ProbeContext): Partial<Record<LocaleKind, string>> {
  return Object.fromEntries(
    kindNames.flatMap((kind) => {
      const answer =
        kind === 'none' ? context.answer('plain') : (context.answer(kind) ?? context.answer(underEach(kind)))
      return answer && isSuccess(answer) ? [[kind, textsOf(answer)]] : []
    }),
  )
}

function textsOf({ json }: Answer): string {
  const lists = isJsonObject(json) ? [json['categories'], json['special_categories']] : []
  const rows = lists.flat().filter(isJsonObject)
  return JSON.stringify(rows.map(({ name, description }) => [name, description]))
}

function read(kind: LocaleKind, context: ProbeContext): Reading<'holds'> {
  const texts = textsIn(context)
  const other = context.answer('other') ?? context.answer(underEach('other'))
  // If Spanish is known to be supported, an unsupported locale is no reason to refuse the call.
  const isRefused = other !== undefined && other.status >= 400 && other.status < 500
  if (!isRefused || texts.none === undefined || texts.es === undefined || texts.es === texts.none)
    return compare(kind, texts)
  if (kind === 'other') return broken(inWords(other), 'English texts')
  return compare(kind, { ...texts, other: texts.none })
}

/** Texts do not name their language: those that must be equal are compared, if Spanish differs at all. */
function compare(kind: LocaleKind, texts: Partial<Record<LocaleKind, string>>): Reading<'holds'> {
  const { none, es, es_regional: regional, other } = texts
  if (none === undefined || es === undefined || regional === undefined || other === undefined) {
    return cannotTell('the answers do not show the locale parameter')
  }
  if (none === es && other === es && regional === es) {
    return cannotTell('the texts are the same in Spanish', 'a product that has texts in both languages')
  }
  // Of two that must be English, one may be the Spanish text that is wrong there.
  const isNoneSpanish = none === es && other !== es
  switch (kind) {
    case 'none':
      return isNoneSpanish ? broken('the texts that Spanish has', 'English texts') : holds
    case 'other':
      return other === none || isNoneSpanish
        ? holds
        : broken('other texts than without a locale', 'English texts')
    case 'es':
      return es === none && es === other ? broken('the texts without a locale', 'Spanish texts') : holds
    case 'es_regional':
      return regional === (isNoneSpanish ? other : none) ? broken('English texts', 'Spanish texts') : holds
  }
}
