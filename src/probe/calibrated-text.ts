// What a calibration is as a file: for `--calibrated` and `--check`, and for people who look at why.
import { yamlDocument } from '../fixtures/dump-yaml.ts'

/** What a calibrated file holds; a calibration has all of it. */
export interface CalibratedDocument {
  calibrated: object
  assume: Record<string, string | number>
  observations: Record<string, unknown>
}

/**
 * The text of a calibrated file: JSON where its name ends so, else YAML.
 * @example await writeFile('found.yaml', calibratedText(await calibrate(target), 'found.yaml'))
 */
export function calibratedText(
  { calibrated, assume, observations }: CalibratedDocument,
  name: string,
): string {
  const document = { calibrated, assume, observations }
  if (/\.json$/i.test(name)) return `${JSON.stringify(document, null, 2)}\n`
  return [...yamlDocument(document)].join('')
}
