// Probes of the assumptions about API keys.
import { createApiKey } from '../../endpoints/keys.ts'
import { retrieveReward } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { apiKey, createdApiKey } from '../../contract/resources/api-key.ts'
import type { Answer } from '../read-answer.ts'
import { briefly } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { need } from '../target.ts'
import { step } from './common-steps.ts'
import type { ProbesOf } from './probes-of.ts'
import { isSuccess } from '../answers.ts'
import { answerTo, statusSeen } from './readings.ts'
import { fromService } from '../service-text.ts'

type KeyAssumptionId = 'create_key_status' | 'create_key_shape' | 'new_key_inherits'

/** One key answers all questions, as the user has to delete it. */
const newKey: Step = { ...step('key', 'write', 'POST', createApiKey.path), once: true, made: nameOfKey }

/** Without an id, the end of a key tells it apart in a dashboard, and gives no access. */
function nameOfKey(answer: Answer): string | undefined {
  const key = textIn(answer, 'key')
  return textIn(answer, 'id') ?? (key && `key ending in ${key.slice(-4)}`)
}

function unlessMade(context: ProbeContext): Reading<never> | undefined {
  const answer = answerTo(context, newKey.name)
  return isSuccess(answer)
    ? undefined
    : cannotTell(`a key is answered ${briefly(answer)}`, 'keys.full that may create keys')
}

function textIn({ json }: Answer, field: string): string | undefined {
  const text = isJsonObject(json) ? json[field] : undefined
  return typeof text === 'string' ? text : undefined
}

export const keyProbes: Pick<ProbesOf<KeyAssumptionId>, KeyAssumptionId> = {
  create_key_status: {
    id: 'create_key_status',
    needs: [],
    steps: [newKey],
    read: (context) =>
      unlessMade(context) ?? statusSeen('create_key_status', [answerTo(context, newKey.name)]),
  },
  create_key_shape: {
    id: 'create_key_shape',
    needs: [],
    steps: [newKey],
    read(context) {
      const unclear = unlessMade(context)
      if (unclear) return unclear
      const { json } = answerTo(context, newKey.name)
      if (apiKey.safeParse(json).success) return value('key_and_dates')
      const { error } = createdApiKey.safeParse(json)
      if (!error) return value('id_key_secret_scopes_created_at')
      return other(
        isJsonObject(json) ? `the fields ${fromService(Object.keys(json).join(', '))}` : 'no JSON object',
      )
    },
  },
  new_key_inherits: {
    id: 'new_key_inherits',
    needs: ['ids.reward'],
    steps: [
      newKey,
      {
        name: 'reward',
        risk: 'read',
        method: 'GET',
        path: ({ target }) => pathTo(retrieveReward, { reward_id: need(target, 'ids.reward') }),
        request(context) {
          const key = textIn(answerTo(context, newKey.name), 'key')
          return key === undefined ? undefined : { authorization: () => `Bearer ${key}` }
        },
      },
    ],
    read(context) {
      const unclear = unlessMade(context)
      if (unclear) return unclear
      const answer = context.answer('reward')
      if (!answer) return cannotTell('the answer has no field key with the created key')
      return isSuccess(answer)
        ? value('products_and_environment')
        : other(`the new key is answered ${briefly(answer)}`)
    },
  },
}
