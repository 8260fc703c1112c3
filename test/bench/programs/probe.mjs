// Loaded into every server before its own code: tells the bench what the process has used so far.
process.on('message', (/** @type {{ ask: 'cpu' | 'memory' }} */ { ask }) => {
  if (ask === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system })
  } else {
    globalThis.gc?.()
    globalThis.gc?.()
    // Memory that the collection freed goes back to the system a little later.
    setTimeout(() => {
      const { rss, heapUsed } = process.memoryUsage()
      process.send?.({ rss, heapUsed })
    }, 300)
  }
})
process.on('disconnect', () => process.exit())
