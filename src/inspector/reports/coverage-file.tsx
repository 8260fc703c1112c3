// Coverage as one HTML file that opens from the disk and runs no script: the page's view of it.
import { endpoints } from '../../endpoints/index.ts'
import type { CoverageReport } from '../../coverage/reports/coverage-report.ts'
import { coveredOperations } from '../../coverage/reports/grid-rows.ts'
import {
  nothingForIt,
  percentMeaning,
  percentText,
  remarksText,
} from '../../coverage/reports/report-texts.ts'
import { fileOf } from '../document.tsx'
import {
  Choice,
  CountsText,
  Head,
  missingTitle,
  Operation,
  Overview,
  PointText,
  Receiver,
} from './coverage-parts.tsx'

const to = (id: string): string => `#${id}`

export function coverageFile(report: CoverageReport): string {
  const { total, covered, percent } = report
  const operations = coveredOperations(report.points)
  const remarks = remarksText(report)
  return fileOf({
    title: `${percentText(percent)} contract coverage`,
    body: (
      <div class="report">
        <header>
          <Head percent={percent}>
            <h1>Contract coverage</h1>
            <p>
              <CountsText total={total} covered={covered} />
            </p>
            {remarks === undefined ? null : <p>{remarks}</p>}
          </Head>
        </header>
        <Overview operations={operations} to={to} />
        <Choice />
        <main class="operations">
          {operations.map((operation) => {
            const endpoint = endpoints.find(({ id }) => id === operation.operation)
            return (
              <Operation operation={operation} {...(endpoint && { endpoint })} to={to}>
                <details class="missing">
                  <summary>{missingTitle(operation)}</summary>
                  <ol>
                    {operation.missing.map((point) => (
                      <li id={point.id}>
                        <PointText point={point} />
                        <pre>{point.exercise ?? nothingForIt}</pre>
                      </li>
                    ))}
                  </ol>
                </details>
              </Operation>
            )
          })}
        </main>
        {report.receiver === undefined ? null : <Receiver points={report.receiver} />}
        <footer>
          <details>
            <summary>What counts</summary>
            <p>{percentMeaning}</p>
            <p>
              Requests count for the parts that the sandbox read: how the key was sent, version and product,
              values at their limits, locales. Answers count only if the sandbox itself produced them:
              successes, errors, scopes, pages, values. If a scenario ended or rewrote the answer, or if the
              answer is off contract, only the request counts.
            </p>
            <p>The requests use rows of the built-in fixtures in their initial state; a reset restores it.</p>
          </details>
        </footer>
      </div>
    ),
  })
}
