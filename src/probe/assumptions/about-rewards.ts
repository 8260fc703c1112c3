// Probes of the assumptions about rewards, their balance and their categories.
import { searchCustomers } from '../../endpoints/customers.ts'
import { listRewardCategories } from '../../endpoints/reward-categories.ts'
import { retrieveReward, retrieveRewardsBalance, rewardTargets } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import { valuesOf } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { rewardStatuses, updatableRewardStatus } from '../../contract/resources/reward.ts'
import { languageOf, locales } from '../../endpoints/localized.ts'
import { fieldOf, isViolation, pageIn, isSuccess, unlike } from '../answers.ts'
import type { Answer } from '../read-answer.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { found } from '../target.ts'
import { balanceProbe } from './balance-statuses.ts'
import { step } from './common-steps.ts'
import { customerPageSteps, rowsOfCustomerPages } from './customer-pages.ts'
import { amountProbe } from './rejected-intent.ts'
import type { ProbesOf } from './probes-of.ts'
import { updateReward } from './reward-steps.ts'

type RewardAssumptionId =
  | 'balance_statuses'
  | 'reward_amount_zero'
  | 'reward_target_statuses'
  | 'reward_not_pending'
  | 'reward_description_language'
  | 'locale_parameter'

type Row = Readonly<Record<string, unknown>>

const spanish = locales.es.example
const localeNames = valuesOf('locale_parameter')

const categories = (name: string, query = ''): Step => ({
  name,
  risk: 'read',
  method: 'GET',
  path: () => listRewardCategories.path + query,
  request: () => ({}),
})

/** The categories without a locale, and with a Spanish locale under each possible name. */
const spanishCategories = [
  categories('plain'),
  ...localeNames.map((name) => categories(name, `?${name}=${spanish}`)),
]

/** Enough for one Spanish-speaking and two other customers if each page has one. */
const pagesForLanguages = 4

export const rewardProbes: ProbesOf<RewardAssumptionId> = {
  balance_statuses: balanceProbe,
  reward_amount_zero: amountProbe('reward_amount_zero', [
    step('of a reward', 'refusal', 'PATCH', pathTo(retrieveReward, { reward_id: 'rwd_cannot_exist' }), {
      json: { amount: 0 },
    }),
  ]),
  reward_target_statuses: {
    id: 'reward_target_statuses',
    needs: [],
    uses: { pending_rewards: 2 },
    // The first reward stays pending in any case. The answer to the second is known by then to be a rule.
    steps: [
      updateReward('PENDING', 0, () => ({ status: 'PENDING' })),
      updateReward('PENDING_DEDUCTION', 0, () => ({ status: 'PENDING_DEDUCTION' })),
      updateReward('DEDUCTED', 1, () => ({ status: 'DEDUCTED' })),
      // Shows that the reward could be updated all along.
      updateReward('AVAILABLE', 1, (context) =>
        isSuccess(context.answer('DEDUCTED')) ? undefined : { status: 'AVAILABLE' },
      ),
    ],
    read(context) {
      const requested = rewardStatuses.flatMap((status) => {
        const answer = context.answer(status)
        return answer ? [{ status, answer }] : []
      })
      const unclear = requested.find(({ answer }) => !isSuccess(answer) && !isViolation(answer))
      if (unclear) return notUpdated(unclear.answer)
      const fitting = valuesOf('reward_target_statuses').filter((one) =>
        requested.every(({ status, answer }) => rewardTargets[one].includes(status) === isSuccess(answer)),
      )
      const [target, another] = fitting
      if (another) return cannotTell('the rewards could not be updated to every status')
      const accepted = requested.filter(({ answer }) => isSuccess(answer)).map(({ status }) => status)
      return target
        ? value(target)
        : other(`of ${requested.map(({ status }) => status).join(', ')}: ${accepted.join(', ') || 'none'}`)
    },
  },
  reward_not_pending: {
    id: 'reward_not_pending',
    needs: [],
    uses: { pending_rewards: 1 },
    steps: [
      updateReward('update', 0, () => ({ status: 'AVAILABLE' })),
      updateReward('update again', 0, (context) =>
        isSuccess(context.answer('update')) ? { status: 'AVAILABLE' } : undefined,
      ),
    ],
    read(context) {
      const first = context.answer('update')
      if (!isSuccess(first)) return notUpdated(first)
      const answer = context.answer('update again')
      if (!answer || errorIn(answer)?.shape !== 'B') return unlike(answer)
      if (answer.status === 400) return value('bad_request')
      return answer.status === 409 ? value('conflict') : unlike(answer)
    },
  },
  reward_description_language: {
    id: 'reward_description_language',
    needs: [],
    steps: [
      {
        name: 'search',
        risk: 'read',
        method: 'GET',
        path: ({ target }) =>
          `${searchCustomers.path}?partner_customer_id=${encodeURIComponent(found(target, 'ids.partner_customer_id') ?? '')}`,
        request: ({ target }) => (found(target, 'ids.partner_customer_id') === undefined ? undefined : {}),
      },
      ...customerPageSteps(pagesForLanguages, (_, context) =>
        speakersOf(context).every((id) => id !== undefined),
      ),
      ...spanishCategories,
      ...[0, 1, 2].map((place): Step => ({
        name: `balance ${place}`,
        risk: 'read',
        method: 'GET',
        path: () => pathTo(retrieveRewardsBalance),
        request(context) {
          const id = speakersOf(context)[place]
          return id === undefined ? undefined : { path: pathTo(retrieveRewardsBalance, { customer_id: id }) }
        },
      })),
    ],
    read(context) {
      const answers = [0, 1, 2].map((place) => context.answer(`balance ${place}`))
      if (answers.includes(undefined)) {
        const [one] = speakersOf(context)
        return cannotTell(
          one === undefined
            ? 'no customer that was read prefers Spanish'
            : 'all customers that were read prefer Spanish',
          'a customer who prefers Spanish as ids.partner_customer_id, and 2 more who do not',
        )
      }
      const failed = answers.find((answer) => !isSuccess(answer))
      if (failed) return unlike(failed)
      // Numbers may belong to the customer.
      const [own, english, another] = answers.map((answer) =>
        String(fieldOf(answer, 'reward_description')).replace(/\d+/g, '0'),
      )
      if (english !== another) return cannotTell('descriptions differ among customers of one language')
      if (own !== english) return value('preferred_language')
      return isTranslated(context) ? value('english') : oneLanguage()
    },
  },
  locale_parameter: {
    id: 'locale_parameter',
    needs: [],
    steps: spanishCategories,
    read: nameOfLocale,
  },
}

