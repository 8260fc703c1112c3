// Probes of the assumptions about bodies, queries and headers of requests, and optional fields.
import { valuesOf } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { firstRequest } from '../request-sender.ts'
import type { Answer } from '../read-answer.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext } from '../probe.ts'
import { anyRead, step } from './common-steps.ts'
import type { ProbesOf } from './probes-of.ts'
import {
  asJson,
  rejectedIntentStep,
  faultless,
  fateOf,
  rejectedIntent,
  openRejectedIntent,
  ruleProbe,
  unlessFaultless,
} from './rejected-intent.ts'
import { idsOfIntent, newIntent } from './new-intent.ts'
import { isSuccess } from '../answers.ts'
import { answerTo } from './readings.ts'

type RequestAssumptionId =
  | 'malformed_json_shape'
  | 'unsupported_media_type'
  | 'unknown_body_fields'
  | 'unknown_query_parameters'
  | 'null_request_fields'
  | 'idempotency_key'

const unknownField = (json: string) => asJson(`${openRejectedIntent},"cannot_exist":${json}}`)

const malformed = `${openRejectedIntent},`
export const requestProbes: Pick<ProbesOf<RequestAssumptionId>, RequestAssumptionId> = {
  malformed_json_shape: {
    id: 'malformed_json_shape',
    needs: [],
    steps: [faultless, rejectedIntentStep('malformed', asJson(malformed))],
    read(context) {
      const unclear = unlessFaultless(context)
      if (unclear) return unclear
      const answer = answerTo(context, 'malformed')
      const fate = fateOf(answer)
      return fate === 'A' || fate === 'B' ? value(fate) : other(briefly(answer))
    },
  },
  unsupported_media_type: {
    id: 'unsupported_media_type',
    needs: [],
    steps: [
      faultless,
      rejectedIntentStep('as text', {
        body: JSON.stringify(rejectedIntent),
        headers: { 'content-type': 'text/plain' },
      }),
    ],
    read(context) {
      const unclear = unlessFaultless(context)
      if (unclear) return unclear
      const answer = answerTo(context, 'as text')
      if (fateOf(answer) === 'passed') return value('accept')
      const known = valuesOf('unsupported_media_type').find((status) => status === answer.status)
      return known === undefined ? other(briefly(answer)) : value(known)
    },
  },
  unknown_body_fields: ruleProbe('unknown_body_fields', unknownField('1'), {
    passed: 'ignore',
    refused: 'refuse',
  }),
  unknown_query_parameters: {
    id: 'unknown_query_parameters',
    needs: [],
    steps: [anyRead('plain'), step('unknown', 'refusal', 'GET', `${firstRequest.path}?cannot_exist=1`)],
    read(context) {
      const answer = answerTo(context, 'unknown')
      if (isSuccess(answer)) return value('ignore')
      return fateOf(answer) === 'A' ? value('refuse') : other(briefly(answer))
    },
  },
  null_request_fields: ruleProbe(
    'null_request_fields',
    { json: { ...rejectedIntent, merchant_name: null } },
    { passed: 'absent', refused: 'refuse' },
  ),
  // A header that is not refused may still have an effect, so two intents are created.
  idempotency_key: {
    id: 'idempotency_key',
    needs: idsOfIntent,
    steps: [
      rejectedIntentStep('for an unknown customer', {
        json: rejectedIntent,
        headers: { 'idempotency-key': 'cannot_exist' },
      }),
      newIntent('once', withIdempotencyKey),
      newIntent('again', withIdempotencyKey),
    ],
    read(context) {
      const refused = answerTo(context, 'for an unknown customer')
      const fate = fateOf(refused)
      if (fate === undefined) return other(briefly(refused))
      if (fate !== 'passed') return value('refused')
      const [once, again] = [answerTo(context, 'once'), answerTo(context, 'again')]
      if (!isSuccess(once))
        return cannotTell(
          `an intent is answered ${briefly(once)}`,
          'ids of a customer and their payment method',
        )
      if (isSuccess(again))
        return idIn(once) === idIn(again) ? other('the first intent again') : value('ignored')
      // Refused for the network id of the first one: the call was processed again.
      const error = errorIn(again)
      const isProcessedAgain =
        error?.shape === 'A' && error.details.some((detail) => detail.includes('network_transaction_id'))
      return isProcessedAgain ? value('ignored') : other(briefly(again))
    },
  },
}

function withIdempotencyKey(context: ProbeContext) {
  if (fateOf(answerTo(context, 'for an unknown customer')) !== 'passed') return undefined
  return { headers: { 'idempotency-key': `${context.run}-idempotency` }, networkId: 'idempotency' }
}

function idIn({ json }: Answer): unknown {
  return isJsonObject(json) ? json['id'] : undefined
}
