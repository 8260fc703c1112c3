// The OpenAPI 3.1 document of the API, generated from endpoints and stages.
import { assumptionCatalogue, type AssumptionId, type Assumptions } from '../contract/assumptions.ts'
import { describeAssumptions, type Provenance } from '../input/resolve-assumptions.ts'
import { merchantKeyHeader } from '../contract/credentials.ts'
import { scopes } from '../contract/scopes.ts'
import { releasedVersions, supportedVersions, versionHeader, type Environment } from '../contract/versions.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import type { Endpoint, ExampleCall } from '../endpoints/define.ts'
import { servedEndpoints } from '../endpoints/index.ts'
import { failuresOfAnyCall, failuresOfRouting } from './failures.ts'
import { marks } from './marks.ts'
import { webhooksIn } from './webhooks.ts'
import { emptyComponents, inlined } from './components.ts'
import { operationOf, tagOf } from './operations.ts'
import { failuresByStatus, headersOf, type ResponseDraft } from './responses.ts'
import type { HttpMethod, OpenApiDocument, Parameter, Response } from './document-types.ts'
import { scenarioHeader } from '../scenarios/scenario.ts'

export type { OpenApiDocument } from './document-types.ts'

/** The inputs of the document in addition to the declarations. */
export interface DocumentOptions {
  assumptions: Assumptions
  /** Where their values come from; if omitted, all are defaults. */
  provenance?: Provenance
  /** The URL of the API. */
  serverUrl: string
  environment: Environment
  sandboxVersion: string
  /** How webhook events look, if they are served. */
  webhooks?: WebhookDescription | undefined
  /** Adds the headers of the sandbox, which the service neither reads nor sends. */
  sandbox?: boolean
  /** The sandbox whose page tokens are examples; without one, they have none. */
  example?: Omit<ExampleCall, 'values' | 'assume'>
  /** The operations to describe; those that the sandbox serves by default. */
  endpoints?: readonly Endpoint[]
}

/**
 * Returns the API as an OpenAPI 3.1 document under these assumptions. Everything in it comes from the declarations of
 * the endpoints, errors, scopes, versions and assumptions; the same input gives the same bytes.
 *
 * HEAD and OPTIONS are not listed as operations: HTTP gives them to every path that has GET, or any method at all, and
 * generated clients would get methods that no program calls.
 *
 * @example
 * describeApi({ assumptions: resolveAssumptions(), serverUrl: 'http://127.0.0.1:4010', … }).paths['/v2/customers']
 */
export function describeApi({
  assumptions: values,
  provenance,
  serverUrl,
  environment,
  sandboxVersion,
  webhooks,
  sandbox = false,
  example,
  endpoints = servedEndpoints(values),
}: DocumentOptions): OpenApiDocument {
  const draft: ResponseDraft = {
    values,
    environment,
    sandbox,
    example,
    components: {
      ...emptyComponents(),
      parameters: { ...requestHeaders(environment, values), ...(sandbox && { Scenario: scenarioParameter }) },
      securitySchemes,
    },
  }
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const methods = (paths[endpoint.path] ??= {})
    methods[endpoint.method.toLowerCase() as HttpMethod] = operationOf(draft, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Rewards, Cards and Transaction Intents API',
      // Versions are named by their release dates, and older versions also have the additions of a new one (Versioning
      // 6).
      version: releasedVersions.at(-1),
      summary: 'A stateful sandbox of the API, not the service itself.',
      description: about(values),
      license: { name: 'MIT', identifier: 'MIT' },
      'x-sandbox-version': sandboxVersion,
      ...marks([...boundaries, ...general]),
    },
    servers: [
      { url: serverUrl.replace(/\/+$/, ''), description: `The sandbox, as the ${environment} environment.` },
    ],
    tags: tagsOf(endpoints),
    security: [{ basic: [] }, { bearer: [] }],
    paths,
    ...(webhooks && { webhooks: webhooksIn(draft, webhooks) }),
    'x-unmatched': unmatched(draft),
    components: draft.components,
    'x-scopes': scopes,
    'x-assumptions': describeAssumptions(values, provenance),
  }
}

