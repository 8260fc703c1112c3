// Runs a program to its end: forwards signals, and kills it after a timeout.
import type { Program, StopSignal } from '../../runtime/program.ts'
import type { ProgramIo } from '../io.ts'
import { realTiming, type Timing } from '../timing.ts'

/** Time in ms that a program has to stop: less than the 10 s after which `docker stop` kills both processes. */
export const graceMs = 8_000

/** How to supervise a program. */
export interface Supervision {
  /** Whether it runs in our terminal, which then sends Ctrl-C to both. */
  sharesTerminal: boolean
  /** Stops it early, like SIGTERM. */
  endEarly?: Promise<unknown>
  timing?: Pick<Timing, 'wait'>
}

/**
 * Returns its exit code. The program is killed immediately when this process is asked to stop a second time.
 *
 * - A Ctrl-C of the shared terminal reaches the program itself: some programs, such as a shell, continue after one.
 * - SIGHUP is forwarded without a timeout: a program that ignores it, as under `nohup`, means to continue.
 *
 * @throws the failure of `start`.
 */
export async function supervise(
  start: () => Promise<Program>,
  io: Pick<ProgramIo, 'onSignal' | 'stopped' | 'terminal' | 'stderr'>,
  { sharesTerminal, endEarly, timing = realTiming }: Supervision,
): Promise<number> {
  const over = new AbortController()
  const early: StopSignal[] = []
  let program: Program | undefined
  let heard = false
  let signals = 0
  const hear = (signal: StopSignal): void => {
    heard = true
    if (!program) {
      early.push(signal)
      return
    }
    const handedOn = signal === 'SIGINT' && sharesTerminal && io.terminal
    if (!handedOn && signals === 0) program.kill(signal)
    if (signal === 'SIGHUP') return
    signals += 1
    if (signals > 1) program.kill('SIGKILL')
    else if (!handedOn) void killAfterGrace(program)
  }
  const killAfterGrace = async (late: Program): Promise<void> => {
    if (!(await timing.wait(graceMs, over.signal))) return
    io.stderr(`The command did not end within ${graceMs / 1000} s, and is killed.\n`)
    late.kill('SIGKILL')
  }
  const unhear = io.onSignal(hear)
  // A signal that came before this listener counts as well.
  void io.stopped.then(() => heard || hear('SIGTERM'))
  try {
    program = await start()
    // A signal that came before the program existed is forwarded as well.
    for (const signal of early.splice(0)) hear(signal)
    void endEarly?.then(() => hear('SIGTERM'))
    return await program.ended
  } finally {
    over.abort()
    unhear()
  }
}
