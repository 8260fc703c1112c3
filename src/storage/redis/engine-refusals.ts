// Temporary refusals of the engine, with the next step; any other error reply is a bug of ours.
import { isSystemError } from '../../runtime/host.ts'

/** By the code at the beginning of its errors. */
const reasons: Record<string, string> = {
  LOADING: 'is still loading its data, which is temporary',
  READONLY: 'is a replica, which takes no writes: name the master, or wait until one is promoted',
  CLUSTERDOWN: 'is a cluster that is down: see CLUSTER INFO for the slots without a server',
  MASTERDOWN: 'has lost its master: restart it, or promote a replica',
  TRYAGAIN: 'is moving our keys to another node of the cluster, which is temporary',
  BUSY: 'is busy with a script of another client: wait, or stop it with SCRIPT KILL',
  OOM: 'has no memory left: raise its maxmemory',
  MISCONF: 'takes no writes, as it cannot save to its disk: see its log',
  NOREPLICAS: 'takes no writes, as too few replicas follow it (min-replicas-to-write)',
  NOAUTH: 'requires a password: put it into the address, or into SANDBOX_STORE_PASSWORD',
  WRONGPASS: 'refuses our user name or password: check those of the address, and SANDBOX_STORE_PASSWORD',
}

/** Health shows it to any client, so it names no user. @param key the key of the command, if known. */
function rightsNeeded(key = ''): string {
  const prefix = /^\{([\w-]+)[:}]/.exec(key)?.[1] ?? 'PREFIX'
  const which = prefix === 'PREFIX' ? ', with the PREFIX of --store-prefix' : ''
  return `does not allow our user a command or key: by ACL SETUSER give it ~{${prefix}}:* ~{${prefix}:* +@all${which}`
}

/** Redis 6.2 wraps an error within a script in an error of its own. */
const refusal = new RegExp(
  `^(?:ERR Error running script.*?: -?)?(NOPERM|${Object.keys(reasons).join('|')})\\b`,
  's',
)

/** Redis gives these errors no code. */
const noRight = /ACL failure in script|user executing the script can't/
const noUser = /^ERR AUTH .* called without any password configured/

/** Returns the state of the engine: `has no memory left: …`; undefined for an error that is none of these. */
export function refusalOf(error: unknown, key?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = noRight.test(error.message)
    ? 'NOPERM'
    : noUser.test(error.message)
      ? 'WRONGPASS'
      : (refusal.exec(error.message)?.[1] ?? '')
  return code === 'NOPERM' ? rightsNeeded(key) : reasons[code]
}

const foreignKey = /^(?:ERR Error running script.*?: -?)?(?:WRONGTYPE|ERR hash value is not an integer)\b/s

/** Whether a script found a value of another kind under one of our keys. */
export function isForeignKey({ message }: Error): boolean {
  return foreignKey.test(message)
}

const closed =
  'closed the connection: check that it runs, and whether it speaks TLS there (rediss:// is with it, redis:// without)'

const failures: Record<string, string> = {
  ECONNREFUSED: 'does not answer (connection refused): check the address, and that it runs',
  ENOTFOUND: 'has a host name that is not known: check the address',
  EAI_AGAIN: 'has a host name that cannot be looked up now: check the address and the network',
  ECONNRESET: closed,
}

const untrusted = /CERT|SIGNATURE|ISSUER/

/** Returns why a connection failed or was lost: `does not answer (connection refused): …`. */
export function failureOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (untrusted.test(code))
    return `has a certificate that is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS`
  const known = failures[code]
  if (known !== undefined) return known
  if (isSystemError(error) || code !== '')
    return `does not answer (${code}): check the address, and that it runs`
  return closed
}
