// Validates a description of webhook events; problems of a file are shown at their lines.
import { describeSchemaIssues, readBySchema } from '../input/schema-issues.ts'
import { ProblemList } from '../input/problem-list.ts'
import { withoutPassedOver, type Source } from '../input/source-file.ts'
import { descriptionSchema } from './description-schema.ts'
import type { WebhookDescription } from './description-type.ts'

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
    problems.add({ source, path, message, at })
  throw problems.error()
}
