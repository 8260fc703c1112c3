import { writeFile } from 'node:fs/promises'
import { createSandbox, type Sandbox, type SandboxEvents } from '../sandbox.ts'
import { isSystemError } from '../runtime/host.ts'
import type { Settings, StartOptions } from '../options.ts'
import { NotSavedError } from '../workspaces/keeper.ts'
import { CliError, exitCodes, type Io } from './io.ts'
import { readSettings, type FlagValues } from './settings.ts'
import { createLog } from './log.ts'
import { watchSettings } from './watch.ts'

/**
 * Serves until the process is asked to end. The first line on stdout is stable and printed once the port is bound
 * and everything is loaded; whatever else there is to say goes to stderr.
 */
export async function start(flags: FlagValues, io: Io): Promise<number> {
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  try {
    return await serve(await readSettings(flags, io), io, stopping.signal)
  } finally {
    // Whatever ended it, nothing is watched any longer.
    stopping.abort()
  }
}

async function serve(options: Settings & StartOptions, io: Io, signal: AbortSignal): Promise<number> {
  const { port, host, watch, quiet, logFormat, urlFile, ...settings } = options
  const log = createLog(io, { quiet, format: logFormat })
  // Before anything is read, so that no edit comes between.
  const follow = watch ? await watchSettings(settings, io, log, signal) : () => io.stopped
  const events: SandboxEvents = {
    onAnswer: log.answer,
    onBug: log.bug,
    onProgress: log.note,
    onNotice: log.notice,
    onProblem: log.problem,
    signal,
  }
  const lost = new Promise<NotSavedError>((resolve) => {
    events.onLost = resolve
  })
  const loading = createSandbox(onlyGiven(settings), events)
  // Asked to end while it still loads, there is nothing to finish and nobody to serve.
  const sandbox = await Promise.race([loading, io.stopped])
  if (!sandbox) return exitCodes.fine
  try {
    const server = await bind(sandbox, port, host)
    if (urlFile !== undefined) await writeUrl(urlFile, server.url)
    if (logFormat === 'json') {
      const { url, port: bound } = server
      io.stdout(`${JSON.stringify({ event: 'listening', url, port: bound, pid: io.pid })}\n`)
    } else {
      io.stdout(`Sandbox listening on ${server.url}\n`)
    }
    log.ready(sandbox)
    const failure = await Promise.race([io.stopped, follow(sandbox), lost])
    if (failure) throw cannotSave(failure)
  } finally {
    await closed(sandbox).finally(log.flush)
  }
  return exitCodes.fine
}

/** Closes a sandbox, which saves what its data file does not have yet. */
async function closed(sandbox: Sandbox): Promise<void> {
  try {
    await sandbox.close()
  } catch (error) {
    throw error instanceof NotSavedError ? cannotSave(error) : error
  }
}

function cannotSave(error: NotSavedError): CliError {
  return new CliError(`error: ${error.message}`, exitCodes.cannotSave)
}

async function bind(sandbox: Sandbox, port: number, host: string): ReturnType<Sandbox['listen']> {
  try {
    return await sandbox.listen({ port, host })
  } catch (error) {
    if (!isSystemError(error)) throw error
    const why: Readonly<Record<string, string>> = {
      EADDRINUSE: 'it is in use',
      EACCES: 'it needs more rights',
      EADDRNOTAVAIL: 'the address is not one of this machine',
      ENOTFOUND: 'the address is not known',
    }
    throw new CliError(
      `error: cannot listen on ${host}:${port}: ${why[error.code] ?? error.code}. Choose another with --port, or --port 0 for any free one.`,
      exitCodes.cannotBind,
    )
  }
}

async function writeUrl(file: string, url: string): Promise<void> {
  try {
    await writeFile(file, `${url}\n`)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CliError(`error: --url-file: cannot write '${file}' (${error.code})`, exitCodes.usage)
  }
}

/** Leaves out what was not set, as the library's options have it. */
function onlyGiven<T extends object>(settings: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
