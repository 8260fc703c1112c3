// Refuses templates, regular expressions and too long globs in scenario files, which are data, not code.
import { isJsonObject } from '../contract/formats.ts'
import { globRule, isLongGlob } from './glob.ts'
import { within, type Report } from './report.ts'

/** A template would be used as plain text: it would never match, and be answered literally. */
export function refuseTemplates(value: unknown, report: Report): void {
  const rule = 'must be no template: scenarios hold exact values and globs only'
  refuseTexts((text) => /\{\{|\$\{|<%/.test(text), rule, value, report)
}

/** Texts that cannot be patterns: one that was meant as a regular expression would silently never match. */
export function refuseCode(value: unknown, report: Report): void {
  refuseTemplates(value, report)
  refuseTexts(isLongGlob, globRule, value, report)
  const rule = 'must be no regular expression: use an exact value, or a glob with * and ?'
  refuseTexts((text) => /^\/.+\/[dgimsuvy]*$|^\^|\\[dwsb.]/.test(text), rule, value, report)
}

function refuseTexts(
  isRefused: (text: string) => boolean,
  rule: string,
  value: unknown,
  report: Report,
): void {
  if (typeof value === 'string' && isRefused(value)) report([], rule)
  const inner = Array.isArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : []
  for (const [key, item] of inner) refuseTexts(isRefused, rule, item, within([key], report))
}
