import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve as absolute } from 'node:path'
import type { CommandIo, ProgramIo, Io } from '../../src/cli/io.ts'
import { run } from '../../src/cli/run.ts'
import { startDetached, startProgram, type StartProgram, type StopSignal } from '../../src/runtime/program.ts'
import { withTest } from '../setup/with-test.ts'
import { Printed } from './printed.ts'

/** Where and with which variables a command line runs. */
export interface CliContext {
  env?: Record<string, string>
  cwd?: string
  colour?: boolean
  terminal?: boolean
  stdin?: string
  parent?: () => number
  /** Starts programs in place of the system. */
  startProgram?: StartProgram
}

/** The result of a command line. */
export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** A working directory that holds these files, by their path in it. */
export async function folderWith(files: Readonly<Record<string, string | object>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-cli-'))
  withTest(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** The process that a verb uses, which is never asked to end; its output is lost unless `own` takes it. */
export function quietIo(own: Partial<Io> = {}): Io {
  return {
    stdout: () => undefined,
    stderr: () => undefined,
    env: {},
    cwd: '/',
    pid: 1,
    colour: false,
    stopped: new Promise<void>(() => undefined),
    stop: () => undefined,
    ...own,
  }
}

/** A process as the command line sees it, of which nothing is real. */
class FakeIo implements ProgramIo {
  readonly env: Record<string, string>
  readonly cwd: string
  readonly pid = 4242
  readonly colour: boolean
  readonly stopped: Promise<void>
  readonly terminal: boolean
  readonly stdin: string
  readonly parent: () => number
  readonly startProgram: StartProgram
  /** The output of the programs that were started. */
  readonly programs = new Printed()
  readonly #listeners = new Set<(signal: StopSignal) => void>()
  readonly printed: Promise<void>
  readonly err = new Printed()
  out = ''
  stop: () => void = () => undefined
  #onPrinted: () => void = () => undefined

  constructor({
    env = {},
    cwd = tmpdir(),
    colour = false,
    terminal = false,
    stdin = '',
    parent = () => 1,
    // Real programs, whose output is kept from that of the tests.
    startProgram: start = startProgram,
  }: CliContext) {
    this.env = env
    this.cwd = cwd
    this.colour = colour
    this.terminal = terminal
    this.stdin = stdin
    this.parent = parent
    this.startProgram = (command, options) =>
      start(command, { onOutput: (chunk) => this.programs.add(Buffer.from(chunk).toString()), ...options })
    this.stopped = new Promise((resolve) => (this.stop = resolve))
    this.printed = new Promise((resolve) => (this.#onPrinted = resolve))
  }

  stdout(text: string): void {
    this.out += text
    this.#onPrinted()
  }

  stderr(text: string): void {
    this.err.add(text)
  }

  onSignal(listener: (signal: StopSignal) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The effect of a signal on a process. */
  signal(signal: StopSignal): void {
    for (const listener of this.#listeners) listener(signal)
    if (signal !== 'SIGHUP') this.stop()
  }
}

/** Runs a command line that ends by itself. */
export async function cli(argv: readonly string[], context: CliContext = {}): Promise<Ran> {
  const io = new FakeIo(context)
  // A serving sandbox is stopped once it is ready; all other verbs end by themselves.
  const [verb = 'start'] = argv
  if (verb === 'start' || verb.startsWith('-')) void io.printed.then(() => io.stop())
  const code = await run(argv, bound(io))
  return { code, stdout: io.out, stderr: io.err.text }
}

/** A sandbox that was started by a command line. */
export interface Started {
  url: string
  firstLine: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Its output on stderr so far; see `Printed`. */
  errUntil(end: RegExp): Promise<string>
}

/**
 * Runs a command line that serves until it is stopped: once its first line is there, `act` has its turn.
 * Port 0 unless the place or the words say otherwise.
 */
export async function serve(
  argv: readonly string[],
  context: CliContext,
  act: (started: Started) => Promise<unknown> = async () => undefined,
): Promise<Ran> {
  const io = new FakeIo({ ...context, env: { SANDBOX_PORT: '0', ...context.env } })
  const running = run(argv, bound(io))
  await Promise.race([io.printed, running])
  const firstLine = io.out
  const url = /http:\/\/[^\s"]+/.exec(firstLine)?.[0]
  if (url === undefined) throw new Error(`it did not start: ${io.out}${io.err.text}`)
  try {
    await act({
      url,
      firstLine,
      fetch: (path, init) => fetch(new URL(path, url), init),
      errUntil: (end) => io.err.until(end),
    })
  } finally {
    io.stop()
    // The end of the process is reported below.
    await running.catch(() => undefined)
  }
  return { code: await running, stdout: io.out, stderr: io.err.text }
}

/** A command line that runs a program. */
export interface Running {
  signal(signal: StopSignal): void
  /** The output of the program so far; see `Printed`. */
  programUntil(end: RegExp): Promise<string>
}

/** Runs a command line that runs programs; `act` has its turn meanwhile. Their output is not that of the tests. */
export async function execute(
  argv: readonly string[],
  context: CliContext = {},
  act: (running: Running) => Promise<unknown> = async () => undefined,
): Promise<Ran & { programs: string }> {
  const io = new FakeIo(context)
  const running = run(argv, bound(io))
  await act({ signal: (signal) => io.signal(signal), programUntil: (end) => io.programs.until(end) })
  return { code: await running, stdout: io.out, stderr: io.err.text, programs: io.programs.text }
}

/** The context of a command line, for functions that are called without one, and its output so far. */
export function fakeIo(context: CliContext = {}): {
  io: CommandIo
  printed: () => Pick<Ran, 'stdout' | 'stderr'>
} {
  const io = new FakeIo(context)
  return { io: bound(io), printed: () => ({ stdout: io.out, stderr: io.err.text }) }
}

/** The methods keep their object wherever they are handed. */
function bound(io: FakeIo): CommandIo {
  return {
    stdout: (text) => io.stdout(text),
    stderr: (text) => io.stderr(text),
    env: io.env,
    cwd: io.cwd,
    pid: io.pid,
    colour: io.colour,
    stopped: io.stopped,
    stop: () => io.signal('SIGTERM'),
    terminal: io.terminal,
    onSignal: (listener) => io.onSignal(listener),
    startProgram: io.startProgram,
    startDetached,
    parentPid: () => io.parent(),
    readStdin: async () => Buffer.from(io.stdin),
    self: [process.execPath, absolute('dist/bin.cjs')],
  }
}

export const withKey = (key = 'sk_sandbox_full'): RequestInit => ({
  headers: { authorization: `Bearer ${key}` },
})
