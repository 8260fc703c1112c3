/** How many handles of a kind are open, once those that were closed are gone: that takes a turn or two. */
export async function openHandles(kind: 'FSEventWrap' | 'TCPServerWrap' | 'PipeWrap'): Promise<number> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  return process.getActiveResourcesInfo().filter((name) => name === kind).length
}
