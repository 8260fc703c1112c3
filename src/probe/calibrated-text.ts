// A calibration as a file: for `--calibrated` and `--check`, and for people who want the reasons.
import { yamlDocument } from '../fixtures/dump-yaml.ts'

/** The contents of a calibrated file; a calibration has all of it. */
export interface CalibratedDocument {
  calibrated: object
  assume: Record<string, string | number>
  observations: Record<string, unknown>
}

/**
 * Returns the text of a calibrated file: JSON if its name ends so, YAML otherwise.
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
