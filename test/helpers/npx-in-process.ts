// An `npx` for shell commands that runs verbs in the process of the tests, which saves the start of a program for each.
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { cli } from './fake-io.ts'
import { saveFile } from './partner-project.ts'

/** Verbs that serve, run programs, or name files as seen from the folder of their process. */
const ownProcess = 'start|exec|matrix|validate'

/** Puts it in front of the `npx` of a project. */
export async function runVerbsInProcess(folder: string): Promise<void> {
  const socket = join(folder, 'npx.sock')
  const server = createServer((request, response) => {
    void buffer(request)
      .then((body) => answer(body.toString()))
      .then((script) => response.end(script))
  }).listen(socket)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const script = `#!/bin/sh
case "$2" in ${ownProcess}) exec "${folder}/bin/npx" "$@" ;; esac
shift
answer=$({ env -0; printf '\\0'; printf '%s\\0' "$PWD" "$@"; } |
  curl -sf --unix-socket '${socket}' --data-binary @- http://npx/) || exit 99
eval "$answer"
`
  await saveFile(folder, 'verbs/npx', script)
  await chmod(join(folder, 'verbs/npx'), 0o755)
}

/** Runs a command line, and gives a script that prints and ends as it did. */
async function answer(commandLine: string): Promise<string> {
  const [variables = '', words = ''] = commandLine.split('\0\0')
  const env = Object.fromEntries(
    variables.split('\0').map((line) => [line.replace(/=[^]*/, ''), line.replace(/^.*?=/, '')]),
  )
  const [cwd = '', ...argv] = words.split('\0').slice(0, -1)
  const { code, stdout, stderr } = await cli(argv, { env, cwd })
  return `printf %s ${quoted(stdout)}\nprintf %s ${quoted(stderr)} >&2\nexit ${code}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
