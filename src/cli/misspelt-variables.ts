// Environment variables that look like one of ours and are none: most likely misspelt, so that what they set is not.
import {
  fileVariableOf,
  optionNames,
  readFromFiles,
  storePasswordVariable,
  variableOf,
} from '../options/index.ts'
import { runVariable } from '../sandbox/runs/run-folder.ts'
import { closest } from '../input/did-you-mean.ts'
import type { Io } from './io.ts'

/** Those that are no option. */
const others = [
  'SANDBOX_URL',
  'SANDBOX_API_KEY',
  runVariable,
  'SANDBOX_OPTIONS',
  ...readFromFiles.map(fileVariableOf),
  storePasswordVariable,
]

/** Kubernetes and Docker links set these for a service named `sandbox`. */
const serviceLink = /^SANDBOX_(?:SERVICE|PORT_\d)/

/** How many letters may be wrong. */
const most = 2

/** A sentence for each; what is far from every one of ours is somebody else's. */
export function misspeltVariables(env: Io['env']): string[] {
  const known = [...optionNames.map(variableOf), ...others]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('SANDBOX') || known.includes(name) || serviceLink.test(name)) return []
    const meant = closest(name, known, most)
    return meant === undefined ? [] : [`${name} is no variable of the sandbox, did you mean ${meant}?`]
  })
}
