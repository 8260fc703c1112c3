// Explains the key and the workspace of a call, or what is wrong with its credential.
import { readCredential } from '../contract/credentials.ts'
import { closest } from '../input/did-you-mean.ts'
import type { CredentialProblem } from '../call/resolution.ts'
import type { Call } from '../call/index.ts'
import { headerOf, headerValues } from '../call/incoming-request.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type ExplanationFact, type Part } from './explanation.ts'
import { listed } from './quoted-values.ts'

export function explainKey(call: Call, context: ExplanationContext): Part {
  const { key, credentialProblem: problem } = call.resolution
  if (problem) return refused(call, problem, context)
  if (!key) return {}
  const sent = sentCredential(call)
  const { workspace } = call.outcome
  return {
    section: {
      about: 'key',
      facts: [
        fact('key', key.id, sent && `sent as ${sent.how}`),
        fact('environment', key.environment),
        fact('workspace', workspace, sent && workspaceNote(workspace, sent.user)),
      ],
    },
  }
}

function workspaceNote(workspace: string, user: string): string {
  if (user.endsWith(`.${workspace}`)) return 'named by the suffix of the key'
  return workspace === 'default'
    ? 'the key names no other'
    : "the call came through the workspace's own fetch"
}

/** The credential and its form. Never shown: it is a secret. */
function sentCredential({ request, resolution: { key } }: Call): { user: string; how: string } | undefined {
  const credential = readCredential(headerOf(request, 'authorization'))
  if ('refusal' in credential) return undefined
  if (credential.scheme === 'bearer') return { user: credential.token, how: 'Bearer API_KEY' }
  const { user } = credential
  const byId = key !== undefined && (user === key.id || user.startsWith(`${key.id}.`))
  return { user, how: byId ? 'Basic KEY_ID:KEY_SECRET' : 'Basic API_KEY:' }
}

function refused(call: Call, problem: CredentialProblem, context: ExplanationContext): Part {
  const reason = reasonOf(call, problem, context)
  const facts: ExplanationFact[] = [fact('problem', problem.kind)]
  if ('keyId' in problem) facts.push(fact('key', problem.keyId))
  if ('workspace' in problem) facts.push(fact('workspace', problem.workspace))
  if (problem.kind === 'other_environment') facts.push(fact('key_environment', problem.environment))
  facts.push(fact('environment', context.environment))
  return { section: { about: 'key', facts }, reason }
}

function reasonOf(call: Call, problem: CredentialProblem, context: ExplanationContext): string {
  const { request, outcome } = call
  switch (problem.kind) {
    case 'missing':
      return `No credential was sent: there is no Authorization header${inTheQuery(request.query)}.`
    case 'malformed':
      return headerValues(request, 'authorization').length > 1
        ? 'Authorization was sent more than once, so none of them is used.'
        : `The Authorization header could not be read: ${outcome.failure?.message ?? ''}`
    case 'unknown':
      return `${unknownKey(call, context)}.`
    case 'no_workspace':
      return `${unknownKey(call, context)}; workspace ${problem.workspace} does not exist, so only keys of the start are valid in it.`
    case 'not_of_partner':
      return `With --isolation partner a key opens only its own workspace, and workspace ${problem.workspace} belongs to no partner: send the key with its workspace's name behind a dot.`
    case 'other_environment':
      return `${problem.keyId} is a key of environment ${problem.environment}, and this sandbox is environment ${context.environment}.`
    case 'wrong_secret':
      return `The secret is not that of key id ${problem.keyId}.`
    case 'no_secret':
      return `${problem.keyId} is a key id, which is no credential without its secret: send its API key, or Basic KEY_ID:KEY_SECRET.`
    case 'workspace_name':
      return `The key of ${problem.keyId} does not end in a valid workspace name: a name is 1 to 64 of A-Z, a-z, 0-9, _ and -.`
    case 'other_workspace':
      return `The key of ${problem.keyId} names workspace ${problem.workspace}, and the call came through workspace ${outcome.workspace}.`
    case 'removed':
      return `The key ${problem.keyId} existed at start, but is no longer in workspace ${problem.workspace}.`
  }
}

/** Keys in other places, such as other headers, are not searched for. */
function inTheQuery(query: string): string {
  const names = [...new URLSearchParams(query).keys()].filter((name) => /key|token|auth/i.test(name))
  return names.length === 0 ? '' : `, and the query (${listed(names)}) is ignored`
}

/** With more keys, no similar one is searched for: comparing 50,000 takes a second. */
const maxCompared = 1_000

/** A key is unknown because it is misspelt, or because it belongs to another workspace. */
function unknownKey(call: Call, context: ExplanationContext): string {
  const said = 'No key here matches the one that was sent'
  const user = sentCredential(call)?.user ?? ''
  const bare = user.includes('.') ? user.slice(0, user.lastIndexOf('.')) : user
  for (const { name, state } of context.others()) {
    const found = state.find('api_keys', 'by_api_key', user) ?? state.find('api_keys', 'by_api_key', bare)
    if (found) return `${said}; it is ${found.id} of workspace ${name}: end it in .${name}`
  }
  const keys = context.state.size('api_keys') > maxCompared ? [] : [...context.state.all('api_keys')]
  const guess = closest(
    bare,
    keys.map((key) => key.api_key),
  )
  const near = keys.find((key) => key.api_key === guess)
  return near ? `${said}; it is nearly that of ${near.id}` : said
}
