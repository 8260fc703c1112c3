import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assumptionCatalogue, assumptionIds } from '../../src/contract/assumptions.ts'
import { packageRoot } from '../../src/runtime/host.ts'

const source = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith(join('contract', 'assumptions.ts')))
  .map((file) => readFileSync(join(packageRoot(), 'src', file), 'utf8'))
  // What is only documented with an assumption does not rest on it.
  .map((text) =>
    text.replaceAll(/'x-assumption': (\[[^\]]*\]|'[^']*')/g, '').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, ''),
  )
  .join('\n')

test.each(assumptionIds.filter((id) => assumptionCatalogue[id].alternatives.length > 0))(
  '%s, which has alternatives, decides something in the code',
  (id) => {
    expect(source).toMatch(new RegExp(`\\b${id}\\b`))
  },
)
