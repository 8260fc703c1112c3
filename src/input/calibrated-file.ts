// A calibrated file: what `calibrate` observed at a service, of which a sandbox takes the values.
import { extname } from 'node:path'
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import { ProblemList } from './problem-list.ts'
import { refusal, type Problem } from './problems.ts'
import {
  AssumptionError,
  assumptionsWith,
  type GivenSettings,
  type ObservedValues,
} from './resolve-assumptions.ts'
import { describeSchemaIssues, readBySchema, type Issue } from './schema-issues.ts'
import {
  isYamlName,
  mebibyte,
  problemAt,
  readBytes,
  sourceFromText,
  whyUnreadable,
  type Source,
} from './source-file.ts'
import { textOf } from './utf8.ts'

const filled = z.string('must be a text').min(1, 'must not be empty')

/** What a start needs of it; observations are for people, and for `calibrate --check`. */
const calibratedFile = z.looseObject(
  {
    calibrated: z.strictObject(
      { target: filled, at: timestamp, version: filled, package: filled },
      'must be an object with target, at, version and package',
    ),
    assume: z
      .record(
        z.string(),
        z.union([z.string(), z.number()], 'must be a text or a number'),
        'must be an object',
      )
      .default({}),
    observations: z.record(z.string(), z.unknown(), 'must be an object').default({}),
  },
  'must be what calibrate writes: an object with calibrated, assume and observations',
)

/** A calibrated file that was read. */
export interface CalibratedFile extends ObservedValues {
  /** The version of this package that observed it. */
  version: string
  /** Not looked into. */
  observations: Readonly<Record<string, unknown>>
  source: Source
}

/**
 * Reads the file that `calibrate -o` writes: YAML, or JSON.
 *
 * @param path absolute.
 * @param name how messages name the file.
 * @throws {DocumentError} with every problem at its line and column: an id or a value that there is not, and no value
 * at all.
 */
export async function readCalibrated(path: string, name: string = path): Promise<CalibratedFile> {
  const bytes = await readBytes(path, maxBytes).catch((error: unknown) => {
    throw refusal(name, whyUnreadable(error))
  })
  const text = textOf(bytes, name)
  const extension = extname(path).toLowerCase()
  return calibratedFrom(await sourceFromText(isYamlName(extension) ? headOf(text) : text, name, extension))
}

/** How large the file may be: it has an excerpt of some hundred exchanges. */
const maxBytes = 16 * mebibyte

/** Of YAML what stands before the observations: reading 200 KB of them makes a start 0.3 to 0.8 s longer. */
function headOf(text: string): string {
  const end = text.search(/^observations:/m)
  const head = end === -1 ? text : text.slice(0, end)
  return /^assume:/m.test(head) ? head : text
}

/** As `readCalibrated`, for one that was read as a whole. */
export function calibratedFrom(source: Source): CalibratedFile {
  const problems = new ProblemList({ byLine: true })
  const { data, issues } = readBySchema(calibratedFile, source.value)
  for (const issue of describeSchemaIssues(issues ?? [], calibratedFile)) problems.add({ source, ...issue })
  problems.throwIfAny()
  if (!data) throw problems.error()
  const { calibrated, assume, observations } = data
  for (const issue of unknownSettings(assume)) problems.add({ source, ...issue })
  if (Object.keys(assume).length === 0) problems.add({ source, path: ['assume'], message: nothingObserved })
  problems.throwIfAny()
  const { target: host, at, version } = calibrated
  return { host, at, version, assume, observations, source }
}

const nothingObserved =
  'holds no value: nothing was observed, so there is nothing to start with or to compare; run calibrate again and look at why in its observations'

function* unknownSettings(settings: GivenSettings): Generator<Issue> {
  for (const [id, value] of Object.entries(settings)) {
    try {
      assumptionsWith({ [id]: value })
    } catch (error) {
      if (!(error instanceof AssumptionError)) throw error
      const at = error.message.startsWith('unknown assumption') ? 'key' : 'value'
      yield { path: ['assume', id], message: error.message, at }
    }
  }
}

/** What is to be said of a file that another version of this package wrote: it may have asked otherwise. */
export function otherVersion({ source, version }: CalibratedFile, own: string): Problem | undefined {
  if (version === own) return undefined
  const message = `was calibrated with version ${version} of this package, and this is ${own}, which may ask otherwise: calibrate again`
  return problemAt(source, ['calibrated', 'version'], message)
}
