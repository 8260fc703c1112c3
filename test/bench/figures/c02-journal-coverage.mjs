import { costOfPart } from '../lib/part-cost.mjs'

/** The recorder of calls without its work: it only ends the call. */
const noRecord = `
export function recordCall(call) { call.end(); return call }
export function notifyAnswer() {}
export function bugOutcome() { throw new Error('a call failed while the bench measured') }
`

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'C2',
  title: 'journal and coverage of a GET of one row: CPU a request (95 % interval)',
  run: (context) => costOfPart(context, 'no-record', { 'http/record-call.ts': noRecord }),
}
