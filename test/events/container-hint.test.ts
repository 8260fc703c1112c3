import { afterEach, expect, it, vi } from 'vitest'
import { containerHint } from '../../src/events/container-hint.ts'

afterEach(() => void vi.unstubAllEnvs())

const own =
  'in a container, loopback is the container itself; use host.docker.internal, with Podman host.containers.internal, for the host, or the name of a Compose service, and allow it with --webhook-allow'
const unreachable = 'the receiver must listen on an address that the container reaches, such as 0.0.0.0'

it.each([
  ['localhost', own],
  ['app.localhost', own],
  ['127.0.0.9', own],
  ['::1', own],
  ['host.docker.internal', unreachable],
  ['host.containers.internal', unreachable],
  ['receiver', undefined],
  ['192.0.2.1', undefined],
])('%s refuses a connection from a container -> %s', (host, hint) => {
  vi.stubEnv('container', 'podman')
  expect(containerHint(host)).toBe(hint)
})