const boundaries: readonly AssumptionId[] = ['unlisted_operations', 'webhook_events', 'rate_limits']

/** Assumptions about the whole document, so no part of it is marked with them. */
const general: readonly AssumptionId[] = ['product_isolation', 'reward_transitions']

const about = (values: Assumptions): string =>
  [
    'This document describes the answers of a local sandbox for integration tests.',
    'Where the API contract is silent, the sandbox makes an assumption: `x-assumption` names those that a part rests on, and',
    '`x-assumptions` lists all of them with their current values.',
    '',
    'Not served:',
    ...boundaries
      .filter((id) => id !== 'webhook_events' || values.webhook_events === 'not_served')
      .map((id) => `- ${assumptionCatalogue[id].question} ${assumptionCatalogue[id].effect}`),
    '',
    'Clients must ignore response fields they do not recognise.',
  ].join('\n')

const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'The API key as user name without a password, or a key id with its key secret. A password together with an API key is ignored; a credential without a colon is refused.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a token.' },
}

/** The calls that must select a product, by assumption. */
const requiredCallers: Record<Assumptions['merchant_key_required'], string> = {
  key_of_several_products: 'a key of several products',
  partnership_of_several_products: 'every call of a partnership of several products',
}

/** The optional headers of every request (contract: Endpoints). */
function requestHeaders(
  environment: Environment,
  { merchant_key_required: required }: Assumptions,
): Record<string, Parameter> {
  return {
    ServiceVersion: {
      name: versionHeader,
      in: 'header',
      required: false,
      description: 'The API version to use; without it the version saved for the account is used.',
      schema: { type: 'string', enum: supportedVersions(environment) },
      example: releasedVersions.at(-1),
      ...marks(['version_differences']),
    },
    MerchantKey: {
      name: merchantKeyHeader,
      in: 'header',
      required: false,
      description: `Selects the product whose data is returned; ${requiredCallers[required]} must send it.`,
      schema: { type: 'string' },
      example: 'mk_summit',
      ...marks(['merchant_key_required', 'missing_merchant_key_status', 'unknown_merchant_key_status']),
    },
  }
}

/** The header that the sandbox adds to every request. */
const scenarioParameter: Parameter = {
  name: scenarioHeader,
  in: 'header',
  required: false,
  description:
    'Scenarios that provoke failures, for this call only, separated by commas. Read by the sandbox, not by the service.',
  schema: { type: 'string' },
  example: 'rate-limited',
}

function tagsOf(all: readonly Endpoint[]): { name: string; description: string }[] {
  return [...new Set(all.map(tagOf))].map((name) => ({ name, description: `Everything below /v2/${name}.` }))
}

/**
 * Answers to calls that match no operation. OpenAPI has no place for them, but tests want them declared. They contain
 * no references, as readers of OpenAPI would not follow them and would report their targets as unused.
 */
function unmatched(document: ResponseDraft): OpenApiDocument['x-unmatched'] {
  const draft: ResponseDraft = { ...document, components: emptyComponents() }
  const commonFailures = failuresOfAnyCall(document)
  const commonFailuresOr = (name: string) => [
    ...commonFailures,
    ...failuresOfRouting(document).filter((failure) => failure.name === name),
  ]
  const done: Response = {
    description:
      'The methods that the path has; the preflight of a browser needs no key, and is not numbered.',
    headers: headersOf(draft, ['allow'], [versionHeader, 'x-sandbox-request-id', 'x-sandbox-assumptions']),
  }
  const parts = {
    unknownPath: { responses: failuresByStatus(draft, commonFailuresOr('not_found'), '/v2/unknown') },
    wrongMethod: {
      responses: failuresByStatus(draft, commonFailuresOr('method_not_allowed'), '/v2/customers'),
    },
    options: { responses: { 204: done, ...failuresByStatus(draft, commonFailures, '/v2/customers') } },
  }
  return inlined(parts, draft.components) as typeof parts
}
