// What a program prints, as far as it is told of a failure: the lines that name failed tests, and the end.
import { terminalSafe } from '../output.ts'

const mostBytes = 64 * 1024
const mostLines = 20
const mostNames = 10

/** How runners begin a line that names a failed test: vitest, Jest, node:test, Playwright, TAP, unittest, pytest, go. */
const namesFailure = /^\s*(?:FAIL(?:ED)?\b|×|✕|✖|✗|✘|● |not ok \d|\d+\) \S|FAIL: |ERROR: |--- FAIL)/

export class OutputTail {
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** Decodes the output so that no character is cut in two, and what is no whole line yet. */
  readonly #decoder = new TextDecoder()
  #line = ''
  readonly #names: string[] = []

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    // Now and then, so that many small chunks are not copied again for each one.
    if (this.#bytes > 2 * mostBytes) this.#cut()
    const lines = (this.#line + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#line = (lines.pop() ?? '').slice(-mostBytes)
    for (const line of lines) this.#noteName(line)
  }

  /** The names of failed tests and its last lines, each indented, so that they can be told from ours. */
  text(): string {
    this.#cut()
    const text = plain(Buffer.concat(this.#chunks).toString()).trimEnd()
    if (text === '') return ''
    const last = text.split('\n').slice(-mostLines)
    const names = this.#names.filter((name) => !last.includes(name))
    const lines = names.length === 0 ? last : [...names, '…', ...last]
    return lines.map((line) => `  | ${line}\n`).join('')
  }

  #noteName(line: string): void {
    if (this.#names.length === mostNames) return
    const shown = plain(line).trimEnd()
    if (namesFailure.test(shown) && !this.#names.includes(shown)) this.#names.push(shown)
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks)
    // A copy: a part would hold on to the whole.
    this.#chunks = [new Uint8Array(all.subarray(-mostBytes))]
    this.#bytes = Math.min(all.length, mostBytes)
  }
}

/** Without colours, which would end in files, and without what a terminal would obey. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return terminalSafe(text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, ''))
}
