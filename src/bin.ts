#!/usr/bin/env node
import { run } from './cli/run.ts'
import { monotonicNow } from './runtime/host.ts'

/** The one place that touches the process: words, signals and the exit code. */

/**
 * How long one request to end may take to arrive: a signal to a whole process group comes once more from those in it
 * that pass signals on, such as `timeout`, npm and the init of a container.
 */
const echoMs = 100

let asked: { signal: NodeJS.Signals; at: number } | undefined
const stopped = new Promise<void>((resolve) => {
  const stop = (signal: NodeJS.Signals): void => {
    const at = monotonicNow()
    const isEcho = asked?.signal === signal && at - asked.at <= echoMs
    // Whoever asks twice does not want to wait.
    if (asked && !isEcho) process.exit(130)
    asked ??= { signal, at }
    resolve()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
})

/** A reader that went away, such as `head`, is no reason to fail. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.on('uncaughtException', (error) => {
  process.stderr.write(`error: this is a bug of the sandbox: ${error.stack ?? error.message}\n`)
  process.exit(70)
})

process.exitCode = await run(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  pid: process.pid,
  colour: process.stderr.hasColors?.() ?? false,
  stopped,
})
// A pooled connection or a timer must not keep a finished command alive; output is flushed by then.
if (process.stdout.writableLength === 0) process.exit()
