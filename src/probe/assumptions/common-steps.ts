// Requests that several probes ask in the same bytes, so that each is sent once in a pass.
import { retrieveReward } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { firstRequest } from '../asker.ts'
import type { ProbeRequest } from '../prepare.ts'
import type { RiskClass, Step } from '../probe.ts'

type Asked = Omit<ProbeRequest, 'method' | 'path'>

/** A request of which everything is known beforehand. */
export const step = (
  name: string,
  risk: RiskClass,
  method: string,
  path: string,
  asked: Asked = {},
): Step => ({ name, risk, method, path: () => path, request: () => asked })

/** A read that every key may make. */
export const anyRead = (name: string, asked: Asked = {}, risk: RiskClass = 'read'): Step =>
  step(name, risk, firstRequest.method, firstRequest.path, asked)

/** As it should be: where it is refused, so is whatever else is asked of its path. */
export const plainRead = anyRead('plain')

const badKey = 'sk_cannot_exist'
const withBadKey: Asked = { authorization: () => `Bearer ${badKey}` }

/** A read with a key that nobody has. */
export const badKeyRead = anyRead('bad key', withBadKey, 'refusal')

/** The same with more that is wrong. */
export const badKeyReadWith = (name: string, headers: Record<string, string>): Step =>
  anyRead(name, { ...withBadKey, headers }, 'refusal')

export const noKeyRead = anyRead('no key', { key: null }, 'refusal')

/** A path that no endpoint has. */
export const noSuchPath = (name = 'no such path', asked: Asked = {}): Step =>
  step(name, 'refusal', 'GET', '/v2/cannot_exist', asked)

/** A method that the path does not have; it has no body, and an id that cannot exist. */
export const noSuchMethod = (name = 'no such method', asked: Asked = {}): Step =>
  step(name, 'refusal', 'PUT', pathTo(retrieveReward, { reward_id: 'rwd_cannot_exist' }), asked)

/** The path of an endpoint with ids that cannot exist. @example '/v2/rewards/reward_cannot_exist' */
export const impossiblePath = ({ path }: Pick<Endpoint, 'path'>): string =>
  path.replace(/\{(\w+)_id\}/g, '$1_cannot_exist')
