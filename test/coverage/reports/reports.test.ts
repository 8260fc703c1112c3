import { describe, expect, it } from 'vitest'
import { reportFormats, type ReportFormat } from '../../../src/coverage/reports/index.ts'
import { leftOutText } from '../../../src/coverage/reports/report-texts.ts'
import type { CoverageReport } from '../../../src/coverage/reports/coverage-report.ts'
import { coverageWriter } from '../../../src/inspector/reports/coverage-writers.ts'
import { few, point, whole } from '../../helpers/coverage-reports.ts'
import { startSandbox } from '../../helpers/sandbox.ts'
import { xmlProblems } from '../../helpers/xml.ts'

const write = async (format: ReportFormat, report: CoverageReport = few): Promise<string> =>
  (await coverageWriter(format))(report)

describe('text', () => {
  it('a grid for each operation, then what is missing', async () => {
    expect(await write('text')).toBe(`Contract coverage: 50 %, 3 of 6 points
A percent counts contract points: at 100 % each of them was exercised by at least one call.

searchCustomers  2 of 4  GET /v2/customers
  Answer      [x] success  [ ] VALIDATION_ERROR
  Credential  [x] basic key
  Limit       [ ] partner_customer_id minimum length

deleteOrderEvent  1 of 2  DELETE /v2/order_events/{order_event_id}
  Answer  [x] success
  Scope   [ ] ORDER_WRITE missing

Missing, and what exercises it on the built-in fixtures:

searchCustomers/error/VALIDATION_ERROR
  This is VALIDATION_ERROR. (Limits)
  curl -i -u a: 'http://x/?a=<b>&c="'

searchCustomers/boundary/partner_customer_id/minimum_length
  This is minimum_length. (Limits)
  # No row of the built-in fixtures can exercise it.

deleteOrderEvent/scope/ORDER_WRITE/missing
  This is missing. (Limits)
  TOKEN=$(curl -s x)
  curl -i "$TOKEN"
`)
  })

  it('nothing is missing -> nothing more', async () => {
    expect(await write('text', whole)).toBe(`Contract coverage: 100 %, 1 of 1 points
A percent counts contract points: at 100 % each of them was exercised by at least one call.

createApiKey  1 of 1  POST /v2/keys
  Answer  [x] success
`)
  })
})

describe('junit', () => {
  it('a suite for each operation, a skipped test for each missing point', async () => {
    expect(await write('junit')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract coverage" tests="6" failures="0" errors="0" skipped="3" time="0">
  <testsuite name="searchCustomers" tests="4" failures="0" errors="0" skipped="2" time="0">
    <testcase classname="searchCustomers" name="success" time="0"/>
    <testcase classname="searchCustomers" name="error/VALIDATION_ERROR" time="0">
      <skipped message="Not exercised: This is VALIDATION_ERROR.">curl -i -u a: &#39;http://x/?a=&lt;b&gt;&amp;c=&quot;&#39;</skipped>
    </testcase>
    <testcase classname="searchCustomers" name="auth/basic_key" time="0"/>
    <testcase classname="searchCustomers" name="boundary/partner_customer_id/minimum_length" time="0">
      <skipped message="Not exercised: This is minimum_length.">${'# No row of the built-in fixtures can exercise it.'}</skipped>
    </testcase>
  </testsuite>
  <testsuite name="deleteOrderEvent" tests="2" failures="0" errors="0" skipped="1" time="0">
    <testcase classname="deleteOrderEvent" name="success" time="0"/>
    <testcase classname="deleteOrderEvent" name="scope/ORDER_WRITE/missing" time="0">
      <skipped message="Not exercised: This is missing.">TOKEN=$(curl -s x)
curl -i &quot;$TOKEN&quot;</skipped>
    </testcase>
  </testsuite>
</testsuites>
`)
  })

  it('is well-formed XML, whatever stands in it', async () => {
    const { coverage } = await startSandbox()
    expect(xmlProblems(await coverage.report('junit'))).toEqual([])
    const odd = point('createApiKey/<&"\'>/]]>', 0, { sentence: 'a\u0000b\ud800<', exercise: '\u001f&amp;' })
    expect(xmlProblems(await write('junit', { ...few, points: [odd] }))).toEqual([])
  })

  it.each([
    ['<a><b></a></b>', 'closes'],
    ['<a>&nbsp;</a>', 'reference'],
    ['<a b=c/>', 'tag'],
    ['<a>\u0001</a>', 'character'],
    ['<a/><b/>', 'root'],
  ])('the check itself finds %j', (text, problem) => {
    expect(xmlProblems(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`).join()).toContain(problem)
  })
})

