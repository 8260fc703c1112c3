// An editor of several lines, with its actions, and problems at their lines.
import { useLayoutEffect, useRef, useState, type RefObject } from 'hono/jsx/dom'
import type { Child } from 'hono/jsx'
import { drafts, keepDraft } from './drafts.ts'
import { rangeOfLine, type TextProblem } from './text-problems.ts'

interface Props {
  label: string
  name: string
  /** The initial text, unless there is a draft; another text replaces it. */
  text: string
  field: RefObject<HTMLTextAreaElement | null>
  problems: readonly TextProblem[]
  /** The key of the draft, which lasts until it is saved. */
  draft: string
  /** The row that the text is of. */
  opened?: object | undefined
  /** Called with the initial text and after each change. */
  onText?: (text: string) => void
  /** Called when the draft is discarded. */
  onDiscard?: () => void
  /** Its buttons. Problems are shown below them, so that buttons do not move. */
  children: Child
}

export function TextEditor(props: Props) {
  const { label, name, text, field, problems, draft, opened, onText, onDiscard, children } = props
  const list = useRef<HTMLElement>(null)
  /** Whether it began with an earlier draft. */
  const [isKept, setKept] = useState(drafts.has(draft))
  useLayoutEffect(() => {
    if (!field.current) return
    field.current.value = drafts.get(draft)?.text ?? text
    field.current.spellcheck = false
    onText?.(field.current.value)
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
  const discard = (): void => {
    drafts.delete(draft)
    setKept(false)
    if (field.current) field.current.value = text
    onText?.(text)
    field.current?.focus()
    onDiscard?.()
  }
  const isRefused = problems.length > 0
  return (
    <>
      {isKept && drafts.has(draft) ? (
        <p class="notice">
          Your unsaved text is still here.{' '}
          <button type="button" onClick={discard}>
            Discard it
          </button>
        </p>
      ) : null}
      <label class="editor">
        {label}
        <textarea
          ref={field}
          name={name}
          rows={Math.min(Math.max(text.split('\n').length + 1, 12), 32)}
          autocapitalize="off"
          aria-invalid={isRefused ? 'true' : undefined}
          aria-describedby={isRefused ? `${name}-problems` : undefined}
          onInput={(event: Event) => {
            const { value } = event.target as HTMLTextAreaElement
            keepDraft(draft, { text: value, opened }, text)
            onText?.(value)
          }}
        />
      </label>
      {children}
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
