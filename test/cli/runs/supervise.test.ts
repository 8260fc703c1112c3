import { describe, expect, it } from 'vitest'
import { supervise } from '../../../src/cli/runs/supervise.ts'
import type { Program, StopSignal } from '../../../src/runtime/program.ts'

/** A fake program, and the calls that control it. */
function scene({ terminal = false, deaf = false } = {}) {
  const done: string[] = []
  const heard: string[] = []
  const listeners = new Set<(signal: StopSignal) => void>()
  let end: (code: number) => void = () => undefined
  let stop: () => void = () => undefined
  let timeIsUp: (isUp: boolean) => void = () => undefined
  const program: Program = {
    ended: new Promise((resolve) => (end = resolve)),
    kill: (signal) => {
      done.push(signal)
      if (signal === 'SIGKILL') end(137)
      else if (!deaf) end(143)
    },
  }
  const io = {
    terminal,
    stopped: new Promise<void>((resolve) => (stop = resolve)),
    onSignal: (listener: (signal: StopSignal) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stderr: (text: string) => void heard.push(text),
  }
  const timing = {
    wait: (_milliseconds: number, signal?: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        done.push('waits')
        timeIsUp = resolve
        signal?.addEventListener('abort', () => resolve(false))
      }),
  }
  return {
    done,
    heard,
    listeners,
    program,
    io,
    timing,
    end: (code: number) => end(code),
    stop: () => stop(),
    timeIsUp: () => timeIsUp(true),
    send: (signal: StopSignal) => {
      for (const listener of listeners) listener(signal)
    },
  }
}

/** Lets what is promised come about. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('supervise', () => {
  it.each([0, 3, 137])('a program ends with %i -> that, and nobody listens any longer', async (code) => {
    const { program, io, listeners, timing, end, done } = scene()
    const running = supervise(async () => program, io, { sharesTerminal: true, timing })
    await turn()
    expect(listeners.size).toBe(1)
    end(code)
    expect([await running, listeners.size, done]).toEqual([code, 0, []])
  })

  it.each<[string, { terminal?: boolean; deaf?: boolean }, boolean, StopSignal[], string[]]>([
    ['SIGTERM is handed on', {}, true, ['SIGTERM'], ['SIGTERM', 'waits']],
    ['SIGINT is handed on', {}, true, ['SIGINT'], ['SIGINT', 'waits']],
    ['SIGHUP is handed on, and forces nobody', {}, true, ['SIGHUP'], ['SIGHUP']],
    ['Ctrl-C has reached who shares the terminal', { terminal: true }, true, ['SIGINT'], []],
    ['Ctrl-C has not reached who does not', { terminal: true }, false, ['SIGINT'], ['SIGINT', 'waits']],
    ['SIGTERM comes from no terminal', { terminal: true }, true, ['SIGTERM'], ['SIGTERM', 'waits']],
    ['a second signal kills', { deaf: true }, true, ['SIGTERM', 'SIGINT'], ['SIGTERM', 'waits', 'SIGKILL']],
    ['a second Ctrl-C kills', { terminal: true }, true, ['SIGINT', 'SIGINT'], ['SIGKILL']],
    [
      'SIGHUP is no first signal',
      { deaf: true },
      true,
      ['SIGHUP', 'SIGTERM'],
      ['SIGHUP', 'SIGTERM', 'waits'],
    ],
  ])('%s', async (_what, how, sharesTerminal, signals, expected) => {
    const { program, io, timing, send, done, end } = scene(how)
    const running = supervise(async () => program, io, { sharesTerminal, timing })
    await turn()
    for (const signal of signals) send(signal)
    expect(done).toEqual(expected)
    end(0)
    await running
  })

  it('it does not end within the grace -> killed, and told', async () => {
    const { program, io, timing, send, timeIsUp, done, heard } = scene({ deaf: true })
    const running = supervise(async () => program, io, { sharesTerminal: true, timing })
    await turn()
    send('SIGTERM')
    expect(heard).toEqual([])
    timeIsUp()
    expect(await running).toBe(137)
    expect([done, heard]).toEqual([
      ['SIGTERM', 'waits', 'SIGKILL'],
      ['The command did not end within 8 s, and is killed.\n'],
    ])
  })

  it('it ends within the grace -> the wait is over, and nothing is said', async () => {
    const { program, io, timing, send, end, done, heard } = scene({ deaf: true })
    const running = supervise(async () => program, io, { sharesTerminal: true, timing })
    await turn()
    send('SIGTERM')
    end(0)
    expect(await running).toBe(0)
    await turn()
    expect([done, heard]).toEqual([['SIGTERM', 'waits'], []])
  })

  it('asked before it has started -> asked once it has', async () => {
    const { program, io, timing, send, done } = scene()
    let start: (started: Program) => void = () => undefined
    const running = supervise(() => new Promise((resolve) => (start = resolve)), io, {
      sharesTerminal: true,
      timing,
    })
    send('SIGINT')
    expect(done).toEqual([])
    start(program)
    expect(await running).toBe(143)
    expect(done).toEqual(['SIGINT', 'waits'])
  })

  it('asked before anybody listened -> SIGTERM, once', async () => {
    const { program, io, timing, stop, done } = scene()
    stop()
    const running = supervise(async () => program, io, { sharesTerminal: true, timing })
    expect(await running).toBe(143)
    await turn()
    expect(done).toEqual(['SIGTERM', 'waits'])
  })

  it('a signal that also stops -> heard once', async () => {
    const { program, io, timing, send, stop, done } = scene({ deaf: true })
    const running = supervise(async () => program, io, { sharesTerminal: true, timing })
    await turn()
    send('SIGTERM')
    stop()
    await turn()
    expect(done).toEqual(['SIGTERM', 'waits'])
    send('SIGTERM')
    expect(await running).toBe(137)
  })

  it('what it was for is lost -> SIGTERM', async () => {
    const { program, io, timing, done } = scene()
    const code = await supervise(async () => program, io, {
      sharesTerminal: true,
      timing,
      endEarly: Promise.resolve(),
    })
    expect([code, done]).toEqual([143, ['SIGTERM', 'waits']])
  })

  it('it cannot be started -> that failure, and nobody listens', async () => {
    const { io, timing, listeners } = scene()
    const start = (): Promise<Program> => Promise.reject(new Error('no'))
    await expect(supervise(start, io, { sharesTerminal: true, timing })).rejects.toThrow('no')
    expect(listeners.size).toBe(0)
  })
})
