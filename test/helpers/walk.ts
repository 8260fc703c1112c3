import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { codeCache, launch, type Running } from './processes.ts'
import { testNow } from './sandbox.ts'
import { blocksOf } from './markdown-blocks.ts'
import { runVerbsInProcess } from './npx-in-process.ts'
import { partnerProject, saveFile } from './partner-project.ts'
import { freePort } from './free-port.ts'

/** A block of commands, and what came of it. */
export interface Walked {
  heading: string
  /** The commands as the page has them. */
  code: string
  /** The output of each step; empty lines separate steps. */
  steps: string[]
  /** All of it, as it would stand on the page. */
  output: string
  /** The output that the page shows; undefined if it shows none. */
  shown: string | undefined
}

export interface WalkOptions {
  /** Whether each block meets a sandbox as it is right after start. */
  startsOver?: boolean
  /** Headings whose blocks another test runs. */
  except?: readonly string[]
}

/** A block of commands that says above it why it is not run, or by what. */
export const isLabelled = (label: string | undefined): boolean =>
  label !== undefined && /^(Tested|Untested): .+\.$/.test(label)

/**
 * Goes through a page as its reader does: saves the files that it shows, starts the sandbox that it starts, and runs its
 * commands one after the other in one folder. The clock of that sandbox stands still, so what a page shows is exact.
 */
export async function walk(
  page: string,
  { startsOver = false, except = [] }: WalkOptions = {},
): Promise<Walked[]> {
  const folder = await partnerProject()
  await runVerbsInProcess(folder)
  const sandbox = new SandboxOfPage(folder, await freePort())
  const blocks = blocksOf(readFileSync(join(packageRoot(), page), 'utf8'))
  const walked: Walked[] = []
  for (const [index, block] of blocks.entries()) {
    const [, file] = /^(?:#|\/\/) ([\w./-]+\.\w+)\n/.exec(block.code) ?? []
    if (block.language !== 'sh' && file !== undefined)
      await saveFile(folder, file, sandbox.offPage(block.code))
    if (block.language !== 'sh' || isLabelled(block.label) || except.includes(block.heading)) continue
    if (startsOver) await sandbox.startOver()
    const steps: string[] = []
    for (const part of partsOf(block.code)) {
      if ('start' in part) steps.push(await sandbox.start(part.start))
      else steps.push(...(await sandbox.run(part.script)))
    }
    const next = blocks[index + 1]
    walked.push({
      heading: block.heading,
      code: block.code,
      steps,
      output: steps.filter((step) => step !== '').join('\n'),
      shown: next?.language === 'text' ? next.code.trimEnd() : undefined,
    })
  }
  return walked
}

/** Commands that are run elsewhere: a reader installed the package before, and CI runs the tests and the image. */
const isDone = (line: string): boolean =>
  /^(npm install --save-dev partner-rewards-sandbox|npm ci && npm test|docker (build|run))\b/.test(line)

/** Commands that serve until they are stopped stand alone; what is between them is one script. */
function partsOf(code: string): ({ start: string } | { script: string })[] {
  const parts: ({ start: string } | { script: string })[] = []
  for (const line of code.split('\n').filter((each) => !isDone(each))) {
    const [, flags] = /^(?:npx partner-rewards-sandbox|npm ci && npm) start\b([^#]*)/.exec(line) ?? []
    const last = parts.at(-1)
    if (flags !== undefined) parts.push({ start: flags.trim() })
    else if (last && 'script' in last) last.script += `\n${line}`
    else parts.push({ script: line })
  }
  return parts.filter((part) => 'start' in part || part.script.trim() !== '')
}

class SandboxOfPage {
  readonly #folder: string
  readonly #port: number
  #running: Running | undefined

  constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
  }

  /** Starts it, in place of one that runs already, and gives the first line. */
  async start(flags: string): Promise<string> {
    this.#running?.process.kill('SIGTERM')
    await this.#running?.ended
    const program = join(this.#folder, 'node_modules', '.bin', 'partner-rewards-sandbox')
    // In the background it is anyway, and one that is detached would outlive the test.
    const words = flags.split(' ').filter((word) => word !== '' && word !== '--detach')
    const running = launch([program, 'start', ...words], {
      cwd: this.#folder,
      env: { SANDBOX_PORT: String(this.#port), SANDBOX_CLOCK: testNow, SANDBOX_FROZEN: 'true' },
    })
    await Promise.race([once(running.process.stdout as NodeJS.ReadableStream, 'data'), running.ended])
    if (!running.out().startsWith('Sandbox listening')) throw new Error(`it did not start: ${running.err()}`)
    this.#running = running
    return this.#onPage(running.out())
  }

  async startOver(): Promise<void> {
    if (!this.#running) await this.start('')
    else await fetch(`http://127.0.0.1:${this.#port}/_sandbox/reset`, { method: 'POST' })
  }

  /** Runs commands in one shell, as a person has one, and gives what each step printed. */
  async run(script: string): Promise<string[]> {
    if (!this.#running) await this.start('')
    const steps = script.trim().split(/\n{2,}/)
    const url = `http://127.0.0.1:${this.#port}`
    const shell = spawn('bash', ['-e', '-c', this.offPage(steps.join('\necho; echo =====\n'))], {
      cwd: this.#folder,
      // A group of its own, so that what it leaves running ends with the test.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${join(this.#folder, 'verbs')}:${join(this.#folder, 'bin')}:${process.env['PATH']}`,
        HOME: this.#folder,
        ...codeCache,
        NO_COLOR: '1',
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
        SANDBOX_URL: url,
      },
    })
    onTestFinished(() => void shell.kill('SIGKILL'))
    const [stdout, stderr, [code]] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      once(shell, 'close') as Promise<[number | null]>,
    ])
    if (code !== 0) throw new Error(`exit code ${code} of:\n${script}\n${stdout}${stderr}`)
    return this.#onPage(stdout)
      .split('=====')
      .map((printed) => printed.trim())
  }

  offPage(script: string): string {
    return script.replaceAll(/(?<=localhost:|127\.0\.0\.1:)4010\b/g, String(this.#port))
  }

  #onPage(printed: string): string {
    return printed.replaceAll(`:${this.#port}`, ':4010').replaceAll('\r', '').trim()
  }
}
