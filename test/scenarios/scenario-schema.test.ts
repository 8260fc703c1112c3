import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { scenarioSchema } from '../../src/scenarios/scenario-schema.ts'

const file = join(packageRoot(), 'scenarios', 'scenario.schema.json')

test('the schema beside the scenarios, for editors, is the published one (npm run docs writes it)', () => {
  // On one line, as no person reads it and everybody downloads it.
  const published = `${JSON.stringify(scenarioSchema())}\n`
  if (process.env['UPDATE_DOCS']) writeFileSync(file, published)
  else expect(readFileSync(file, 'utf8')).toBe(published)
})
