// The diff of two states as text, with secrets hidden.
import type { ReadStateDiff } from '../workspaces/state-diff.ts'
import { isJsonObject } from '../contract/formats.ts'
import { stringify } from '../json/stringify.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { redactor } from '../secrets/redact.ts'
import { idField } from '../store/references.ts'
import { collectionNames } from '../store/rows.ts'

/**
 * Returns the changes as text: a line for each collection, one for each row in it, and one for each changed field.
 * Keys, secrets and card numbers are hidden, as in logs.
 *
 * @example
 * diffText(found)
 * // rewards: 1 changed, 1 removed
 * //   ~ rwd_ada_pending
 * //       status: "PENDING" -> "DEDUCTED"
 * //   - rwd_ada_deducted {"customer_id":"cus_ada", …}
 */
export function diffText(found: ReadStateDiff): string {
  const shown = valueTexts(found)
  const lines = Object.entries(found).flatMap(([collection, { added, changed, removed }]) => [
    `${collection}: ${counts({ added, changed, removed })}`,
    ...added.map((after) => `  + ${rowText(collection, after, shown)}`),
    ...changed.flatMap(({ id, fields }) => [
      `  ~ ${id}`,
      ...Object.entries(fields).map(([name, change]) => `      ${name}: ${changeText(name, change, shown)}`),
    ]),
    ...removed.map((before) => `  - ${rowText(collection, before, shown)}`),
  ])
  // An id or a name may have any characters, and must not end its line.
  return lines.map((line) => `${line.replaceAll('\n', '?')}\n`).join('')
}

function counts(lists: Readonly<Record<string, readonly unknown[]>>): string {
  return Object.entries(lists)
    .filter(([, rows]) => rows.length > 0)
    .map(([what, rows]) => `${rows.length} ${what}`)
    .join(', ')
}

/** Returns the value of a field of this name as JSON, with its secrets hidden. */
type ValueText = (name: string, value: unknown) => string

function valueTexts({ api_keys: keys }: ReadStateDiff): ValueText {
  const secrets = new KnownSecrets()
  secrets.note([...(keys?.added ?? []), ...(keys?.removed ?? [])])
  for (const { fields } of keys?.changed ?? []) {
    for (const [name, { before, after }] of Object.entries(fields)) {
      secrets.note([{ [name]: before }, { [name]: after }])
    }
  }
  const { json } = redactor(secrets)
  return (name, value) => {
    // Together, as the name alone can make its value secret.
    const shown = json({ [name]: value })
    return stringify(isJsonObject(shown) ? Object.values(shown)[0] : shown)
  }
}

function rowText(collection: string, fields: Readonly<Record<string, unknown>>, shown: ValueText): string {
  const known = collectionNames.find((name) => name === collection)
  const idName = known === undefined ? 'id' : idField(known)
  const others = Object.entries(fields)
    .filter(([name]) => name !== idName)
    .map(([name, value]) => `${JSON.stringify(name)}:${shown(name, value)}`)
  return `${String(fields[idName])} {${others.join(',')}}`
}

function changeText(name: string, change: { before?: unknown; after?: unknown }, shown: ValueText): string {
  const before = 'before' in change ? shown(name, change.before) : '(none)'
  const after = 'after' in change ? shown(name, change.after) : '(none)'
  return `${before} -> ${after}`
}
