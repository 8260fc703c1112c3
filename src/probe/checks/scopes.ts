// Checks of scopes: a call is refused without a required scope, and fields are omitted without an optional one.
import { isJsonObject } from '../../contract/formats.ts'
import { scopeNames, type Scope } from '../../contract/scopes.ts'
import { rowsIn } from '../../coverage/points/result-rows.ts'
import type { Draft } from '../../coverage/points/point.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { Answer } from '../read-answer.ts'
import { cannotTell, type Reading, type Step } from '../probe.ts'
import { found, type Need } from '../target.ts'
import { call, needsOf, onlyReads, plain, type Change } from './calls.ts'
import { broken, holds, type Checking, type Facet } from './check.ts'
import { isSuccess } from '../answers.ts'
import { inWords, isRefusedKey, readAnswer } from './seen.ts'
import { decidedBy } from './undecided.ts'

export const scopes: Facet = (endpoint, draft) => {
  const { scope } = endpoint
  if (scope !== undefined) {
    return draft.name.endsWith('/held') ? held(endpoint) : refused(endpoint, scope)
  }
  // The answer to linking a customer is an assumption, and so are its omitted fields.
  if (!onlyReads(endpoint)) return decidedBy('link_response')
  return draft.name.endsWith('/present') ? present(endpoint, draft) : absent(endpoint, draft)
}

function held(endpoint: Endpoint): Checking {
  const step = plain(endpoint)
  return {
    needs: [],
    steps: [step],
    read: (context) =>
      readAnswer(context, step.name, (answer) => {
        if (isRefusedKey(answer)) return cannotTell(`the key is refused: ${inWords(answer)}`)
        return answer.status === 403 ? broken(inWords(answer), 'no 403, as keys.full has every scope') : holds
      }),
  }
}

function refused(endpoint: Endpoint, scope: Scope): Checking {
  const step = call(endpoint, `without ${scope}`, { key: `without.${scope}` })
  return {
    needs: [`keys.without.${scope}`],
    steps: [step],
    read: (context) =>
      readAnswer(context, step.name, (answer) => {
        if (answer.status === 403) return holds
        if (answer.status === 401) return cannotTell(`the key is refused: ${inWords(answer)}`)
        return broken(inWords(answer), 'status 403')
      }),
  }
}

/** The rows with fields that a scope protects: for a search, the customer that the target names by the partner's id. */
function rowsStep(endpoint: Endpoint, change: Change): Step<'holds'> {
  const step = call(endpoint, change.key === undefined ? 'with the scope' : 'without the scope', change)
  if (!('partner_customer_id' in endpoint.query)) return step
  return {
    ...step,
    path: (context) => {
      const id = found(context.target, 'ids.partner_customer_id') ?? ''
      return `${step.path(context)}?partner_customer_id=${encodeURIComponent(id)}`
    },
  }
}

function withRows(endpoint: Endpoint): { needs: Need[]; step: Step<'holds'> } {
  const needs: Need[] =
    'partner_customer_id' in endpoint.query ? ['ids.partner_customer_id'] : needsOf(endpoint)
  return { needs, step: rowsStep(endpoint, {}) }
}

function present(endpoint: Endpoint, { recipe }: Draft): Checking {
  const { needs, step } = withRows(endpoint)
  return {
    needs,
    steps: [step],
    read: (context) =>
      readAnswer(context, step.name, (answer) =>
        shows(answer, recipe.about) ? holds : nothingToShow(answer),
      ),
  }
}

function absent(endpoint: Endpoint, { name, recipe }: Draft): Checking {
  const scope = scopeNames.find((one) => name === `scope/${one}/absent`)
  if (scope === undefined) throw new Error(`${name} names no scope`)
  const { needs, step } = withRows(endpoint)
  const without = rowsStep(endpoint, { key: `without.${scope}` })
  return {
    needs: [`keys.without.${scope}`, ...needs],
    steps: [step, without],
    read: (context) =>
      readAnswer(context, step.name, (plainAnswer) =>
        readAnswer(context, without.name, (answer): Reading<'holds'> => {
          if (shows(answer, recipe.about)) return broken('an answer that shows them', 'one that omits them')
          if (!isSuccess(plainAnswer)) return nothingToShow(plainAnswer)
          if (answer.status === 401) return cannotTell(`the key is refused: ${inWords(answer)}`)
          if (!isSuccess(answer)) return broken(inWords(answer), 'a success')
          return shows(plainAnswer, recipe.about) ? holds : nothingToShow(plainAnswer)
        }),
      ),
  }
}

const nothingToShow = (answer: Answer): Reading<'holds'> =>
  isSuccess(answer)
    ? cannotTell('no row that was read has these fields', 'a row that has them')
    : cannotTell(`it was answered ${inWords(answer)}`)

/** Whether any row of an answer has a value in a protected field. */
const shows = ({ json }: Answer, about: Draft['recipe']['about']): boolean =>
  rowsIn(withoutNulls(json)).some((row) => isJsonObject(row) && about?.(row))

const withoutNulls = (json: unknown): unknown =>
  json === undefined || json === null
    ? undefined
    : JSON.parse(JSON.stringify(json, (_, value: unknown) => value ?? undefined))