describe('json', () => {
  it('is the report', async () => {
    expect(JSON.parse(await write('json'))).toEqual(few)
  })

  it('has exactly the fields that are documented', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    const report: unknown = JSON.parse(await sandbox.coverage.report('json'))
    expect(report).toEqual({
      total: sandbox.contract().length,
      covered: 6,
      percent: expect.any(Number),
      points: expect.any(Array),
    })
    const { points } = report as CoverageReport
    expect(
      points.map(({ id, operation, sentence, section }) => ({ id, operation, sentence, section })),
    ).toEqual(sandbox.contract())
    for (const { covered, hits, exercise, ...rest } of points) {
      expect(Object.keys(rest)).toEqual(['id', 'operation', 'sentence', 'section'])
      expect([covered, hits]).toEqual(covered ? [true, 1] : [false, 0])
      expect(exercise === undefined).toBe(covered)
    }
  })
})

describe('what was left out', () => {
  const leftOut = { points: 325, only: ['searchCustomers', 'deleteOrderEvent'], skip: ['version'] }
  const said = 'Left out: 325 points (only searchCustomers, deleteOrderEvent count; without version).'

  it.each([
    ['text', `Contract coverage: 50 %, 3 of 6 points\n${said}\n`],
    ['html', `<p>${said}</p>`],
    ['junit', `<testsuites name="contract coverage. ${said}" tests="6" `],
    ['json', `"left_out": {\n    "points": 325,\n    "only": [\n`],
  ] as const)('%s says so', async (format, expected) => {
    expect(await write(format, { ...few, left_out: leftOut })).toContain(expected)
    expect(await write(format)).not.toMatch(/left.out/i)
  })

  it.each([
    [{ points: 1, only: ['updateReward'] }, 'Left out: 1 point (only updateReward counts).'],
    [{ points: 2, skip: ['auth', 'page'] }, 'Left out: 2 points (without auth, page).'],
  ])('%j', (some, expected) => {
    expect(leftOutText({ left_out: some })).toBe(expected)
  })
})

describe('the receiver of webhook events', () => {
  const report: CoverageReport = {
    ...few,
    receiver: [
      { id: 'accepted', sentence: 'The receiver accepted an event.', covered: true, hits: 3 },
      {
        id: 'bad_signature_refused',
        sentence: 'It answered 4xx to a wrong signature.',
        covered: false,
        hits: 0,
      },
    ],
  }

  it.each<[ReportFormat, text: string]>([
    [
      'text',
      `Contract coverage: 50 %, 3 of 6 points
`,
    ],
    [
      'text',
      `
Receiver of webhook events: 1 of 2 points, which the percent does not count
  [x] accepted               The receiver accepted an event.
  [ ] bad_signature_refused  It answered 4xx to a wrong signature.

Missing, and what exercises it on the built-in fixtures:
`,
    ],
    [
      'junit',
      '<testsuites name="contract coverage" tests="8" failures="0" errors="0" skipped="4" time="0">\n',
    ],
    [
      'junit',
      `
  <testsuite name="receiver" tests="2" failures="0" errors="0" skipped="1" time="0">
    <testcase classname="receiver" name="accepted" time="0"/>
    <testcase classname="receiver" name="bad_signature_refused" time="0"><skipped message="Not shown: It answered 4xx to a wrong signature."/></testcase>
  </testsuite>
`,
    ],
    ['html', '<p>Receiver of webhook events: 1 of 2 points, which the percent does not count.</p>'],
    ['html', '<span class="cell is-good">✓ accepted ×3</span> The receiver accepted an event.'],
    [
      'html',
      '<span class="cell is-warn">○ bad_signature_refused</span> It answered 4xx to a wrong signature.',
    ],
  ])('%s: it is a list of its own', async (format, text) => {
    expect(await write(format, report)).toContain(text)
  })

  it.each(reportFormats)('%s: without events it is absent', async (format) => {
    expect(await write(format)).not.toMatch(/receiver/i)
  })

  it('junit stays well-formed', async () => {
    expect(xmlProblems(await write('junit', report))).toEqual([])
  })
})

it('every format ends with a line end', async () => {
  for (const format of reportFormats) expect(await write(format)).toMatch(/[^\n]\n$/)
})
