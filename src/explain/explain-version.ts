// Explains the version of the call and its source, or why it was refused.
import { closest } from '../input/did-you-mean.ts'
import { latestVersion, supportedVersions, versionHeader } from '../contract/versions.ts'
import { outcomeOf, type Call } from '../call/index.ts'
import { headerOf, headerValues } from '../call/incoming-request.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type Part } from './explanation.ts'
import { listed, onOneLine, quoted } from './quoted-values.ts'

export function explainVersion(call: Call, context: ExplanationContext): Part {
  const { savedVersion: saved, versionSource: source, version, plan } = call.resolution
  if (saved === undefined) return {}
  const { environment } = context
  const sent = headerOf(call.request, versionHeader)
  const supported = supportedVersions(environment)
  if (source === undefined) {
    return {
      section: {
        about: 'version',
        facts: [
          fact('sent', onOneLine(sent ?? ''), versionHeader),
          fact('supported', [...supported], `in environment ${environment}`),
          fact('saved', saved, 'used if the header is omitted'),
        ],
      },
      reason: `${versionHeader} ${quoted(sent ?? '')} is not supported in environment ${environment}, which has ${listed(supported)}${hint(call, sent ?? '', context)}.`,
    }
  }
  const chosen = source === 'saved' ? saved : sent
  const facts = [
    source === 'saved'
      ? fact('version', chosen, `the saved version of environment ${environment}`)
      : fact('version', chosen, `the request header ${versionHeader}`),
  ]
  if (source === 'header') facts.push(fact('saved', saved))
  const left = plan?.ending?.kind === 'refusal' ? plan.ending.supported : undefined
  if (version === undefined && left) {
    facts.push(fact('supported', [...left], 'as a scenario has it'))
  } else if (version === undefined) {
    facts.push(fact('answered', null, `the ${outcomeOf(call)} answer of a scenario carries no version`))
  }
  return { section: { about: 'version', facts } }
}

function hint(call: Call, sent: string, { environment }: ExplanationContext): string {
  if (headerValues(call.request, versionHeader).length > 1) return '; it was sent more than once'
  if (sent === '') return '; omit the header for the saved version'
  if (sent === latestVersion) return `; ${latestVersion} exists in environment sandbox only`
  const guess = closest(sent, supportedVersions(environment))
  return guess === undefined ? '' : `; the nearest is ${guess}`
}
