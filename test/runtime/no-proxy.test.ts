import { expect, it } from 'vitest'
import { withoutProxyOnLoopback } from '../../src/runtime/no-proxy.ts'

const loopback = 'localhost,127.0.0.1,::1,[::1]'

it.each([
  [{}, loopback, loopback],
  [{ NO_PROXY: '', no_proxy: '' }, loopback, loopback],
  [{ NO_PROXY: 'a.example' }, `a.example,${loopback}`, `a.example,${loopback}`],
  [
    { no_proxy: 'a.example, .b.example' },
    `a.example,.b.example,${loopback}`,
    `a.example,.b.example,${loopback}`,
  ],
  [{ NO_PROXY: 'a.example', no_proxy: 'b.example' }, `a.example,${loopback}`, `b.example,${loopback}`],
  [{ NO_PROXY: loopback }, loopback, loopback],
  [{ NO_PROXY: '*' }, '*', '*'],
])('%j -> NO_PROXY=%s no_proxy=%s', (env, NO_PROXY, no_proxy) => {
  expect(withoutProxyOnLoopback(env)).toEqual({ NO_PROXY, no_proxy })
})
