// Has the clock of a process jump by years, forward and back, every 20 ms.
const now = Date.now
let jump = 0
setInterval(() => (jump = (Math.random() - 0.5) * 20 * 365 * 86_400_000), 20).unref()
Date.now = () => Math.trunc(now() + jump)
