// Explains why a call got its answer: one part for each stage.
import { assumptionCatalogue, type Assumptions } from '../contract/assumptions.ts'
import type { Resolution } from '../call/resolution.ts'
import { pageOf } from '../call/page-text.ts'
import { outcomeOf, receivedStatus, type Call } from '../call/index.ts'
import { errorTypeOf, shownQuery } from '../journal/entry.ts'
import type { ValueSource } from '../input/resolve-assumptions.ts'
import { redactor, type Redactor } from '../secrets/redact.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { explainBody } from './explain-body.ts'
import { explainIgnored } from './explain-ignored.ts'
import { explainConnection } from './explain-connection.ts'
import { explainEvents } from './explain-events.ts'
import { explainKey } from './explain-key.ts'
import { explainProduct } from './explain-product.ts'
import { explainRoute } from './explain-route.ts'
import { explainRows } from './explain-rows.ts'
import { explainScenarios, idleRule } from './explain-scenarios.ts'
import { explainScope, omissions } from './explain-scope.ts'
import { explainVersion } from './explain-version.ts'
import { fact, type Explanation, type ExplanationFact, type Part } from './explanation.ts'
import { cut, listed, onOneLine } from './quoted-values.ts'

/**
 * Explains why a call got its answer. It runs only on request: it reads the journal entry of the call, and the current
 * rows only for facts that the call could not know, such as who deleted a row.
 */
export function explain(call: Call, context: ExplanationContext): Explanation {
  const hide = redactor(context.journal.secrets)
  const parts: Part[] = [
    explainCall(call, hide),
    explainKey(call, context),
    explainVersion(call, context),
    explainRoute(call, context),
    explainProduct(call, context),
    explainScenarios(call, context, hide),
    explainScope(call, context),
    explainBody(call),
    explainIgnored(call, context),
    explainRows(call, context),
    explainConnection(call),
    explainEvents(call, context),
    explainAssumptions(call, context),
  ]
  return masked(
    {
      id: call.outcome.id,
      summary: decisive(call, parts) ?? plainSummary(call, idleRule(call, context, hide), context),
      sections: parts.flatMap(({ section }) => section ?? []),
    },
    hide,
  )
}

/** The parts are in the order of the stages: the first that has a reason is where the call ended. */
function decisive(call: Call, parts: readonly Part[]): string | undefined {
  const outcome = outcomeOf(call)
  // A transport fault and an unknown route take precedence over all other findings.
  const about = outcome === 'fault' ? 'connection' : outcome === 'unmatched' ? 'route' : undefined
  const part =
    parts.find(({ section }) => about !== undefined && section?.about === about) ??
    parts.find(({ reason }) => reason !== undefined)
  return part?.reason
}

function explainCall(call: Call, hide: Redactor): Part {
  const { request, resolution, outcome } = call
  const type = errorTypeOf(outcome)
  const query = shownQuery(request, hide)
  const target = query === '' ? request.path : `${request.path}?${query}`
  return {
    section: {
      about: 'call',
      facts: [
        fact('request', `${request.method} ${onOneLine(target)}`),
        fact('operation', request.endpoint?.id),
        fact('answer', receivedStatus(call) ?? 'lost', outcomeOf(call)),
        ...(type === null ? [] : [fact('error_type', type)]),
        ...(resolution.offContract ? [fact('off_contract', true)] : []),
      ],
    },
  }
}

/** The assumptions that the answer rests on, with the open question of each. */
function explainAssumptions({ resolution }: Call, context: ExplanationContext): Part {
  const restsOn = resolution.restsOn.ids
  if (restsOn.length === 0) return {}
  return {
    section: {
      about: 'assumptions',
      facts: restsOn.map((id) => {
        const note = [assumptionCatalogue[id].question, ...chosenBy(context.provenance.get(id))]
        return fact(id, context.assumptions[id], note.join(' '))
      }),
    },
  }
}

/** The source of a value, unless it is the default. */
function chosenBy(source: ValueSource | undefined): string[] {
  if (!source) return []
  const { observed, follows } = source
  if (follows) return [`Follows ${follows}.`]
  return [observed ? `Calibrated: observed at ${observed.host}, ${observed.at}.` : 'Set by assume.']
}

/** The summary of a call that no part refused, or that failed for an unknown reason. */
function plainSummary(call: Call, idle: string | undefined, { assumptions }: ExplanationContext): string {
  const { endpoint, method } = call.request
  const { status, failure, isClientGone } = call.outcome
  if (failure) return failure.message
  const who = endpoint?.id ?? method
  if (isClientGone) return `${who} would have answered ${status}, but the client had closed the connection.`
  if (outcomeOf(call) !== 'success') return `${who} answered ${status}.`
  const page = pageOf(call.outcome)
  const shown = page ? `: ${page.text}` : ''
  return `${who} answered ${status}${shown}${without(call, page ? ', without' : ' without', assumptions)}${usedRules(call.resolution)}${idle === undefined ? '' : `; ${idle}`}.`
}

function without(call: Call, word: string, assumptions: Assumptions): string {
  const fields = omissions(call, assumptions)
  if (fields.length === 0) return ''
  const { endpoint } = call.request
  const { key } = call.resolution
  const whose = key?.scopes.some((scope) => scope === endpoint?.optionalScope)
    ? `a scenario took ${endpoint?.optionalScope} away`
    : `${key?.id} lacks ${endpoint?.optionalScope}`
  return `${word} ${listed(fields)}, as ${whose}`
}

function usedRules({ plan }: Resolution): string {
  return plan && plan.rules.length > 0 ? `; scenario rule ${listed(plan.rules)} acted on it` : ''
}

/** Secrets that entries hide are hidden here. */
function masked({ id, summary, sections }: Explanation, hide: Redactor): Explanation {
  return {
    id,
    summary: cut(hide.text(summary)),
    sections: sections.map(({ about, facts }) => ({
      about,
      facts: facts.map((one) => maskedFact(one, hide)),
    })),
  }
}

function maskedFact({ name, value, note }: ExplanationFact, hide: Redactor): ExplanationFact {
  const shown = Array.isArray(value)
    ? value.map((text) => cut(hide.text(text)))
    : typeof value === 'string'
      ? cut(hide.text(value))
      : value
  return fact(name, shown, note === undefined ? undefined : cut(hide.text(note)))
}
