// The page of events: its test of a receiver runs, and its description is the preset that it says.
import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { eventTypeNames, eventTypes } from '../../src/contract/event-types.ts'
import { presets } from '../../src/events/presets/index.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { partnerProject, runNode, saveFile } from '../helpers/partner-project.ts'

const page = readFileSync(join(packageRoot(), 'docs', 'events.md'), 'utf8')
const blocks = blocksOf(page).map(({ code }) => code)

it('the test of a receiver passes as it is printed', async () => {
  const folder = await partnerProject()
  for (const name of ['hono', 'standardwebhooks', '@stablelib', 'fast-sha256', 'vitest', '@vitest']) {
    await symlink(join(packageRoot(), 'node_modules', name), join(folder, 'node_modules', name)).catch(
      () => undefined,
    )
  }
  const suite = blocks.find((code) => code.includes('standardwebhooks')) ?? ''
  await saveFile(folder, 'receiver.test.ts', suite)
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs')
  const { code, output } = await runNode([vitest, 'run', '--root', folder], folder)
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/Tests\s+3 passed/) })
})

it('the description is the preset standard', () => {
  expect(parse(blocks.find((code) => code.startsWith('names:')) ?? '')).toEqual(presets.standard)
})

describe('the tables', () => {
  it.each(eventTypeNames)('have the type %s with the occasion that creates it', (type) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${type}\``)) ?? ''
    const about = eventTypes[type].about.replaceAll('`', '')
    expect(row.replaceAll('`', '')).toContain(about)
  })

  it.each(Object.keys(presets))('have the preset %s', (name) => {
    expect(page).toContain(`| \`${name}\``)
  })
})
