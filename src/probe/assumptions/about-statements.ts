// Probes of the assumptions about statements.
import { retrieveRewardsBalance } from '../../endpoints/rewards.ts'
import { listStatements } from '../../endpoints/statements.ts'
import { pathTo } from '../path-to.ts'
import { valuesOf } from '../../contract/assumptions.ts'
import { isSuccess, typeOf, unlike } from '../answers.ts'
import { briefly } from '../error-shape.ts'
import { cannotTell, value, type Step } from '../probe.ts'
import { need, type Target } from '../target.ts'
import type { ProbesOf } from './probes-of.ts'
import { namingSteps, nameOfPageSize } from './page-size.ts'

/** The path of the statements of the target's account. */
export function statementsPath({ target }: { target: Target }): string {
  return pathTo(listStatements, {
    customer_id: need(target, 'ids.customer'),
    account_id: need(target, 'ids.account'),
  })
}

/** Shows that `ids.customer` is a customer. */
const customerIsThere: Step = {
  name: 'customer',
  risk: 'read',
  method: 'GET',
  path: ({ target }) => pathTo(retrieveRewardsBalance, { customer_id: need(target, 'ids.customer') }),
  request: () => ({}),
}

export const statementProbes: ProbesOf<'statements_page_size_parameter' | 'unknown_account_type'> = {
  statements_page_size_parameter: {
    id: 'statements_page_size_parameter',
    needs: ['ids.customer', 'ids.account'],
    steps: namingSteps('statements_page_size_parameter', statementsPath),
    read: (context) => nameOfPageSize('statements_page_size_parameter', context),
  },
  unknown_account_type: {
    id: 'unknown_account_type',
    needs: ['ids.customer'],
    steps: [
      customerIsThere,
      {
        name: 'unknown account',
        risk: 'refusal',
        method: 'GET',
        path: ({ target }) =>
          pathTo(listStatements, {
            customer_id: need(target, 'ids.customer'),
            account_id: 'acct_cannot_exist',
          }),
        request: () => ({}),
      },
    ],
    read(context) {
      const customer = context.answer('customer')
      // The error may be that of an unknown customer, so the customer must exist.
      if (!isSuccess(customer)) {
        const why = customer ? `ids.customer was answered ${briefly(customer)}` : 'nothing was asked'
        return cannotTell(why, 'a customer that exists as ids.customer')
      }
      const answer = context.answer('unknown account')
      const type = typeOf(answer)
      const known = valuesOf('unknown_account_type').find((one) => one === type)
      return known === undefined ? unlike(answer) : value(known)
    },
  },
}
