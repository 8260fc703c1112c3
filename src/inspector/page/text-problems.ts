// The problems of a typed text, with their lines.
import { findFaults, type Path } from '../../json/json-text.ts'
import { positionsOf } from '../../json/json-positions.ts'
import type { RefusedDetail } from './source.ts'

/** Something wrong with a text. */
export interface TextProblem {
  /** Counted from 1; undefined for the whole text. */
  line: number | undefined
  /** The place within the document, such as `customers[0].first_name`; empty for the whole of it. */
  path: string
  message: string
}

/** As deep as the sandbox reads. */
const maxDepth = 100

/** Why a text is no JSON; nothing where it is. @example jsonProblems('{"a": 1,}')[0]?.line   // 1 */
export function jsonProblems(text: string): TextProblem[] {
  if (text.trim() === '') return [{ line: undefined, path: '', message: 'is empty; expected JSON' }]
  return findFaults(text, maxDepth).map(({ offset, message }) => ({
    line: lineAt(text, offset),
    path: '',
    message,
  }))
}

/** Assigns the problems of a refusal to the lines of the sent text. @param text valid JSON, if a detail has no line. */
export function placedProblems(text: string, details: readonly RefusedDetail[]): TextProblem[] {
  const lost = details.filter(({ line, path = '' }) => line === undefined && path !== '')
  const places = positionsOf(
    text,
    lost.map(({ path = '' }) => pathOf(path)),
  )
  const offsets = new Map(lost.map((detail, index) => [detail, places[index]?.key]))
  return details.map((detail) => {
    const offset = offsets.get(detail)
    const line = detail.line ?? (offset === undefined ? undefined : lineAt(text, offset))
    return { line, path: detail.path ?? '', message: detail.message }
  })
}

/** Where a line begins and ends. @param line counted from 1. */
export function rangeOfLine(text: string, line: number): { start: number; end: number } {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1)
  const start = before.reduce((sum, each) => sum + each.length + 1, 0)
  return { start, end: start + (lines[line - 1]?.length ?? 0) }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Reads a path as people write it: `customers[0].first_name`. */
function pathOf(path: string): Path {
  return [...path.matchAll(/\[(\d+)\]|[^.[]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index),
  )
}
