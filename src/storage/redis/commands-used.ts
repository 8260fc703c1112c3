// Every command of the engine that is used, by us, by the library, or within a script: all of them are in Redis 6.2.

/** What users of an access list must be allowed; INFO may be missing, with a warning. */
export const commandsUsed = {
  /** By the library, to connect and to find its way in a cluster. */
  connection: ['HELLO', 'SELECT', 'CLUSTER|SLOTS', 'ASKING'],
  /** By us. */
  sent: ['PING', 'INFO', 'TIME', 'EVALSHA', 'EVAL'],
  /** Within our scripts. */
  scripted: [
    'DEL',
    'EXISTS',
    'GET',
    'HDEL',
    'HGET',
    'HGETALL',
    'HINCRBY',
    'HSET',
    'LPUSH',
    'LRANGE',
    'RPOP',
    'SET',
    'SETRANGE',
    'TIME',
    'XADD',
    'XRANGE',
    'XREVRANGE',
    'XTRIM',
    'ZADD',
    'ZCARD',
    'ZRANGE',
    'ZREM',
    'ZREVRANGE',
    'ZSCORE',
  ],
} as const
