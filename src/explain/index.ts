import { errorTypeOf } from '../journal/entry.ts'
import { outcomeOf } from '../journal/outcome.ts'
import type { ExchangeRecord } from '../journal/record.ts'
import { redactor, type Redactor } from '../secrets/redact.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { explainAssumptions } from './explain-assumptions.ts'
import { explainBody } from './explain-body.ts'
import { explainConnection, wasAnswered } from './explain-connection.ts'
import { explainKey } from './explain-key.ts'
import { explainProduct } from './explain-product.ts'
import { explainRoute } from './explain-route.ts'
import { explainRows } from './explain-rows.ts'
import { explainScenarios, idleRule } from './explain-scenarios.ts'
import { explainScope } from './explain-scope.ts'
import { explainVersion } from './explain-version.ts'
import { fact, type Explanation, type ExplanationFact, type Part } from './explanation.ts'
import { plainSummary } from './summary.ts'
import { cut, onOneLine } from './quoted-values.ts'

/**
 * Says why a call was answered as it was. Costs nothing until somebody asks: it draws on what the journal holds of
 * the call, and on the rows as they are now only for what a call could not know, such as who deleted a row.
 */
export function explain(record: ExchangeRecord, context: ExplanationContext): Explanation {
  const hide = redactor(context.journal.secrets)
  const parts: Part[] = [
    explainCall(record),
    explainKey(record, context),
    explainVersion(record, context),
    explainRoute(record, context),
    explainProduct(record, context),
    explainScenarios(record, context, hide),
    explainScope(record),
    explainBody(record),
    explainRows(record, context),
    explainConnection(record),
    explainAssumptions(record, context),
  ]
  return masked(
    {
      id: record.id,
      summary: decisive(record, parts) ?? plainSummary(record, idleRule(record, context, hide)),
      sections: parts.flatMap(({ section }) => section ?? []),
    },
    hide,
  )
}

/** The parts stand in the order of the stages: the first that has a reason is where the call ended. */
function decisive(record: ExchangeRecord, parts: readonly Part[]): string | undefined {
  const outcome = outcomeOf(record)
  // What became of the connection and what is no endpoint outweighs whatever was found before.
  const about = outcome === 'fault' ? 'connection' : outcome === 'unmatched' ? 'route' : undefined
  const part =
    parts.find(({ section }) => about !== undefined && section?.about === about) ??
    parts.find(({ reason }) => reason !== undefined)
  return part?.reason
}

function explainCall(record: ExchangeRecord): Part {
  const { method, path, endpoint, status, plan } = record
  const type = errorTypeOf(record)
  return {
    section: {
      about: 'call',
      facts: [
        fact('request', `${method} ${onOneLine(path)}`),
        fact('operation', endpoint?.id),
        fact('answer', wasAnswered(record) ? status : null, outcomeOf(record)),
        ...(type === null ? [] : [fact('error_type', type)]),
        ...(plan?.offContract ? [fact('off_contract', true)] : []),
      ],
    },
  }
}

/** What is hidden in entries is hidden here. */
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
