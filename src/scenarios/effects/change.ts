// The effect `change`: rows that another party adds, edits or deletes before or after the call's own writes.
import { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { resolveAssumptions } from '../../input/resolve-assumptions.ts'
import { collectionNames, rowSchemas } from '../../store/rows.ts'
import { effect, type Targets } from '../effect.ts'
import { readPart, refuseUnknownKeys, unknownName, within, type Report } from '../report.ts'
import { moment } from './fields.ts'

export const change = effect({
  name: 'change',
  noun: 'collection',
  keys: collectionNames,
  help: 'Changes the state before the handler runs or after it; null deletes, $name is replaced by a value of the call.',
  schema: z.partialRecord(
    z.enum(collectionNames, { error: `must be one of ${collectionNames.join(', ')}` }),
    z.record(z.string(), z.unknown(), 'must be rows by their ids'),
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be rows by collection and id' : undefined) },
  ),
  extra: { at: moment },
  check: checkRows,
  apply(rows, call, _context, { at = 'before' }) {
    call.changes.push({ effect: 'change', at, rows })
  },
})

type Rows = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Checks that rows have known fields, and that references name values that the calls have. */
function checkRows(value: Rows, targets: Targets, report: Report): void {
  for (const collection of collectionNames) {
    const fields: Readonly<Record<string, z.ZodType>> = rowSchemas[collection].shape
    for (const [id, row] of Object.entries(value[collection] ?? {})) {
      const reportRow = within([collection, id], report)
      checkReference(id, targets, reportRow, 'key')
      if (row === null) continue
      if (!isJsonObject(row)) {
        reportRow([], 'must be an object of fields to change, or null to delete the row')
        continue
      }
      refuseUnknownKeys(row, Object.keys(fields), reportRow)
      for (const [field, inner] of Object.entries(row)) {
        const reportField = within([field], reportRow)
        const schema = Object.hasOwn(fields, field) ? fields[field] : undefined
        // An object is merged with the existing one, so only the complete row can be validated then.
        const isWhole = inner !== null && !isJsonObject(inner)
        // A value that no row can have would make a change that never happens.
        if (!hasReference(inner, targets, reportField) && schema && isWhole) {
          readPart(schema, inner, reportField, {})
        }
      }
    }
  }
}

/** Finds `$name` anywhere in a value, and reports references that the calls do not have. */
function hasReference(value: unknown, targets: Targets, report: Report): boolean {
  if (typeof value === 'string') {
    checkReference(value, targets, report, 'value')
    return value.startsWith('$')
  }
  const inner = Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : []
  return inner.filter(([key, item]) => hasReference(item, targets, within([key], report))).length > 0
}

function checkReference(text: string, targets: Targets, report: Report, at: 'key' | 'value'): void {
  if (!text.startsWith('$') || targets.all) return
  const name = text.slice(1)
  for (const endpoint of targets.endpoints) {
    const known = valueNames(endpoint)
    if (known.includes(name)) continue
    report([], `${endpoint.id} has no ${unknownName('value', name, known).replace(/^unknown /, '')}`, at)
  }
}

/** The values that `$name` can refer to in a call: its path parameters and the fields of its body. */
function valueNames(endpoint: Endpoint): string[] {
  const body = endpoint.body?.(resolveAssumptions())
  return [...Object.keys(endpoint.params), ...Object.keys(body?.shape ?? {})]
}
