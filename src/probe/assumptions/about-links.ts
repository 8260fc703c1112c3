// Probes of the assumptions about linking customers.
import { linkCustomer } from '../../endpoints/customer-links.ts'
import { searchCustomers } from '../../endpoints/customers.ts'
import { answeredAs } from '../../contract/errors.ts'
import { valuesOf } from '../../contract/assumptions.ts'
import { fieldOf, isSuccess, pageIn, unlike } from '../answers.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { pathTo } from '../path-to.ts'
import { cannotTell, other, value, type ProbeContext, type Reading, type Step } from '../probe.ts'
import type { Answer } from '../read-answer.ts'
import { fromService } from '../service-text.ts'
import type { ProbesOf } from './probes-of.ts'

type LinkAssumptionId = 'link_response' | 'link_conflict_status' | 'link_conflict_type' | 'link_replaces'

/**
 * Both customers are expendable, as a service without this conflict moves the identifier to the other one. One conflict
 * answers two questions.
 */
const conflicting: readonly Step[] = [
  { ...link('link', 0, 'conflict'), once: true },
  { ...link('link another', 1, 'conflict'), once: true },
]

export const linkProbes: ProbesOf<LinkAssumptionId> = {
  link_response: {
    id: 'link_response',
    needs: [],
    uses: { customers: 1 },
    steps: [link('link', 0, 'response')],
    read(context) {
      const answer = context.answer('link')
      if (!isSuccess(answer)) return notLinked(answer)
      if (answer?.status === 204) return value('no_content')
      const [linked] = context.rows.customers
      if (answer?.status === 200 && fieldOf(answer, 'customer_id') === linked) return value('link')
      if (answer?.status === 200 && fieldOf(answer, 'id') === linked) return value('customer')
      return other(`status ${answer?.status} without the link and the customer`)
    },
  },
  link_conflict_status: {
    id: 'link_conflict_status',
    needs: [],
    uses: { customers: 2 },
    steps: conflicting,
    read(context) {
      const answer = conflictOf(context)
      if ('is' in answer) return answer
      const status = valuesOf('link_conflict_status').find((one) => one === answer.status)
      return status === undefined ? unlike(answer) : value(status)
    },
  },
  link_conflict_type: {
    id: 'link_conflict_type',
    needs: [],
    uses: { customers: 2 },
    steps: conflicting,
    read(context) {
      const answer = conflictOf(context)
      if ('is' in answer) return answer
      const error = errorIn(answer)
      const type = error?.shape === 'B' ? error.type : ''
      const known = valuesOf('link_conflict_type').find((one) => answeredAs(one, answer.status) === type)
      return known === undefined ? other(`type ${fromService(type)}`) : value(known)
    },
  },
  link_replaces: {
    id: 'link_replaces',
    needs: [],
    uses: { customers: 1 },
    steps: [
      link('link', 0, 'first'),
      link('link again', 0, 'second'),
      {
        name: 'holder',
        risk: 'read',
        method: 'GET',
        path: ({ run }) => `${searchCustomers.path}?partner_customer_id=${run}-second`,
        request: () => ({}),
      },
    ],
    read(context) {
      if (!isSuccess(context.answer('link'))) return notLinked(context.answer('link'))
      const again = context.answer('link again')
      const conflicts: readonly number[] = valuesOf('link_conflict_status')
      if (!again) return unlike(again)
      if (!isSuccess(again)) {
        return errorIn(again)?.shape === 'B' && conflicts.includes(again.status)
          ? value('refuse')
          : unlike(again)
      }
      const [holder] = pageIn(context.answer('holder'))?.items ?? []
      return holder?.['id'] === context.rows.customers[0]
        ? value('replace')
        : other('it is accepted, but the customer lacks the new identifier')
    },
  },
}

/** The answer to the second of two customers who are linked to one identifier. */
function conflictOf(context: ProbeContext): Answer | Reading<never> {
  if (!isSuccess(context.answer('link'))) return notLinked(context.answer('link'))
  const answer = context.answer('link another')
  if (!answer || isSuccess(answer))
    return answer ? other('two customers hold one identifier') : unlike(answer)
  const shape = errorIn(answer)?.shape
  if (shape !== 'B') return shape === 'C' ? notLinked(answer) : unlike(answer)
  return answer
}

/** Links an expendable customer to an identifier of this run, which no other customer can have. */
function link(name: string, row: number, identifier: string): Step {
  return {
    name,
    risk: 'irreversible',
    method: 'POST',
    path: ({ rows }) => pathTo(linkCustomer, { customer_id: rows.customers[row] }),
    request: ({ run }) => ({ json: { partner_customer_id: `${run}-${identifier}` } }),
  }
}

function notLinked(answer: Answer | undefined): Reading<never> {
  if (!answer) return unlike(answer)
  return cannotTell(
    `an expendable customer could not be linked: it was answered ${briefly(answer)}`,
    'expendable.customers that exist and have no partner_customer_id',
  )
}
