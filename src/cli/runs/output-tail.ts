// What a program prints, as far as it is told of a failure: where it names failed tests, and the end.
import { terminalSafe } from '../output.ts'

const maxBytes = 64 * 1024
const maxLines = 20
const maxKept = 30

/** How many lines after one that names a failed test are kept with it: what was expected, and what was seen. */
const linesAfter = 12

/** How runners begin a line that names a failed test: vitest, Jest, node:test, Playwright, TAP, unittest, pytest, go. */
const namesFailure = /^\s*(?:FAIL(?:ED)?\b|×|✕|✖|✗|✘|● |not ok \d|\d+\) \S|FAIL: |ERROR: |--- FAIL)/

export class OutputTail {
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** Decodes the output so that no character is cut in two, and what is no whole line yet. */
  readonly #decoder = new TextDecoder()
  #line = ''
  /** The lines that name failed tests, each with some after it. */
  readonly #kept: string[] = []
  #after = 0

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    // Now and then, so that many small chunks are not copied again for each one.
    if (this.#bytes > 2 * maxBytes) this.#cut()
    const lines = (this.#line + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#line = (lines.pop() ?? '').slice(-maxBytes)
    for (const line of lines) this.#keep(line)
  }

  /** What it says of failed tests and its last lines, each indented, so that they can be told from ours. */
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
    if (this.#after === 0 || this.#kept.length === maxKept || shown === '') return
    this.#after -= 1
    if (!this.#kept.includes(shown)) this.#kept.push(shown)
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks)
    // A copy: a part would hold on to the whole.
    this.#chunks = [new Uint8Array(all.subarray(-maxBytes))]
    this.#bytes = Math.min(all.length, maxBytes)
  }
}

/** Without colours, which would end in files, and without what a terminal would obey. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return terminalSafe(text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, ''))
}
