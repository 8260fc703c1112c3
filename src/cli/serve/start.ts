// The verb start: serves until the process is asked to end, or until the one is gone that started it.
import { reportOther } from '../../sandbox/runs/run-folder.ts'
import { shownPath } from '../../runtime/host.ts'
import { keepsAll } from '../../sandbox/data-option.ts'
import { CliError, type CommandIo } from '../io.ts'
import { isClosed, openPage, pageAddress } from './open-page.ts'
import type { CommandSettings } from '../../options/index.ts'
import { cannotSave, serveWhile } from './serving.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { realTiming, type Timing } from '../timing.ts'

/** How long after one look for the parent the next one follows. */
const pauseMs = 500

/**
 * The first line on stdout is stable and printed once the port is bound and everything is loaded; whatever else there
 * is to say goes to stderr.
 *
 * @param argv the whole line.
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
  reportOther(io.env, 'start')
  let sayEnd = (): void => undefined
  try {
    await serveWhile(options, io, async ({ sandbox, server, log, firstLine, follow, lost, endedBy }) => {
      io.stdout(firstLine)
      const page = pageAddress(server.url, options)
      log.ready(sandbox, page, options.isolation === 'test')
      if (notice !== undefined) log.notice(notice)
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
          typeof cause === 'object' ? 'as its data file cannot be written any more' : (cause ?? endedBy()),
        )
        log.flush()
      }
      if (typeof cause === 'object') throw cannotSave(cause)
    })
  } finally {
    // Calls that were in flight are logged by then.
    sayEnd()
  }
}

/** The risks of `--isolation partner` that its operator may not know. */
function aboutPartners(options: CommandSettings, cwd: string): string[] {
  const { isolation, isolationSecret, data, adminToken = '' } = options
  if (isolation !== 'partner') return []
  const guessable = adminToken.length < minOfToken ? [short] : []
  if (keepsAll(options)) return guessable
  const loses = data === undefined ? keepsNothing : keepsDefault(shownPath(data, cwd))
  return [loses, ...(isolationSecret === undefined ? [] : [revives]), ...guessable]
}

/** Whoever guesses the token has all partners. */
const minOfToken = 16

const short = `The token of --admin-token opens everything and has fewer than ${minOfToken} characters: take one that nobody can guess, such as of openssl rand -hex 32.`

const keepsNothing =
  'Without --data FOLDER/ and --store, every workspace of a partner is gone with the end of this process.'

/** @param file that of --data, which is made where there is none: it then stands where the folder should. */
function keepsDefault(file: string): string {
  return `A file of --data keeps no workspace of a partner: all are gone with the end of this process. ${file} is a file: stop, move it away, and name a folder, with a slash at its end: --data ${file}/`
}

const revives =
  'With --isolation-secret and without --data FOLDER or --store, a start anew makes the keys and tokens again that rotations and deletions ended: after a leak, change the secret.'

const closed =
  'The control plane is closed, as nobody decided who may use it off loopback: start with --admin-token TOKEN, or with --admin open'

/** Settles, with what is said of it, when the process has another parent than at first: the first one is gone. */
async function untilOrphan(
  parent: number,
  io: Pick<CommandIo, 'parentPid'>,
  { wait }: Timing,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (io.parentPid() === parent) if (!(await wait(pauseMs, signal))) return undefined
  return 'as the process that started it is gone'
}
