// The end of what a program prints, however much that is.
import { terminalSafe } from '../output.ts'

const mostBytes = 64 * 1024
const mostLines = 20

export class OutputTail {
  #chunks: Uint8Array[] = []
  #bytes = 0

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    // Now and then, so that many small chunks are not copied again for each one.
    if (this.#bytes > 2 * mostBytes) this.#cut()
  }

  /** Its last lines, each indented, so that they can be told from ours. */
  text(): string {
    this.#cut()
    const lines = terminalSafe(Buffer.concat(this.#chunks).toString()).trimEnd().split('\n')
    if (lines.length === 1 && lines[0] === '') return ''
    return `${lines
      .slice(-mostLines)
      .map((line) => `  | ${line}`)
      .join('\n')}\n`
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks)
    // A copy: a part would hold on to the whole.
    this.#chunks = [new Uint8Array(all.subarray(-mostBytes))]
    this.#bytes = Math.min(all.length, mostBytes)
  }
}
