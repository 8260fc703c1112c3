// The reports of conform: each format says what is broken, and hides behind no markup what a service answered.
import { describe, expect, it } from 'vitest'
import { reportText, requireReportName } from '../../../src/cli/probe/reports/index.ts'
import type { Conformance } from '../../../src/probe/conform.ts'
import { xmlProblems } from '../../helpers/xml.ts'

const point = { operation: 'retrieveReward', section: 'GET /v2/rewards/{reward_id}' }

const found: Conformance = {
  target: { host: 'sandbox.example.com' },
  package: 'partner-rewards-sandbox',
  version: '0.1.0',
  at: '2026-11-22T10:00:00.000Z',
  partial: false,
  requests: { planned: 9, sent: 7 },
  points: [
    { ...point, id: 'retrieveReward/success', sentence: 'A valid call succeeds.', verdict: 'holds' },
    {
      ...point,
      id: 'retrieveReward/error/REWARD_NOT_FOUND_ERROR',
      sentence: 'An unknown reward is told.',
      verdict: 'broken',
      why: 'type <script>alert(1)</script>',
      expected: 'type REWARD_NOT_FOUND_ERROR',
      exchanges: [
        {
          request: {
            method: 'GET',
            path: '/v2/rewards/<reward:1>',
            headers: { accept: 'application/json', authorization: 'Bearer <key:1>' },
          },
          answer: { status: 404, headers: {}, body: { type: '```</pre>' } },
        },
      ],
    },
    ...['auth/basic_key', 'auth/basic_key_pair'].map((name) => ({
      ...point,
      id: `retrieveReward/${name}`,
      sentence: 'A call is accepted.',
      verdict: 'not_observable' as const,
      why: 'the target lacks keys.multi',
    })),
  ],
  summary: { holds: 1, broken: 1, not_observable: 2, not_called: 0, unstable: 0 },
}

describe('a report', () => {
  it('as text: what is broken with its exchange, and what it takes to see more', async () => {
    expect(await reportText(found, 'a.txt'))
      .toBe(`sandbox.example.com: 1 hold, 1 broken, 2 not observable, by 7 requests.

Broken:

  retrieveReward/error/REWARD_NOT_FOUND_ERROR
    An unknown reward is told. (GET /v2/rewards/{reward_id})
    seen: type <script>alert(1)</script>
    expected: type REWARD_NOT_FOUND_ERROR
      GET /v2/rewards/<reward:1>
      authorization: Bearer <key:1>
      → 404 {"type":"\`\`\`</pre>"}

Not observable:

  the target lacks keys.multi
    retrieveReward/auth/basic_key, retrieveReward/auth/basic_key_pair
`)
  })

  it('as JSON: all of it', async () => {
    expect(JSON.parse(await reportText(found, 'a.json'))).toEqual(found)
  })

  it('as JUnit: what is broken is a failure, what could not be seen is skipped', async () => {
    const xml = await reportText(found, 'a.xml')
    expect(await xmlProblems(xml)).toEqual([])
    expect(xml).toContain('tests="4" failures="1" errors="0" skipped="2"')
    expect(xml).toContain('<failure message="An unknown reward is told.">seen: type &lt;script&gt;')
    expect(xml).toContain('<skipped message="not observable: the target lacks keys.multi"/>')
  })

  it('as a page: nothing of an answer is markup, and nothing is loaded', async () => {
    const html = await reportText(found, 'a.html')
    expect(html).toContain('type &lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toMatch(/<script|https?:\/\//)
    expect(html).toContain("default-src 'none'; style-src 'sha256-")
    expect(html).toContain('<summary>the target lacks keys.multi (2)</summary>')
  })

  it('needs a name that says its format', () => {
    expect(() => requireReportName('report.md')).toThrow(
      "--report: 'report.md' must end with one of .json, .txt, .html, .xml",
    )
  })
})