/** The name under which the locale changes the texts, or the only name that is not refused. */
function nameOfLocale(context: ProbeContext): Reading<(typeof localeNames)[number]> {
  const plain = context.answer('plain')
  if (!isSuccess(plain)) return unlike(plain)
  const accepted = localeNames.filter((name) => isSuccess(context.answer(name)))
  const changing = accepted.filter((name) => textsIn(context.answer(name)) !== textsIn(plain))
  const [one, another] = changing
  if (another) return other(`${changing.join(' and ')} all change the language`)
  if (one) return value(one)
  const refused = localeNames.filter((name) => isViolation(context.answer(name)))
  const [only, ...more] = accepted
  if (refused.length + accepted.length < localeNames.length) {
    return unlike(localeNames.map((name) => context.answer(name)).find((answer) => !isSuccess(answer)))
  }
  if (only === undefined) return other(`none of ${localeNames.join(', ')} is known`)
  return more.length === 0 ? value(only) : oneLanguage()
}

/** Whether the product has texts in Spanish. */
function isTranslated(context: ProbeContext): boolean {
  const plain = textsIn(context.answer('plain'))
  const texts = localeNames.map((name) => textsIn(context.answer(name)))
  return texts.some((text) => text !== undefined && text !== plain)
}

function oneLanguage(): Reading<never> {
  return cannotTell('the categories have the same texts in every language', 'a product with texts in Spanish')
}

/** Returns the texts of categories, as one text to compare. */
function textsIn(answer: Answer | undefined): string | undefined {
  if (!isSuccess(answer)) return undefined
  return JSON.stringify(rowsIn(answer).map(({ name, description }) => [name, description]))
}

/** Returns the categories of an answer, the special ones last. */
function rowsIn(answer: Answer | undefined): Row[] {
  return ['categories', 'special_categories'].flatMap((name) => {
    const list = fieldOf(answer, name)
    return Array.isArray(list) ? list.filter(isJsonObject) : []
  })
}

/** Returns the ids of a Spanish-speaking customer and of two others, as far as they were found. */
function speakersOf(context: ProbeContext): (string | undefined)[] {
  const rows = [...(pageIn(context.answer('search'))?.items ?? []), ...rowsOfCustomerPages(context)]
  const idOf = ({ id }: Row): string[] => (typeof id === 'string' ? [id] : [])
  const [own] = rows.filter(isSpanish).flatMap(idOf)
  const [english, another] = [...new Set(rows.filter(isEnglish).flatMap(idOf))]
  return [own, english, another]
}

/** Independent of how locales are compared. */
const isSpanish = ({ preferred_language: language }: Row): boolean =>
  typeof language === 'string' && languageOf(language) === 'es'

const isEnglish = ({ preferred_language: language }: Row): boolean =>
  typeof language !== 'string' || /^en\b/i.test(language)

/** An expendable reward that was no longer pending, or does not exist. */
function notUpdated(answer: Answer | undefined): Reading<never> {
  if (!answer) return unlike(answer)
  return cannotTell(
    `an expendable reward could not be updated: it was answered ${briefly(answer)}`,
    `expendable.pending_rewards that are ${updatableRewardStatus}`,
  )
}
