/** Output that a test can wait for. */
export class Printed {
  text = ''
  #read = 0
  #hasEnded = false
  #wake: () => void = () => undefined

  add(text: string): void {
    this.text += text
    this.#wake()
  }

  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  /** From where the last call ended through the first match; waits until it is there. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.text.slice(this.#read))
      if (match) {
        const from = this.#read
        this.#read += match.index + match[0].length
        return this.text.slice(from, this.#read)
      }
      if (this.#hasEnded) throw new Error(`it ended without ${String(pattern)}: ${this.text}`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
