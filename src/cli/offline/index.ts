// The verbs that need no running sandbox: validate, generate, init, scenarios, openapi, schema.
import { Option } from 'commander'
import { schemaNames } from '../../operations/schema-names.ts'
import { verbsOf } from '../remote/operation-verbs.ts'
import { outputFile, textOrJson, type LazyVerb, type Verb } from '../verb.ts'

export const offlineVerbs: readonly (Verb | LazyVerb)[] = [
  {
    name: 'validate',
    about: 'check state documents and scenarios; without files, what start would load',
    args: [['[files...]', 'state documents and scenarios, or folders of them']],
    options: [
      'fixtures',
      'scenario',
      'scenarioLibrary',
      'mount',
      'generate',
      'seed',
      'assume',
      'calibrated',
      'config',
      'allowAnyPan',
    ],
    own: [
      new Option('--format <format>', 'how problems are printed')
        .choices(['text', 'json', 'github'])
        .default('text'),
    ],
    run: async ({ args, flags, io }) => (await import('./validate.ts')).validate(args, flags, io),
  },
  {
    name: 'generate',
    about: 'write a state document with a generated population',
    options: ['generate', 'fixtures', 'seed', 'assume', 'calibrated', 'allowAnyPan', 'config'],
    own: [
      new Option('--customers <number>', 'how many customers (the same as --generate customers=N)'),
      outputFile,
    ],
    run: async ({ flags, io }) => (await import('./generate.ts')).generate(flags, io),
  },
  {
    name: 'init',
    about: 'write a first fixture, scenario, config and test into the working directory; overwrites nothing',
    own: [
      new Option(
        '--agents',
        'write AGENTS.md and a skill for coding agents, and nothing else; in a file that exists, replace only the text between its marker lines, or append them',
      ),
    ],
    run: async ({ flags, io }) =>
      flags['agents'] === true
        ? (await import('./agent-files.ts')).writeAgentFiles(io)
        : (await import('./init.ts')).init(io),
  },
  {
    name: 'scenarios',
    load: async () => ({
      name: 'scenarios',
      about: 'list the scenarios, or show one',
      args: [['[name]', 'the scenario to show']],
      options: ['scenario', 'scenarioLibrary', 'mount', 'config'],
      own: [textOrJson],
      routes: ['GET /_sandbox/scenarios', 'GET /_sandbox/scenarios/:name'],
      verbs: verbsOf('scenarios', (await import('../../operations/scenarios.ts')).scenarioOperations).nested,
      run: async ({ args: [name], flags, io }) => (await import('./scenarios.ts')).scenarios(name, flags, io),
    }),
  },
  {
    name: 'webhooks',
    load: async () => ({
      name: 'webhooks',
      about: 'the endpoints that receive the webhook events of a running sandbox, and presets of events',
      verbs: [
        ...verbsOf('webhooks', (await import('../../operations/webhooks.ts')).webhookOperations).nested,
        {
          name: 'check',
          about: 'check whether a description of events verifies captured deliveries',
          args: [['<file>', 'the description, or the name of a preset, as for --webhooks']],
          own: [
            new Option(
              '--delivery <file>',
              'one request as raw HTTP, or every POST of a HAR; - is stdin',
            ).makeOptionMandatory(),
            new Option('--secret-file <file>', 'its secret; - is stdin').makeOptionMandatory(),
          ],
          help: '\nExit codes: 0 if it verifies every delivery, 6 if not, 3 if a file cannot be used.',
          run: async (call) => (await import('./check-webhooks.ts')).checkWebhooks(call),
        },
        {
          name: 'presets',
          about: 'list the presets, or print one as a file for --webhooks',
          args: [['[name]', 'the preset to print']],
          own: [textOrJson],
          run: async ({ args: [name], flags, io }) =>
            (await import('./webhook-presets.ts')).webhookPresets(name, flags, io),
        },
      ],
    }),
  },
  {
    name: 'openapi',
    about: 'print the API as an OpenAPI 3.1 document',
    options: ['environment', 'assume', 'calibrated', 'webhooks', 'baseUrl', 'config'],
    own: [
      new Option(
        '--sandbox',
        'add the headers of the sandbox, such as x-sandbox-scenario, to those of the API',
      ),
      new Option('--control', 'describe the control plane, /_sandbox, instead'),
      outputFile,
    ],
    routes: ['GET /_sandbox/openapi.json', 'GET /_sandbox/openapi-control.json'],
    run: async ({ flags, io }) => (await import('./openapi.ts')).openapi(flags, io),
  },
  {
    name: 'schema',
    about: 'print the JSON Schema of a kind of file',
    args: [['<kind>', `${schemaNames.join(', ')} or target`]],
    routes: schemaNames.map((name) => `GET /_sandbox/schemas/${name}.json` as const),
    run: async ({ args: [kind = ''], io }) => (await import('./schema.ts')).schema(kind, io),
  },
]
