import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { format, resolveConfig } from 'prettier'
import { parse } from 'yaml'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import { scenarioSchema } from '../../src/scenarios/scenario-schema.ts'
import type { Whole } from '../helpers/catalogue-answers.ts'
import { open } from '../helpers/catalogue-stage.ts'
import { goldenPath, operations, worlds } from '../helpers/catalogue-worlds.ts'

/** The catalogue of the design, name by name. */
const names = [
  ...['customer', 'account', 'payment-method', 'transaction-intent', 'reward'].map((of) => `not-found-${of}`),
  ...[
    'transaction-intent-write',
    'transaction-intent-read',
    'account-read',
    'order-write',
    'pci-details-read',
    'authorized-user-read',
  ].map((scope) => `scope-missing-${scope}`),
  'version-unsupported',
  'version-sunset-2025-05-05',
  'version-latest-preview',
  'key-revoked',
  ...[
    'empty',
    'one-per-page',
    'exact-multiple',
    'short-last-page',
    'empty-page-with-more',
    'insert-while-walking',
    'delete-while-walking',
    'expired-cursor',
    'repeated-item',
    'missing-cursor',
    'repeated-cursor',
    'wrong-total',
  ].map((edge) => `pagination-${edge}`),
  'reward-settled-before-update',
  'reward-vanishes',
  'commit-but-answer-lost',
  'slow',
  'hang',
  'reset',
  'truncated',
  'rate-limited',
  'unavailable',
  'html-gateway-error',
  'flaky-every-third',
  'unknown-fields',
  'new-enum-values-latest',
  'null-optionals',
  ...[
    'same-json-other-bytes',
    'concurrent',
    'future-timestamp',
    'no-signature',
    'malformed-signature',
    'large',
    'duplicate',
    'drop',
    'reorder',
    'bad-signature',
    'stale-timestamp',
    'unknown-type',
    'unknown-fields',
    'early',
    'late',
  ].map((effect) => `event-${effect}`),
]

describe('the files', () => {
  it('one file for each name of the design, and no other', () => {
    const files = readdirSync('scenarios').filter((file) => file !== 'scenario.schema.json')
    expect(files).toEqual(names.map((name) => `${name}.yaml`).toSorted())
  })

  it('their names are known before they are read', async () => {
    const library = new ScenarioLibrary('scenarios', [], (path) => path)
    expect(library.names).toEqual(names.toSorted())
    await library.load()
    expect(library.names).toEqual(names.toSorted())
  })

  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(scenarioSchema())
  it.each(names)(
    '%s: names its schema and itself, says in one line what it does, and fits the schema',
    (name) => {
      const text = readFileSync(`scenarios/${name}.yaml`, 'utf8')
      expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=scenario.schema.json')
      const document = parse(text) as Record<string, unknown>
      expect(document['name']).toBe(name)
      expect(document['description']).toMatch(/^.{10,110}\.$/)
      validate(document)
      expect(validate.errors).toBeNull()
    },
  )

  it.each(names)('%s is tried in one of the files beside this one', (name) => {
    const tests = readdirSync('test/scenarios').filter((file) => /^catalogue-.*\.test\.ts$/.test(file))
    const naming = tests.filter((file) => {
      const text = readFileSync(`test/scenarios/${file}`, 'utf8')
      return text.includes(`'${name}'`) || text.includes(`'${name.replace('pagination-', '')}'`)
    })
    expect(naming).not.toEqual([])
  })
})

describe.each(worlds)('without a scenario, on %s', (_title, world) => {
  it('each operation answers as its golden file has it (vitest -u writes it)', async () => {
    const answers: Record<string, Whole> = {}
    for (const operation of operations) answers[operation] = await (await open(world)).ask(operation)
    const text = await format(JSON.stringify(answers, null, 2), {
      parser: 'json',
      ...(await resolveConfig(import.meta.filename)),
    })
    await expect(text).toMatchFileSnapshot(goldenPath(world))
  })
})
