#!/usr/bin/env node
// The only file that touches the process: arguments, signals, programs and the exit code. The rest is in another file,
// which Node caches compiled.
import Module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bugText, exitCodes } from './cli/io.ts'
import type * as commandLine from './cli/run.ts'
import { isSystemError, monotonicNow } from './runtime/host.ts'
import { withoutProxyOnLoopback } from './runtime/no-proxy.ts'
import type { StopSignal } from './runtime/program.ts'

/** Node has a cache of compiled code from 22.1 on. */
const nodeModule: typeof Module & { enableCompileCache?: () => unknown } = Module
nodeModule.enableCompileCache?.()
const { run } = createRequire(import.meta.url)('./run.cjs') as typeof commandLine

/**
 * How long one request to stop may take to arrive completely: a signal to a process group arrives again from members
 * that forward signals, such as `timeout`, npm and the init of a container.
 */
const repeatedSignalMs = 30

// For our own requests, which Node 24 may send through a proxy, and for every program that is started here.
Object.assign(process.env, withoutProxyOnLoopback(process.env))

const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)

const listeners = new Set<(signal: StopSignal) => void>()
let lastStop: { signal: StopSignal; at: number } | undefined
let onStopped: () => void
const stopped = new Promise<void>((resolve) => (onStopped = resolve))

function stop(signal: StopSignal): void {
  const at = monotonicNow()
  if (lastStop?.signal === signal && at - lastStop.at <= repeatedSignalMs) return
  for (const listener of listeners) listener(signal)
  // A user who sends the signal twice does not want to wait.
  if (lastStop) process.exit(130)
  lastStop = { signal, at }
  onStopped()
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// It ends like SIGTERM, so that everything is saved. A program that runs may ignore it, as under `nohup`, and decides.
process.on('SIGHUP', () => {
  if (listeners.size === 0) return stop('SIGHUP')
  for (const listener of listeners) listener('SIGHUP')
})

function onSignal(listener: (signal: StopSignal) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A closed reader, such as `head` or a closed terminal, is no reason to fail. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })
}

process.on('uncaughtException', (error) => {
  process.stderr.write(bugText(error))
  process.exit(exitCodes.bug)
})

/** Returns the working directory. Ends the process with a message if it was removed or cannot be read. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch (error) {
    if (!isSystemError(error)) throw error
    process.stderr.write(
      `error: cannot read the working directory (${error.code}): change to a folder that exists and that you may read\n`,
    )
    process.exit(exitCodes.usage)
  }
}

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: workingDirectory(),
    pid: process.pid,
    ownsProcess: true,
    colour: process.stderr.hasColors?.() ?? false,
    terminal,
    stopped,
    stop: () => stop('SIGTERM'),
    onSignal,
    startProgram: async (command, options) =>
      (await import('./runtime/program.ts')).startProgram(command, options),
    startDetached: async (command, options) =>
      (await import('./runtime/program.ts')).startDetached(command, options),
    parentPid: () => process.ppid,
    readStdin: async () => Buffer.concat(await process.stdin.toArray()),
    self: [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)],
  })
  // A pooled connection or a timer must not keep a finished command alive. Output that is not flushed must not be lost.
  if (process.stdout.writableLength === 0) process.exit()
}

void main()
