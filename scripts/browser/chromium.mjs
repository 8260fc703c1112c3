// Finds the path of Chromium. Run as a program, it exits with 2 and a message if there is none.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const defaultPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** @returns {string | undefined} */
export function chromiumPath() {
  const path = process.env['CHROMIUM']
  return path === undefined ? defaultPaths.find(existsSync) : existsSync(path) ? path : undefined
}

const [, program = ''] = process.argv
if (import.meta.url === pathToFileURL(program).href && chromiumPath() === undefined) {
  const sought =
    process.env['CHROMIUM'] === undefined ? defaultPaths[0] : `CHROMIUM=${process.env['CHROMIUM']}`
  process.stderr.write(
    `check:browser needs Chromium and found none at ${sought}: install it (apt-get install chromium), or set CHROMIUM=/path/to/chromium.\n`,
  )
  process.exit(2)
}
