// Tests that cannot run against two sandboxes in turn, each with its reason.

/** Files that are not run. */
export const filesOfOneProcess: Readonly<Record<string, string>> = {
  'test/control/stream.test.ts': 'a stream tells of the calls that its own process answers',
  'test/control/stream.process.test.ts': 'a stream tells of the calls that its own process answers',
  'test/control/metrics.test.ts': 'metrics count the calls of their own process',
  'test/control/metrics.process.test.ts': 'metrics count the calls of their own process',
  'test/control/hostile.property.test.ts':
    'it draws requests until every write was accepted once, which takes minutes over two processes',
}

/** Tests that cannot pass: one that does fails, so that none stays here for nothing. */
export const testsOfOneProcess: Readonly<Record<string, string>> = {
  'test/control/control.test.ts > GET /_sandbox/health > says that all is well, which version this is, and since when it runs':
    'health tells of the store, too',
  'test/control/copied-workspace.test.ts > workspaces made from another > no row is looked at, but for the one key that is told':
    'it counts what both look at, as they share this process',
  'test/control/events.test.ts > the events of a sandbox that serves them > are delivered by drain, by resend and by a moved clock, whose answers come after the handlers':
    'a handler belongs to one process',
  'test/scenarios/catalogue-events.test.ts > a built-in scenario against the receiver of the page of events > all of them together -> every point of the receiver':
    'a duplicate is concurrent only with attempts of its own process',
  'test/control/listener-stream.test.ts > the stream of an endpoint with a listener > a drain waits for the report, and counts it':
    'a drain counts the attempts of its own process',
  'test/control/listener-stream.test.ts > the stream of an endpoint with a listener > counts toward the limit of streams':
    'each process limits its own streams',
  'test/control/stop.process.test.ts > nobody is there to be told -> the sandbox closes its servers':
    'one stops, and the server of the other goes on',
  'test/scenarios/catalogue-events.test.ts > a built-in scenario against the receiver of the page of events > event-early is planned for the events of calls, which wait with this fault':
    'a handler belongs to one process',
}

/** Tests that would wait in vain. */
export const testsOfOneTurn: Readonly<Record<string, string>> = {
  'slow: the answers are the same, only later':
    'it holds the timers in the turn of the event loop after a call, when that is on its way to the engine',
}
