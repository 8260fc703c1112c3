import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { scenarioSchema } from '../../src/scenarios/scenario-schema.ts'

const file = join(packageRoot(), 'scenarios', 'scenario.schema.json')

test('the schema beside the scenarios, for editors, is the published one (npm run docs writes it)', () => {
  const published = scenarioSchema()
  if (process.env['UPDATE_DOCS']) writeFileSync(file, JSON.stringify(published, null, 2))
  else expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(published)
})
