// Validates a description of webhook events; problems of a file are shown at their lines.
import { isJsonObject } from '../contract/formats.ts'
import { describeSchemaIssues, readBySchema } from '../input/schema-issues.ts'
import { ProblemList } from '../input/problem-list.ts'
import { withoutPassedOver, type Source } from '../input/source-file.ts'
import { descriptionSchema } from './description-schema.ts'
import type { Path } from '../json/json-text.ts'
import type { WebhookDescription } from './description-type.ts'
import { valueAt } from './placeholders.ts'

/**
 * Validates a description.
 *
 * @throws {DocumentError} with every problem, at its line and column.
 * @example readDescription(await readSource('/app/webhooks.yaml', 'webhooks.yaml'))
 */
export function readDescription(source: Source): WebhookDescription {
  const { data, issues } = readBySchema(descriptionSchema, withoutPassedOver(source.value))
  if (issues === undefined) return data
  const problems = new ProblemList({ byLine: true })
  for (const { path, message, at } of describeSchemaIssues(issues, descriptionSchema))
    problems.add({ source, path, message: isMissing(source.value, path) ? 'is required' : message, at })
  throw problems.error()
}

/** Whether a path ends at a field that its object does not have. */
function isMissing(value: unknown, path: Path): boolean {
  const names = path.map(String)
  const object = valueAt(value, names.slice(0, -1))
  return isJsonObject(object) && valueAt(object, names.slice(-1)) === undefined
}
