// Sandboxes on data files that are looked at once they are closed.

/** How long closing waits for a last snapshot, which is optional: a process that ends should not wait for long. */
const patienceMs = 300

let closing = 0
let real = globalThis.setTimeout

/**
 * Has a sandbox wait for its last snapshot however long that takes when it is closed: on a busy disk it would now and
 * then be given up, and the journal be left. Where a test rules the time, it rules this, too.
 */
export function unhurried<T extends { close(): Promise<void> }>(sandbox: T): T {
  const close = sandbox.close.bind(sandbox)
  return Object.assign(sandbox, { close: () => withoutHurry(close) })
}

/** Lets closing, which this begins and waits for, take its time. */
export async function withoutHurry(close: () => Promise<unknown>): Promise<void> {
  if (Object.hasOwn(setTimeout, 'clock')) return void (await close())
  if (closing === 0) {
    real = globalThis.setTimeout
    const patient = (run: () => void, milliseconds?: number): NodeJS.Timeout =>
      real(run, milliseconds === patienceMs ? 1_000 * patienceMs : milliseconds)
    globalThis.setTimeout = Object.assign(patient, real)
  }
  closing += 1
  try {
    await close()
  } finally {
    closing -= 1
    if (closing === 0) globalThis.setTimeout = real
  }
}
