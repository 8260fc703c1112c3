import { expect, it } from 'vitest'
import { linkTo, readRoute } from '../../../src/inspector/page/route.ts'

const of = (
  view: string,
  parts: string[] = [],
  workspace = 'default',
  query: Record<string, string> = {},
) => ({
  view,
  parts,
  workspace,
  query,
})

it.each([
  ['', of('requests')],
  ['#', of('requests')],
  ['#/', of('requests')],
  ['#/state', of('state')],
  ['#/requests/req_default_7', of('requests', ['req_default_7'])],
  ['#/state/rewards/rwd%2F1%3F?workspace=w3', of('state', ['rewards', 'rwd/1?'], 'w3')],
  ['#/requests?text=a%26b&status=4xx', of('requests', [], 'default', { text: 'a&b', status: '4xx' })],
  ['#/state/%E0%A4%A', of('state', ['%E0%A4%A'])],
])('%s is read', (hash, route) => {
  expect(readRoute(hash)).toEqual(route)
})

it.each([
  of('requests', ['req_w3_1'], 'w3'),
  of('state', ['customers', 'a/b?c#d&e=f %']),
  of('requests', [], 'default', { text: '<script>&%', outcome: 'refused' }),
])('a link to %j leads there', (route) => {
  expect(readRoute(linkTo(route))).toEqual(route)
})
