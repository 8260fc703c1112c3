// Advice for a receiver that refused a connection from a container.
import { isContainer } from '../runtime/host.ts'
import { isOwnHost } from './allowed-addresses.ts'

/** The names by which a container reaches its host, of Docker and of Podman. */
const hostNames = ['host.docker.internal', 'host.containers.internal']

/** Returns why a connection from here to a host was refused, if this process runs in a container. */
export function containerHint(host: string): string | undefined {
  if (!isContainer()) return undefined
  if (hostNames.includes(host))
    return 'the receiver must listen on an address that the container reaches, such as 0.0.0.0'
  return isOwnHost(host)
    ? `in a container, loopback is the container itself; use ${hostNames.join(', with Podman ')}, for the host, or the name of a Compose service, and allow it with --webhook-allow`
    : undefined
}
