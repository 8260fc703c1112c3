import { expect, it } from 'vitest'
import { checkText } from '../../../src/cli/probe/check-text.ts'
import type { Comparison, Move } from '../../../src/probe/compare.ts'

const broken = (id: Move['id']): Move => ({
  id,
  who: 'contract',
  before: 404,
  after: 'breaks the contract: no version (expected one)',
})

it.each<[string, Partial<Comparison>, string]>([
  ['nothing', {}, 'Nothing has moved since c.yaml.\n'],
  [
    'one of each kind',
    {
      moved: [
        { id: 'create_status', who: 'assumption', before: 201, after: 200 },
        { id: 'customers_order', who: 'account', before: 'id', after: 'newest_first' },
        broken('not_found_status'),
      ],
      no_longer_observed: [
        {
          id: 'link_replaces',
          before: 'refuse',
          verdict: 'not_allowed',
          why: 'it writes',
          takes: '--allow write',
        },
        { id: 'zero_amount', before: 'accept', verdict: 'unstable' },
      ],
    },
    `3 have moved since c.yaml.

The service breaks the contract:
  not_found_status: 404, now breaks the contract: no version (expected one)

The service answers differently where the contract is silent:
  create_status: 201, now 200

Other rows were read, which may explain the difference:
  customers_order: id, now newest_first

Observed before and not now, which is not a change:
  link_replaces: refuse, now not allowed: it writes; --allow write
  zero_amount: accept, now unstable
`,
  ],
  [
    'the same break everywhere, once',
    { moved: (['create_status', 'zero_amount', 'link_response', 'link_replaces'] as const).map(broken) },
    `4 have moved since c.yaml.

The service breaks the contract:
  create_status, zero_amount, link_response and 1 more: now breaks the contract: no version (expected one)
`,
  ],
])('%s', (_, found, text) => {
  expect(checkText({ moved: [], no_longer_observed: [], ...found }, 'c.yaml')).toBe(text)
})
