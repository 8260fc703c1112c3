import { costOfPart } from '../lib/part-cost.mjs'

/** What writes an exchange down and counts what it exercised, which then does nothing. */
const noRecord = `export function recordCall() {}\n`

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'C2',
  title: 'journal and coverage of a GET of one row: CPU a request (95 % interval)',
  run: (context) => costOfPart(context, 'no-record', { 'http/record-call.ts': noRecord }),
}
