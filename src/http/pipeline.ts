// The pipeline: takes a call through its stages, judges it again where it must be, and delivers its answer.
import type { DataFolder } from '../persistence/data-folder.ts'
import { deliver } from './deliver.ts'
import { openKept } from './kept-calls.ts'
import { afterJudging, answerWith, complete, judge, judging, type Waits } from './judge-call.ts'
import type { ServedCall } from './served-call.ts'
import { answerShared } from './shared-calls.ts'

/**
 * Takes a request through the stages, and delivers its answer. Waits only where a stage does, such as where a body is
 * received; one that need not wait is answered before this returns, which spares every read a turn of the event loop.
 *
 * A reset, a restored snapshot or an upload may put another state in place meanwhile, and a key may be changed or
 * deleted. The call is then judged again, as if it had come later: it sees all of the old state or all of the new,
 * never the rights of one and the rows of the other. From the last wait to the commit nothing waits, so there is no
 * gap left.
 */
export function answer(call: ServedCall): void {
  const { shared, folder } = call.service
  if (shared) answerShared(call, shared)
  else if (folder) answerKept(call, folder)
  else runFrom(0, call)
}

/** With a folder of data: what a call names is opened before it is judged. */
function answerKept(call: ServedCall, folder: DataFolder): void {
  const opening = openKept(call, folder)
  if (opening === undefined) return runFrom(0, call)
  opening.then(
    () => answerKept(call, folder),
    (error: unknown) => waits.fail(error, call),
  )
}

function runFrom(first: number, call: ServedCall): void {
  if (judge(first, call, waits)) finish(call)
}

const waits: Waits = {
  goOn(next, call) {
    if (!call.isOutdated) return runFrom(next, call)
    call.startOver()
    runFrom(judging, call)
  },
  fail(error, call) {
    answerWith(error, call)
    finish(call)
  },
}

/** Ends a call, once what it wrote is kept; also when its answer is then lost on purpose. */
function finish(call: ServedCall): void {
  afterJudging(call)
  const saving = call.wrote ? call.workspace.keeper?.saved() : undefined
  if (saving === undefined) return letGo(call)
  saving.then(
    () => letGo(call),
    (error: unknown) => {
      answerWith(error, call)
      letGo(call)
    },
  )
}

function letGo(call: ServedCall): void {
  complete(call)
  deliver(call)
}
