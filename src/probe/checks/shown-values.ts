// Checks of shown values: each enum value and kind of a resource that a row of the target has.
import { isJsonObject } from '../../contract/formats.ts'
import { rowsIn } from '../../coverage/points/result-rows.ts'
import { cannotTell } from '../probe.ts'
import { needsOf, onlyReads, plain } from './calls.ts'
import { changing } from './changing.ts'
import { holds, type Checking, type Facet } from './check.ts'
import { isSuccess } from '../answers.ts'
import { inWords } from './seen.ts'
import { decidedBy } from './undecided.ts'

export const shownValues: Facet = (endpoint, { name, recipe }): Checking => {
  if (name.startsWith('scopes/')) return decidedBy('create_key_shape')
  const { shows, about } = recipe
  const isShown = (row: Record<string, unknown>): boolean =>
    shows ? row[shows.field] === shows.value : Boolean(about?.(row))
  const { needs, uses, step } = onlyReads(endpoint)
    ? { needs: needsOf(endpoint), uses: undefined, step: plain(endpoint) }
    : changing(endpoint)
  const [what = '', value = ''] = name.split('/')
  return {
    needs,
    ...(uses ? { uses } : {}),
    steps: [step],
    read(context) {
      const answer = context.answer(step.name)
      if (!answer || !isSuccess(answer)) {
        return cannotTell(answer ? `it was answered ${inWords(answer)}` : 'nothing was asked')
      }
      const rows = rowsIn(answer.json).filter(isJsonObject)
      if (rows.some(isShown)) return holds
      const place = uses ? `expendable.${Object.keys(uses).join()}` : needs.join(' and ')
      return cannotTell(`no row that was read has ${what} ${value}`, `a row of ${what} ${value}, of ${place}`)
    },
  }
}
