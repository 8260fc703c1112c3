// The verb start: serves until the process is asked to stop, or until its parent has ended.
import { reportOutsideSandbox } from '../../sandbox/runs/run-folder.ts'
import { shownPath } from '../../runtime/host.ts'
import { persistsAll } from '../../sandbox/storage-option.ts'
import { CliError, type CommandIo } from '../io.ts'
import { isClosed, openPage, pageAddress } from './open-page.ts'
import type { CommandSettings } from '../../options/index.ts'
import { cannotSave, serveWhile } from './serving.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { realTiming, type Timing } from '../timing.ts'

/** Poll interval for the parent process. */
const pauseMs = 500

/**
 * The first line on stdout is stable and printed when the port is bound and everything is loaded; all other messages go
 * to stderr.
 *
 * @param argv all arguments.
 */
export async function start(
  flags: FlagValues,
  io: CommandIo,
  argv: readonly string[],
  timing: Timing = realTiming,
): Promise<number | void> {
  const isWatched = flags['stopWithParent'] === true
  const isDetached = flags['detach'] === true
  if (isDetached && isWatched) throw new CliError('error: --detach and --stop-with-parent exclude each other')
  const parent = io.parentPid()
  const options = await readSettings(flags, io, 'start')
  const notice = isClosed(options) ? closed : undefined
  if (isDetached) return (await import('./detach.ts')).detach(argv, options, io, notice)
  reportOutsideSandbox(io.env, 'start')
  let sayEnd = (): void => undefined
  try {
    await serveWhile(
      options,
      io,
      async ({ sandbox, server, certificate, log, firstLine, follow, lost, endedBy }) => {
        io.stdout(firstLine)
        const page = pageAddress(server.url, options)
        log.ready(sandbox, page, options.isolation === 'test')
        if (notice !== undefined) log.notice(notice)
        if (certificate?.caFile !== undefined) log.notice(trustNotice(certificate.caFile))
        for (const warning of aboutPartners(options, io.cwd)) log.warning(warning)
        if (page !== undefined && flags['open'] === true) {
          const problem = await openPage(page, options.adminToken, io)
          if (problem !== undefined) log.problem(problem)
        }
        const over = new AbortController()
        const orphaned = isWatched ? untilOrphan(parent, io, timing, over.signal) : io.stopped
        const cause = await Promise.race([io.stopped, follow(), lost, orphaned])
        over.abort()
        sayEnd = () => {
          log.stop(
            typeof cause === 'object' ? 'the data file can no longer be written' : (cause ?? endedBy()),
          )
          log.flush()
        }
        if (typeof cause === 'object') throw cannotSave(cause)
      },
    )
  } finally {
    // Calls that were in flight are logged by then.
    sayEnd()
  }
}

/** The next step for clients. */
const trustNotice = (file: string): string =>
  `Certificate authority for clients: ${file} (NODE_EXTRA_CA_CERTS, curl --cacert)`

/** Warnings for an operator who uses `--isolation partner`. */
function aboutPartners(options: CommandSettings, cwd: string): string[] {
  const { isolation, isolationSecret, data, adminToken = '' } = options
  if (isolation !== 'partner') return []
  const guessable = adminToken.length < minTokenLength ? [short] : []
  if (persistsAll(options)) return guessable
  const loses = data === undefined ? memoryOnlyWarning : dataFileWarning(shownPath(data, cwd))
  return [loses, ...(isolationSecret === undefined ? [] : [revokedKeysWarning]), ...guessable]
}

/** This token opens the workspaces of all partners. */
const minTokenLength = 16

const short = `The token of --admin-token opens everything and has fewer than ${minTokenLength} characters: use one that cannot be guessed, such as the output of openssl rand -hex 32.`

const memoryOnlyWarning =
  'Without --data FOLDER/ and --store, all workspaces of partners are lost when this process ends.'

/** @param file that of --data, which is created if it does not exist: then it is in the place of the folder. */
function dataFileWarning(file: string): string {
  return `A file of --data stores no workspace of a partner: all are lost when this process ends. ${file} is a file: stop, move it away, and name a folder, with a slash at its end: --data ${file}/`
}

const revokedKeysWarning =
  'With --isolation-secret and without --data FOLDER or --store, a restart makes revoked keys and tokens valid again: after a leak, change the secret.'

const closed =
  'The control plane is closed, as the sandbox listens off loopback without a decision who may use it: start with --admin-token TOKEN, or with --admin open'

/** Settles with a message when the parent process changes: the first one has ended. */
async function untilOrphan(
  parent: number,
  io: Pick<CommandIo, 'parentPid'>,
  { wait }: Timing,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (io.parentPid() === parent) if (!(await wait(pauseMs, signal))) return undefined
  return 'the parent process has ended'
}
