// Serves on a port while a function runs: binds, writes --url-file, watches files, saves and closes.
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { CommandSettings } from '../../options/index.ts'
import { formatProblems } from '../../input/problems.ts'
import { isSystemError } from '../../runtime/host.ts'
import {
  startSandbox,
  type SandboxEvents,
  type SandboxServer,
  type StartedSandbox,
  type Watcher,
} from '../../sandbox/index.ts'
import { NotSavedError } from '../../workspaces/saver.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import { certificateIfAny } from './certificate.ts'
import type { Certificate } from './certificate-files.ts'
import { createLog, type Log } from '../log.ts'
import { ioWithLogFile } from '../log-file.ts'
import { misspeltVariables } from '../misspelt-variables.ts'
import { cannotWrite } from '../output.ts'
import { libraryOptions } from '../settings.ts'
import { watchSettings } from './watch.ts'

/** A sandbox that serves on a port. */
export interface Serving {
  sandbox: StartedSandbox
  server: SandboxServer
  /** If it serves https. */
  certificate: Certificate | undefined
  log: Log
  /** The first line of output, with its line break. */
  firstLine: string
  /** Reloads its files when they change, if requested, until the process is asked to stop. */
  follow(this: void): Promise<void>
  /** Why it stops, for the last line of the log. */
  endedBy(this: void): string
  /** Settles when its data file cannot be written any more, which closes it. */
  lost: Promise<NotSavedError>
}

/**
 * Serves by the options while a function runs; then saves and closes. Returns the result of `act`, or undefined if the
 * process was asked to stop while the sandbox was still loading.
 *
 * @throws {CliError} if it cannot listen, write its URL or save.
 */
export async function serveWhile<T>(
  options: CommandSettings,
  io: Io,
  act: (serving: Serving) => Promise<T>,
  watcher?: Watcher,
): Promise<T | undefined> {
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  try {
    return await serve(options, io, stopping.signal, act, watcher)
  } finally {
    // After any end, nothing is watched any longer.
    stopping.abort()
  }
}

async function serve<T>(
  options: CommandSettings,
  io: Io,
  signal: AbortSignal,
  act: (serving: Serving) => Promise<T>,
  watcher: Watcher | undefined,
): Promise<T | undefined> {
  const { port, host, watch, quiet, logFormat, logFile, urlFile } = options
  const onStderr = createLog(io, { quiet, format: logFormat })
  // The user who starts it must see them, wherever the log goes.
  for (const message of misspeltVariables(io.env)) onStderr.warning(message)
  const log =
    logFile === undefined ? onStderr : createLog(ioWithLogFile(logFile, io), { quiet, format: logFormat })
  const certificate = await certificateIfAny(options)
  // Before anything is read, so that no edit is missed.
  const follow = watch ? await watchSettings(options, io, log, signal) : () => io.stopped
  let endedBy = 'by a signal'
  const events: SandboxEvents = {
    ...(quiet ? {} : { onAnswer: log.answer, onControl: log.control }),
    onBug: log.bug,
    onProgress: log.note,
    onNotice: log.notice,
    onWarning: (warning) => log.notice(formatProblems([], 'text', 0, [warning])),
    onProblem: log.problem,
    onStop: () => {
      endedBy = 'by POST /_sandbox/stop'
      io.stop()
    },
    signal,
  }
  const lost = new Promise<NotSavedError>((resolve) => {
    events.onLost = resolve
  })
  const loading = startSandbox(
    libraryOptions(options),
    { ...events, ownsProcess: io.ownsProcess ?? false },
    watcher,
  )
  const sandbox = await Promise.race([loading, io.stopped])
  if (!sandbox) {
    // The signal aborts the load, which then releases the lock of its data. A load that finished first must be closed.
    if (options.data !== undefined) await loading.then(closed, () => undefined)
    return undefined
  }
  let url: string | undefined
  try {
    const server = await bind(sandbox, port, host, certificate)
    ;({ url } = server)
    if (urlFile !== undefined) {
      await writeFile(urlFile, `${url}\n`).catch(cannotWrite('--url-file', urlFile))
    }
    const firstLine = firstLineOf(server, io.pid, logFormat)
    return await act({
      sandbox,
      server,
      certificate,
      log,
      firstLine,
      follow: () => follow(sandbox),
      lost,
      endedBy: () => endedBy,
    })
  } finally {
    await Promise.all([closed(sandbox).finally(log.flush), removeUrl(urlFile, url)])
  }
}

/** Deletes the file, unless another sandbox has written its own URL there. */
async function removeUrl(file: string | undefined, url: string | undefined): Promise<void> {
  if (file === undefined || url === undefined) return
  const written = await readFile(file, 'utf8').catch(() => undefined)
  if (written === `${url}\n`) await rm(file, { force: true }).catch(() => undefined)
}

export function cannotSave(error: NotSavedError): CliError {
  return new CliError(`error: ${error.message}`, exitCodes.cannotSave)
}

function firstLineOf({ url, port }: SandboxServer, pid: number, format: 'pretty' | 'json'): string {
  if (format === 'json') return `${JSON.stringify({ event: 'listening', url, port, pid })}\n`
  return `Sandbox listening on ${url}\n`
}

/** Closes a sandbox, which saves the changes that its data file does not have yet. */
async function closed(sandbox: Pick<StartedSandbox, 'close'>): Promise<void> {
  try {
    await sandbox.close()
  } catch (error) {
    throw error instanceof NotSavedError ? cannotSave(error) : error
  }
}

/** @throws {CliError} with the address and the next step. */
export async function bind(
  sandbox: Pick<StartedSandbox, 'listen'>,
  port: number,
  host: string,
  tls?: Certificate,
): Promise<SandboxServer> {
  try {
    return await sandbox.listen({ port, host, ...(tls && { tls }) })
  } catch (error) {
    if (!isSystemError(error)) throw error
    const { code } = error
    const why = hostErrors[code] ?? portErrors[code] ?? code
    const next =
      code in hostErrors
        ? 'Choose another with --host, such as 127.0.0.1, or 0.0.0.0 for all addresses of this machine.'
        : 'Choose another with --port, or --port 0 for any free one.'
    throw new CliError(`error: cannot listen on ${host}:${port}: ${why}. ${next}`, exitCodes.cannotBind)
  }
}

const portErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use',
  EACCES: 'permission denied',
}

const hostErrors: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'the address does not belong to this machine',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved',
}
