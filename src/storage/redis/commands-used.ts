// Every command of the engine that we, the library or a script uses: Redis 6.2 has all of them.

/** Commands that an access list must allow; INFO may be missing, with a warning. */
export const commandsUsed = {
  /** By the library, to connect and to discover a cluster. */
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
