import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import { run } from '../../src/cli/run.ts'
import { Printed } from './printed.ts'

/** Where and with which variables a command line runs. */
export interface Place {
  env?: Record<string, string>
  cwd?: string
  colour?: boolean
}

/** What a command line did. */
export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Folders of this run, gone after it. */
const folders: string[] = []
afterAll(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

/** A working directory that holds these files, by their path in it. */
export async function folderWith(files: Readonly<Record<string, string | object>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-cli-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** A process as the command line sees it, of which nothing is real. */
class FakeIo implements Io {
  readonly env: Record<string, string>
  readonly cwd: string
  readonly pid = 4242
  readonly colour: boolean
  readonly stopped: Promise<void>
  readonly printed: Promise<void>
  readonly err = new Printed()
  out = ''
  stop: () => void = () => undefined
  #onPrinted: () => void = () => undefined

  constructor({ env = {}, cwd = tmpdir(), colour = false }: Place) {
    this.env = env
    this.cwd = cwd
    this.colour = colour
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
}

/** Runs a command line that ends by itself. */
export async function cli(argv: readonly string[], place: Place = {}): Promise<Ran> {
  const io = new FakeIo(place)
  // What serves is stopped once it says that it does; everything else ends by itself.
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
  /** What it prints on stderr, up to here; see `Printed`. */
  errUntil(end: RegExp): Promise<string>
}

/**
 * Runs a command line that serves until it is stopped: once its first line is there, `act` has its turn.
 * Port 0 unless the place or the words say otherwise.
 */
export async function serve(
  argv: readonly string[],
  place: Place,
  act: (started: Started) => Promise<unknown> = async () => undefined,
): Promise<Ran> {
  const io = new FakeIo({ ...place, env: { SANDBOX_PORT: '0', ...place.env } })
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
  }
  return { code: await running, stdout: io.out, stderr: io.err.text }
}

/** The methods keep their object wherever they are handed. */
function bound(io: FakeIo): Io {
  return {
    stdout: (text) => io.stdout(text),
    stderr: (text) => io.stderr(text),
    env: io.env,
    cwd: io.cwd,
    pid: io.pid,
    colour: io.colour,
    stopped: io.stopped,
  }
}

export const withKey = (key = 'sk_sandbox_full'): RequestInit => ({
  headers: { authorization: `Bearer ${key}` },
})
