// A field for a text of many lines, with what is wrong with it at its lines.
import { useLayoutEffect, useRef, type RefObject } from 'hono/jsx/dom'
import { rangeOfLine, type TextProblem } from './text-problems.ts'

interface Props {
  label: string
  name: string
  /** What stands in it first; another text begins anew. */
  text: string
  field: RefObject<HTMLTextAreaElement | null>
  problems: readonly TextProblem[]
}

export function TextEditor({ label, name, text, field, problems }: Props) {
  const list = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (!field.current) return
    field.current.value = text
    field.current.spellcheck = false
  }, [text])
  useLayoutEffect(() => {
    if (problems.length > 0) list.current?.focus()
  }, [problems])
  const jump = (line: number): void => {
    const { current } = field
    if (!current) return
    const { start, end } = rangeOfLine(current.value, line)
    current.focus()
    current.setSelectionRange(start, end)
    const height = Number.parseFloat(getComputedStyle(current).lineHeight)
    current.scrollTop = Math.max(0, (line - 3) * height)
  }
  const isRefused = problems.length > 0
  return (
    <>
      <label class="editor">
        {label}
        <textarea
          ref={field}
          name={name}
          rows={Math.min(Math.max(text.split('\n').length + 1, 12), 32)}
          autocapitalize="off"
          aria-invalid={isRefused ? 'true' : undefined}
          aria-describedby={isRefused ? `${name}-problems` : undefined}
        />
      </label>
      {isRefused ? (
        <section ref={list} id={`${name}-problems`} class="problems" tabindex={-1} aria-label="Problems">
          <p class="problem">Nothing was saved:</p>
          <ol>
            {problems.map(({ line, path, message }) => (
              <li key={`${line} ${path} ${message}`}>
                {line === undefined ? null : (
                  <button type="button" class="quiet" onClick={() => jump(line)}>
                    Line {line}
                  </button>
                )}{' '}
                {path === '' ? null : <code>{path}</code>} {message}
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </>
  )
}
