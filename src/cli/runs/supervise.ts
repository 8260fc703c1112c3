// Runs a program to its end: hands on signals, and kills it when it does not end within the grace.
import type { Program, StopSignal } from '../../runtime/program.ts'
import type { ProgramIo } from '../io.ts'
import { realTiming, type Timing } from '../timing.ts'

/** How long a program that was asked to end may take: less than the 10 s after which `docker stop` kills us both. */
export const graceMs = 8_000

/** How a program is looked after. */
export interface Supervision {
  /** Whether it runs in our terminal, so that Ctrl-C has reached it when it reaches us. */
  sharesTerminal: boolean
  /** Ends it early, as SIGTERM does. */
  endEarly?: Promise<unknown>
  timing?: Pick<Timing, 'wait'>
}

/**
 * Runs a program to its end, and hands on the signals by which we are asked to end. One that does not end within the
 * grace is killed, and at once when we are asked a second time. Gives its exit code.
 *
 * - A Ctrl-C of the terminal that it shares is its own affair: some programs, such as a shell, go on after one.
 * - The end of a terminal is handed on and forces nobody: who ignores it, as under `nohup`, means to go on.
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
  let asked = 0
  const hear = (signal: StopSignal): void => {
    heard = true
    if (!program) {
      early.push(signal)
      return
    }
    const handedOn = signal === 'SIGINT' && sharesTerminal && io.terminal
    if (!handedOn && asked === 0) program.kill(signal)
    if (signal === 'SIGHUP') return
    asked += 1
    if (asked > 1) program.kill('SIGKILL')
    else if (!handedOn) void killAfterGrace(program)
  }
  const killAfterGrace = async (late: Program): Promise<void> => {
    if (!(await timing.wait(graceMs, over.signal))) return
    io.stderr(`The command did not end within ${graceMs / 1000} s, and is killed.\n`)
    late.kill('SIGKILL')
  }
  const unhear = io.onSignal(hear)
  // Whoever asked before anybody listened is heard as well.
  void io.stopped.then(() => heard || hear('SIGTERM'))
  try {
    program = await start()
    // What came before there was a program is for it as well.
    for (const signal of early.splice(0)) hear(signal)
    void endEarly?.then(() => hear('SIGTERM'))
    return await program.ended
  } finally {
    over.abort()
    unhear()
  }
}
