// The part of a program's output that is shown after a failure: lines that name failed tests, and the end.
import { terminalSafe } from '../output.ts'

const maxBytes = 64 * 1024
const maxLines = 20
const maxFailureLines = 30

/** Number of lines shown after one that names a failed test: what was expected, and what was received. */
const linesAfter = 12

/** The beginnings of lines that name a failed test: vitest, Jest, node:test, Playwright, TAP, unittest, pytest, go. */
const namesFailure = /^\s*(?:FAIL(?:ED)?\b|×|✕|✖|✗|✘|● |not ok \d|\d+\) \S|FAIL: |ERROR: |--- FAIL)/

export class OutputTail {
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** Decodes the output without splitting characters, and buffers an incomplete line. */
  readonly #decoder = new TextDecoder()
  #line = ''
  /** The lines that name failed tests, each with some lines after it. */
  readonly #kept: string[] = []
  #after = 0

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    // Not for every chunk, so that many small chunks are not copied again each time.
    if (this.#bytes > 2 * maxBytes) this.#cut()
    const lines = (this.#line + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#line = (lines.pop() ?? '').slice(-maxBytes)
    for (const line of lines) this.#keep(line)
  }

  /** Returns lines about failed tests and the last lines, indented, so that they can be distinguished from ours. */
  text(): string {
    this.#cut()
    const text = plain(Buffer.concat(this.#chunks).toString()).trimEnd()
    if (text === '') return ''
    const last = text.split('\n').slice(-maxLines)
    const kept = this.#kept.filter((line) => !last.includes(line))
    const lines = kept.length === 0 ? last : [...kept, '…', ...last]
    return lines.map((line) => `  | ${line}\n`).join('')
  }

  #keep(line: string): void {
    const shown = plain(line).trimEnd()
    if (namesFailure.test(shown)) this.#after = linesAfter + 1
    if (this.#after === 0 || this.#kept.length === maxFailureLines || shown === '') return
    this.#after -= 1
    if (!this.#kept.includes(shown)) this.#kept.push(shown)
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks)
    // A copy: a slice would keep the whole text in memory.
    this.#chunks = [new Uint8Array(all.subarray(-maxBytes))]
    this.#bytes = Math.min(all.length, maxBytes)
  }
}

/** Without colours, which would end in files, and without other control characters. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return terminalSafe(text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, ''))
}
