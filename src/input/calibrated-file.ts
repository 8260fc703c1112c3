// Reads a calibrated file: the values that `calibrate` observed at a service.
import { extname } from 'node:path'
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import { ProblemList } from './problem-list.ts'
import { refusal, type Problem } from './problems.ts'
import {
  AssumptionError,
  assumptionsWith,
  type UnvalidatedSettings,
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

/** The parts that a start needs; observations are for people, and for `calibrate --check`. */
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
  'must be a file that calibrate wrote: an object with calibrated, assume and observations',
)

/** A calibrated file that was read. */
export interface CalibratedFile extends ObservedValues {
  /** The version of this package that observed it. */
  version: string
  /** Not validated. */
  observations: Readonly<Record<string, unknown>>
  source: Source
}

/**
 * Reads the file that `calibrate -o` writes: YAML, or JSON.
 *
 * @param path absolute.
 * @param name the name of the file in messages.
 * @throws {DocumentError} with every problem at its line and column: unknown ids or values, and a file without values.
 */
export async function readCalibrated(path: string, name: string = path): Promise<CalibratedFile> {
  const bytes = await readBytes(path, maxBytes).catch((error: unknown) => {
    throw refusal(name, whyUnreadable(error))
  })
  const text = textOf(bytes, name)
  const extension = extname(path).toLowerCase()
  return calibratedFrom(await sourceFromText(isYamlName(extension) ? headOf(text) : text, name, extension))
}

/** Maximum size in bytes: it has excerpts of some hundred calls. */
const maxBytes = 16 * mebibyte

/** Of YAML only the part before the observations: reading 200 KB of them makes a start 0.3 to 0.8 s longer. */
function headOf(text: string): string {
  const end = text.search(/^observations:/m)
  const head = end === -1 ? text : text.slice(0, end)
  return /^assume:/m.test(head) ? head : text
}

/** Like `readCalibrated`, for a document that was read as a whole. */
export function calibratedFrom(source: Source): CalibratedFile {
  const problems = new ProblemList({ byLine: true })
  const { data, issues } = readBySchema(calibratedFile, source.value)
  for (const issue of describeSchemaIssues(issues ?? [], calibratedFile)) problems.add({ source, ...issue })
  problems.throwIfAny()
  if (!data) throw problems.error()
  const { calibrated, assume, observations } = data
  for (const issue of settingIssues(assume)) problems.add({ source, ...issue })
  if (Object.keys(assume).length === 0) problems.add({ source, path: ['assume'], message: nothingObserved })
  problems.throwIfAny()
  const { target: host, at, version } = calibrated
  return { host, at, version, assume, observations, source }
}

const nothingObserved =
  'has no value, as nothing was observed: see why in its observations, and run calibrate again'

/** The problems of each setting; without any, that of two that do not fit. */
function settingIssues(settings: UnvalidatedSettings): Issue[] {
  const issues = Object.entries(settings).flatMap(([id, value]) => issueOf({ [id]: value }, ['assume', id]))
  return issues.length > 0 ? issues : issueOf(settings, ['assume'])
}

function issueOf(settings: UnvalidatedSettings, path: Issue['path']): Issue[] {
  try {
    assumptionsWith(settings)
    return []
  } catch (error) {
    if (!(error instanceof AssumptionError)) throw error
    const at = error.message.startsWith('unknown assumption') ? 'key' : 'value'
    return [{ path, message: error.message, at }]
  }
}

/** Returns the warning about a file of another version of this package, which may have probed differently. */
export function otherVersion({ source, version }: CalibratedFile, own: string): Problem | undefined {
  if (version === own) return undefined
  const message = `was calibrated with version ${version} of this package, and this is ${own}, which may probe differently: run calibrate again`
  return problemAt(source, ['calibrated', 'version'], message)
}
