// Validation messages: what schema issues are called in the `details` of shape A.
import type { z } from 'zod'
import { maskCardNumbers } from '../secrets/mask.ts'

/**
 * Turns schema issues into the `details` of shape A: one string per violation, naming the field and the rule
 * (contract: Errors). Received values are never quoted: they may be card numbers.
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[], whole = 'body'): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${fieldName([...issue.path, key], whole)} is not a known field`)
    }
    return `${fieldName(issue.path, whole)} ${ruleOf(issue)}`
  })
}

/** Names of unknown fields come from clients, and must not break lines or hold card numbers. */
function printable(name: string): string {
  return maskCardNumbers(name.replace(/[^\x20-\x7e]/g, '?'))
}

/** A field as clients write it: `merchant_address.city`, `tokens[0].type`; the whole input has no path. */
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

/** The rule that an issue says was broken, so that "<field> <rule>" is a sentence. */
export function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    // A custom message wins over ours, but absence is always worded alike.
    if (issue.input === undefined) return 'is required'
    return issue.message.startsWith('must')
      ? issue.message
      : `must be ${articles[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return issue.message.startsWith('must') ? issue.message : `is invalid: ${issue.message}`
}
