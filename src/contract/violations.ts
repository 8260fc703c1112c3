// Validation messages: converts schema issues into the `details` of error shape A.
import type { z } from 'zod'
import { maskCardNumbers } from '../secrets/mask.ts'

/**
 * Converts schema issues into the `details` of shape A: one string per violation, naming the field and the rule
 * (contract: Errors). It never quotes received values: they may be card numbers.
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[], whole = 'body'): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${fieldName([...issue.path, key], whole)}: is not a known field`)
    }
    return `${fieldName(issue.path, whole)}: ${ruleOf(issue)}`
  })
}

/** Clients choose the names of unknown fields. The names must not break lines or show card numbers. */
function printable(name: string): string {
  return maskCardNumbers(name.replace(/[^\x20-\x7e]/g, '?'))
}

/**
 * A field in the notation of clients: `merchant_address.city`, `tokens[0].type`. An empty path names the whole input.
 */
export function fieldName(path: readonly PropertyKey[], whole: string): string {
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
  return name === '' ? whole : printable(name).slice(0, 200)
}

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'an array',
}

/** Returns the rule that an issue reports as broken, so that "<field>: <rule>" names both. */
export function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    // A custom message wins over ours, but a missing field always gets the same words.
    if (issue.input === undefined) return 'is required'
    return issue.message.startsWith('must')
      ? issue.message
      : `must be ${articles[issue.expected] ?? issue.expected}`
  }
  // Only issues that were parsed with `reportInput` have an input.
  if (issue.code === 'invalid_value' && 'input' in issue && issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return /^(must|is required)/.test(issue.message) ? issue.message : `is invalid: ${issue.message}`
}
