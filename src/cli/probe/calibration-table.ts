// The results of calibrate as a table: each assumption with its verdict and value, and what the unobserved ones need.
import { assumptionCatalogue, assumptionIds } from '../../contract/assumptions.ts'
import type { Calibration } from '../../probe/calibrate.ts'
import type { Observation } from '../../probe/observation.ts'

export function calibrationTable({ calibrated, observations, requests, partial }: Calibration): string {
  const rows = assumptionIds.flatMap((id) => {
    const observation = observations[id]
    return observation ? [{ id, defaultValue: assumptionCatalogue[id].default, ...observation }] : []
  })
  const width = Math.max(...rows.map(({ id }) => id.length), 0)
  const count = (verdict: Observation['verdict']): number =>
    rows.filter((row) => row.verdict === verdict).length
  const others = rows.filter(
    ({ value, defaultValue }) => value !== undefined && value !== defaultValue,
  ).length
  const early = partial ? '; the run was stopped early' : ''
  const observed = count('observed')
  // Values that differ come first, and unobserved ones last.
  const rank = ({ verdict, value, defaultValue }: (typeof rows)[number]): number =>
    verdict === 'observed' ? (value === defaultValue ? 2 : 0) : verdict === 'observed_other' ? 1 : 3
  return [
    ...rows.toSorted((a, b) => rank(a) - rank(b)).map((row) => `${row.id.padEnd(width)}  ${shown(row)}`),
    '',
    `${calibrated.target}: ${observed} of ${rows.length} observed, ${others} of them different from our default, by ${requests.sent} ${requests.sent === 1 ? 'request' : 'requests'}${early}.`,
    '',
  ].join('\n')
}

function shown({
  verdict,
  value,
  defaultValue,
  seen,
  why,
  takes,
}: Observation & { defaultValue: string | number }): string {
  const words = verdict.replaceAll('_', ' ')
  if (verdict === 'observed')
    return value === defaultValue
      ? `${words}: ${value}`
      : `${words}: ${value} (our default is ${defaultValue})`
  const reason = [seen ?? why, takes].filter((text) => text !== undefined).join('; ')
  return reason === '' ? words : `${words}: ${reason}`
}
