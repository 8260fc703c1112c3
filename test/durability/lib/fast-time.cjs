// Has time pass faster in a process, SPEED times as fast: what waits for it waits for less, and reads it as if it had not.
const speed = Number(process.env.SPEED)
const { setTimeout, setInterval } = globalThis
const now = performance.now.bind(performance)
performance.now = () => now() * speed
globalThis.setTimeout = (run, milliseconds, ...rest) => setTimeout(run, milliseconds / speed, ...rest)
globalThis.setInterval = (run, milliseconds, ...rest) => setInterval(run, milliseconds / speed, ...rest)
