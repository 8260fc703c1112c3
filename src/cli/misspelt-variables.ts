// Finds environment variables that are probably misspelt names of ours, which have no effect.
import {
  caFileVariable,
  fileVariableOf,
  optionNames,
  readFromFiles,
  storePasswordVariable,
  variableOf,
} from '../options/index.ts'
import { runVariable } from '../sandbox/runs/run-folder.ts'
import { closest } from '../input/did-you-mean.ts'
import type { Io } from './io.ts'

/** Variables that are not options. */
const others = [
  'SANDBOX_URL',
  'SANDBOX_API_KEY',
  caFileVariable,
  runVariable,
  'SANDBOX_OPTIONS',
  ...readFromFiles.map(fileVariableOf),
  storePasswordVariable,
]

/** Kubernetes and Docker links set these for a service named `sandbox`. */
const serviceLink = /^SANDBOX_(?:SERVICE|PORT_\d)/

/** Maximum number of wrong letters. */
const most = 2

/** Returns a sentence for each; names that are not similar to ours belong to other programs. */
export function misspeltVariables(env: Io['env']): string[] {
  const known = [...optionNames.map(variableOf), ...others]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('SANDBOX') || known.includes(name) || serviceLink.test(name)) return []
    const meant = closest(name, known, most)
    return meant === undefined ? [] : [`${name} is not a variable of the sandbox, did you mean ${meant}?`]
  })
}
