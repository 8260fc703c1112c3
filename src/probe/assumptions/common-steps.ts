// Requests that several probes share byte for byte, so that each is sent once in a pass.
import type { Endpoint } from '../../endpoints/define.ts'
import { firstRequest } from '../request-sender.ts'
import type { ProbeRequest } from '../prepare.ts'
import type { RiskClass, Step } from '../probe.ts'

type RequestParts = Omit<ProbeRequest, 'method' | 'path'>

/** A request that does not depend on earlier answers. */
export const step = (
  name: string,
  risk: RiskClass,
  method: string,
  path: string,
  requested: RequestParts = {},
): Step => ({ name, risk, method, path: () => path, request: () => requested })

/** A read that every key may make. */
export const anyRead = (name: string, requested: RequestParts = {}, risk: RiskClass = 'read'): Step =>
  step(name, risk, firstRequest.method, firstRequest.path, requested)

/** The valid call: if it is refused, so is every other call of its path. */
export const plainRead = anyRead('plain')

const badKey = 'sk_cannot_exist'
const withBadKey: RequestParts = { authorization: () => `Bearer ${badKey}` }

/** A read with an unknown key. */
export const badKeyRead = anyRead('bad key', withBadKey, 'refusal')

export const noKeyRead = anyRead('no key', { key: null }, 'refusal')

/** Returns the path of an endpoint with ids that cannot exist. @example '/v2/rewards/reward_cannot_exist' */
export const impossiblePath = ({ path }: Pick<Endpoint, 'path'>): string =>
  path.replace(/\{(\w+)_id\}/g, '$1_cannot_exist')
