// The pipeline: takes a call through its stages, judges it again where it must be, and delivers its answer.
import type { DataFolder } from '../persistence/data-folder.ts'
import { deliver } from './deliver.ts'
import { openKept } from './kept-calls.ts'
import { afterJudging, answerWith, complete, judge, judging, type Waits } from './judge-call.ts'
import type { OpenExchange } from './open-exchange.ts'
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
export function answer(exchange: OpenExchange): void {
  const { shared, folder } = exchange.service
  if (shared) answerShared(exchange, shared)
  else if (folder) answerKept(exchange, folder)
  else runFrom(0, exchange)
}

/** With a folder of data: what a call names is opened before it is judged. */
function answerKept(exchange: OpenExchange, folder: DataFolder): void {
  const opening = openKept(exchange, folder)
  if (opening === undefined) return runFrom(0, exchange)
  opening.then(
    () => answerKept(exchange, folder),
    (error: unknown) => waits.fail(error, exchange),
  )
}

function runFrom(first: number, exchange: OpenExchange): void {
  if (judge(first, exchange, waits)) finish(exchange)
}

const waits: Waits = {
  goOn(next, exchange) {
    if (!exchange.isOutdated) return runFrom(next, exchange)
    exchange.startOver()
    runFrom(judging, exchange)
  },
  fail(error, exchange) {
    answerWith(error, exchange)
    finish(exchange)
  },
}

/** Ends a call, once what it wrote is kept; also when its answer is then lost on purpose. */
function finish(exchange: OpenExchange): void {
  afterJudging(exchange)
  const saving = exchange.wrote ? exchange.workspace.keeper?.saved() : undefined
  if (saving === undefined) return letGo(exchange)
  saving.then(
    () => letGo(exchange),
    (error: unknown) => {
      answerWith(error, exchange)
      letGo(exchange)
    },
  )
}

function letGo(exchange: OpenExchange): void {
  complete(exchange)
  deliver(exchange)
}
