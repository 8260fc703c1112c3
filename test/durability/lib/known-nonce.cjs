// Has a sandbox give its unfinished files names that are known before it starts, so that strace can watch them.
const crypto = require('node:crypto')
const { randomBytes } = crypto
let isFirst = true
crypto.randomBytes = (size, ...more) => {
  if (!isFirst) return randomBytes(size, ...more)
  isFirst = false
  return Buffer.alloc(size, 0xab)
}
