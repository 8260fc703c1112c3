import { expect, it } from 'vitest'
import { refusalOf } from '../../../src/storage/redis/engine-refusals.ts'

it.each([
  ['LOADING Redis is loading the dataset in memory', /^is still loading/],
  ["READONLY You can't write against a read only replica.", /^is a replica/],
  ['CLUSTERDOWN The cluster is down', /^is a cluster that is down/],
  [
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    /^has lost its master/,
  ],
  ['TRYAGAIN Multiple keys request during rehashing of slot', /^is moving our keys/],
  ['BUSY Redis is busy running a script.', /^is busy/],
  ["OOM command not allowed when used memory > 'maxmemory'. script: a", /maxmemory$/],
  [
    "ERR Error running script (call to f_0a): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
    /maxmemory$/,
  ],
  ['ERR Error running script (call to f_0a): @user_script:1: READONLY You may not', /^is a replica/],
  ['MISCONF Errors writing to the AOF file: No space left on device', /^takes no writes.*disk/],
  ['NOREPLICAS Not enough good replicas to write.', /^takes no writes.*replicas/],
  ['NOPERM this user has no permissions', /^does not allow/],
  ["ERR The user executing the script can't run this command or subcommand script: a", /^does not allow/],
  ['ERR ACL failure in script: User app has no permissions', /^does not allow/],
  ['NOAUTH Authentication required.', /^requires a password/],
  ['WRONGPASS invalid username-password pair or user is disabled.', /^refuses our user name/],
])('%s -> not now', (message, reason) => {
  expect(refusalOf(new Error(message))).toMatch(reason)
})

it.each([
  'ERR Wrong number of args calling Redis command from script',
  'WRONGTYPE Operation against a key holding the wrong kind of value',
  'ERR Error running script (call to f_0a): @user_script:1: WRONGTYPE Operation against a key',
  'ERR the value OOM is no number',
  'BUSYGROUP Consumer Group name already exists',
  'NOSCRIPT No matching script.',
])('%s -> a mistake of ours', (message) => {
  expect(refusalOf(new Error(message))).toBeUndefined()
})

it.each([
  ['{sandbox-2}:baseline', 'ACL SETUSER give it ~{sandbox-2}:* ~{sandbox-2:* +@all'],
  ['{sandbox:acme}:log', 'ACL SETUSER give it ~{sandbox}:* ~{sandbox:* +@all'],
])('a right that is missing for %s -> who needs which', (key, rights) => {
  expect(refusalOf(new Error('NOPERM this user has no permissions'), key)).toContain(rights)
})
