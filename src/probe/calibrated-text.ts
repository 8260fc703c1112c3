// What a calibration is as a file: for `--calibrated` and `--check`, and for people who look at why.
import { yamlDocument } from '../documents/dump-yaml.ts'
import type { Calibration } from './calibrate.ts'

/**
 * The text of a calibrated file: JSON where its name ends so, else YAML.
 * @example await writeFile('found.yaml', calibratedText(await calibrate(target), 'found.yaml'))
 */
export function calibratedText({ calibrated, assume, observations }: Calibration, name: string): string {
  const document = { calibrated, assume, observations }
  if (/\.json$/i.test(name)) return `${JSON.stringify(document, null, 2)}\n`
  return [...yamlDocument(document)].join('')
}
