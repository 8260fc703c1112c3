import { expect, it } from 'vitest'
import { metricText, type Metric } from '../../src/metrics/metric-text.ts'
import { readExposition } from '../helpers/exposition.ts'

it.each<[string, Partial<Metric>, string]>([
  ['nothing yet', { samples: [] }, ''],
  ['a number', { samples: [{ value: 3 }] }, 'm 3\n'],
  ['a large one', { samples: [{ value: 1e21 }] }, 'm 1e+21\n'],
  ['none', { samples: [{ value: NaN }] }, 'm NaN\n'],
  ['too large ones', { samples: [{ value: Infinity }] }, 'm +Inf\n'],
  ['too small ones', { samples: [{ value: -Infinity }] }, 'm -Inf\n'],
  ['labels', { samples: [{ labels: { a: '1', b: '' }, value: 0.5 }] }, 'm{a="1",b=""} 0.5\n'],
  [
    'labels with what means something',
    { samples: [{ labels: { a: 'x\\y"z\nw' }, value: 1 }] },
    'm{a="x\\\\y\\"z\\nw"} 1\n',
  ],
])('%s', (_what, metric, lines) => {
  const text = metricText({ name: 'm', type: 'gauge', help: 'Some.', samples: [], ...metric })
  expect(text).toBe(`# HELP m Some.\n# TYPE m gauge\n${lines}`)
  expect([...readExposition(text).keys()]).toEqual(['m'])
})

it('a help with what means something', () => {
  const text = metricText({ name: 'm', type: 'gauge', help: 'a\\b\n"c"', samples: [] })
  expect(text).toBe('# HELP m a\\\\b\\n"c"\n# TYPE m gauge\n')
})

it('endings of a name', () => {
  const samples: Metric['samples'] = [
    { nameSuffix: '_bucket', labels: { le: '+Inf' }, value: 1 },
    { nameSuffix: '_sum', value: 2 },
    { nameSuffix: '_count', value: 1 },
  ]
  expect(metricText({ name: 'm', type: 'histogram', help: 'Some.', samples })).toBe(
    '# HELP m Some.\n# TYPE m histogram\nm_bucket{le="+Inf"} 1\nm_sum 2\nm_count 1\n',
  )
})
