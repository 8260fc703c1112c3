import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments, parseDocument } from 'yaml'
import { z } from 'zod'
import { readSettings } from '../../src/cli/settings.ts'
import {
  flagOf,
  optionNames,
  optionOf,
  storePasswordVariable,
  fileVariableOf,
  readFromFiles,
  variableOf,
} from '../../src/options/index.ts'
import { resources } from '../../src/control/index.ts'
import { createSandbox } from '../../src/index.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { workspaceKeys } from '../../src/storage/redis/lease-scripts.ts'
import { describeWithEngine, startEngine } from '../helpers/engine.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { partnerOptions } from '../helpers/partners.ts'

const readFile = (...path: string[]): string => readFileSync(join(packageRoot(), ...path), 'utf8')
const page = readFile('docs', 'many-machines.md')
const dockerfile = readFile('Dockerfile')
const blocks = blocksOf(page)
const { version } = JSON.parse(readFile('package.json')) as { version: string }
const port = optionOf('port').default

function yamlUnder(heading: string): string {
  const block = blocks.find((each) => each.heading === heading && each.language === 'yaml')
  if (!block) throw new Error(`docs/many-machines.md has no YAML under '${heading}'`)
  return block.code
}

// Only the keys that the page uses, with what Compose and Kubernetes demand of them: a mistyped one is refused.
const healthcheck = z.strictObject({
  test: z.array(z.string()).min(2),
  interval: z.string().regex(/^\d+s$/),
  timeout: z.string().regex(/^\d+s$/),
  retries: z.int().positive(),
})
const service = z.strictObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string().regex(/^(\.\/)?[\w.-]+:\/[\w./-]+(:ro)?$/)).optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  secrets: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: healthcheck.optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
})
const compose = z.strictObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ environment: z.string() })),
})

const name = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
const labels = z.record(z.string(), z.string())
const metadata = z.strictObject({ name, labels: labels.optional() })
/** A port by the name that the container gives it, at most 15 letters, digits and hyphens. */
const portName = z.string().regex(/^[a-z0-9-]{1,15}$/)
const times = {
  initialDelaySeconds: z.int().min(0).optional(),
  periodSeconds: z.int().min(1),
  timeoutSeconds: z.int().min(1).optional(),
  failureThreshold: z.int().min(1),
}
const quantities = z.strictObject({
  cpu: z
    .string()
    .regex(/^\d+m?$/)
    .optional(),
  memory: z.string().regex(/^\d+[MG]i$/),
})
const container = z.strictObject({
  name,
  image: z.string(),
  args: z.array(z.string()),
  ports: z.array(z.strictObject({ name: portName, containerPort: z.int() })),
  env: z.array(
    z.union([
      z.strictObject({ name: z.string(), value: z.string() }),
      z.strictObject({
        name: z.string(),
        valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name, key: z.string() }) }),
      }),
    ]),
  ),
  readinessProbe: z.strictObject({
    httpGet: z.strictObject({ path: z.string(), port: portName }),
    ...times,
  }),
  livenessProbe: z.strictObject({ tcpSocket: z.strictObject({ port: portName }), ...times }),
  lifecycle: z.strictObject({
    preStop: z.strictObject({ exec: z.strictObject({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
  }),
  resources: z.strictObject({ requests: quantities, limits: quantities }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
})
const secret = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata,
  type: z.literal('Opaque'),
  stringData: z.record(z.string(), z.string()),
})
const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int(),
    selector: z.strictObject({ matchLabels: labels }),
    strategy: z.strictObject({
      type: z.literal('RollingUpdate'),
      rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }),
    }),
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        terminationGracePeriodSeconds: z.int(),
        automountServiceAccountToken: z.literal(false),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.tuple([container]),
      }),
    }),
  }),
})
const kubeService = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name: portName, port: z.int(), targetPort: portName })),
  }),
})

const variables = new Set([
  ...optionNames.map(variableOf),
  ...readFromFiles.map(fileVariableOf),
  storePasswordVariable,
])
const isOurs = ({ image }: { image: string }): boolean => image.includes('partner-rewards-sandbox')
const unknownVariables = (names: readonly string[]): string[] => names.filter((each) => !variables.has(each))
const openPaths = resources
  .filter(({ operations }) => operations.some(({ guard }) => guard === 'none'))
  .map(({ path }) => path)

describe('docs/many-machines.md', () => {
  it('says above every block how far it is tried', () => {
    const known = /^(Tested: run\.|Tested: parsed\. Untested: .+\.)$/
    const unlisted = blocks.filter(({ language, label }) => language !== 'text' && !known.test(label ?? ''))
    expect(unlisted).toEqual([])
    expect(blocks.length).toBeGreaterThan(4)
  })

  it('names variables, flags and paths that there are', () => {
    expect(unknownVariables([...page.matchAll(/SANDBOX_[A-Z_]+/g)].map(([each]) => each))).toEqual([])
    const text = page.replaceAll(/^```[\s\S]*?^```$/gm, '')
    const flags = new Set(optionNames.map(flagOf))
    expect(
      [...text.matchAll(/`(--[a-z-]+)/g)].map(([, flag = '']) => flag).filter((flag) => !flags.has(flag)),
    ).toEqual([])
    const paths = [...page.matchAll(/\/_sandbox\/([a-z]+)/g)].map(([, noun]) => noun)
    const known = new Set(['files', ...resources.map(({ path }) => path.split('/')[2])])
    expect(paths.filter((noun) => !known.has(noun))).toEqual([])
  })

  it('gives rights to every key of the engine', () => {
    const command = /^ACL SETUSER .*$/m.exec(page)?.[0] ?? ''
    const rights = [...command.matchAll(/~(\S+)\*/g)].map(([, begin = '']) => begin)
    const prefix = `${optionOf('storePrefix').default}`
    const keys = [...workspaceKeys(prefix, 'w'), `{${prefix}}:baseline`, `{${prefix}}:workspaces`]
    expect(keys.filter((key) => !rights.some((begin) => key.startsWith(begin)))).toEqual([])
  })

  it('names the image of this version, and what the Dockerfile says of it', () => {
    const images = [...page.matchAll(/partner-rewards-sandbox:(\S+)/g)].map(([, tag]) => tag)
    expect(images).toEqual([version, version])
    expect(dockerfile).toContain(`EXPOSE ${port}\n`)
    expect(dockerfile).toContain('SANDBOX_HOST=0.0.0.0')
    expect(dockerfile).toMatch(/^USER \d+/m)
    expect(dockerfile).toContain('CMD ["start"]')
  })
})

describeWithEngine('a user with the rights of docs/many-machines.md', () => {
  it('serves partners', async () => {
    const rights = /^ACL SETUSER app on >PASSWORD (.*)$/m.exec(page)?.[1] ?? ''
    const engine = await startEngine({ user: 'app', password: 's3cret', rights })
    onTestFinished(() => engine.stop())
    const sandbox = await createSandbox({ ...partnerOptions, store: engine.url })
    onTestFinished(() => sandbox.close())
    const { credentials } = await sandbox.workspaces.create({ name: 'acme' })
    const headers = { authorization: `Bearer ${credentials?.api_key}` }
    expect((await sandbox.fetch('/v2/customers', { headers })).status).toBe(200)
    const replay = { method: 'POST', headers: { authorization: `Bearer ${credentials?.admin_token}` } }
    expect((await sandbox.fetch('/_sandbox/requests/req_acme_1/replay', replay)).status).toBe(201)
  })
})

describe('its Compose file', () => {
  const document = parseDocument(yamlUnder('Docker Compose'))
  const { services, volumes, secrets } = compose.parse(document.toJS())
  const sandboxes = Object.values(services).filter(isOurs)

  it('is read without a problem', () => {
    expect([...document.errors, ...document.warnings]).toEqual([])
    expect(Object.keys(services)).toEqual(['store', 'sandbox-1', 'sandbox-2', 'balancer'])
  })

  it('starts two sandboxes alike, with options that there are, and the token from a secret', () => {
    const [first, second] = sandboxes
    expect(second).toEqual(first)
    expect(unknownVariables(Object.keys(first?.environment ?? {}))).toEqual([])
    expect(first?.secrets).toEqual(Object.keys(secrets))
    expect(first?.environment?.[fileVariableOf('adminToken')]).toBe(`/run/secrets/${first?.secrets?.[0]}`)
  })

  it('calls an engine of the file that drops no keys, by the same password', () => {
    const [first] = sandboxes
    const url = new URL(first?.environment?.['SANDBOX_STORE'] ?? '')
    expect([url.protocol, url.hostname, url.port]).toEqual(['redis:', 'store', '6379'])
    const command = services['store']?.command ?? []
    const valueOf = (flag: string): string | undefined => command[command.indexOf(flag) + 1]
    expect(valueOf('--maxmemory-policy')).toBe('noeviction')
    expect(valueOf('--requirepass')).toBe(first?.environment?.['SANDBOX_STORE_PASSWORD'])
    expect(services['store']?.environment?.['REDISCLI_AUTH']).toBe(valueOf('--requirepass'))
  })

  it('waits for services that have a health check, and mounts volumes that there are', () => {
    for (const { depends_on: others = {}, volumes: mounts = [] } of Object.values(services)) {
      for (const other of Object.keys(others)) expect(services[other]?.healthcheck, other).toBeDefined()
      const named = mounts.map((mount) => mount.split(':')[0] ?? '').filter((from) => !from.startsWith('.'))
      expect(named.filter((from) => !(from in volumes))).toEqual([])
    }
  })

  it('asks the sandbox whether it is ready', async () => {
    const [how, program, ...words] = sandboxes[0]?.healthcheck?.test ?? []
    expect([how, program]).toEqual(['CMD', 'node'])
    const sandbox = await createSandbox()
    const server = await sandbox.listen()
    const check = async (): Promise<unknown> => {
      const moved = words.map((word) => word.replace(`127.0.0.1:${port}/`, `127.0.0.1:${server.port}/`))
      expect(moved).not.toEqual(words)
      const [code] = await once(spawn(process.execPath, moved, { stdio: 'ignore' }), 'exit')
      return code
    }
    expect(await check()).toBe(0)
    sandbox.drain()
    expect(await check(), 'it ends').toBe(1)
    await sandbox.close()
    expect(await check(), 'it has ended').toBe(1)
  })

  it('has a balancer with the servers of the recipe', () => {
    const recipe = blocks.find(({ language }) => language === 'haproxy')?.code ?? ''
    const servers = [...recipe.matchAll(/^ {2}server \w+ (\S+):(\d+)$/gm)]
    expect(servers.map(([, host]) => host)).toEqual(['sandbox-1', 'sandbox-2', 'sandbox-3'])
    expect(Object.keys(services['balancer']?.depends_on ?? {})).toEqual(['sandbox-1', 'sandbox-2'])
    const [, inside] = /^127\.0\.0\.1:\d+:(\d+)$/.exec(services['balancer']?.ports?.[0] ?? '') ?? []
    expect(recipe).toContain(`bind :${inside}\n`)
  })
})

describe('its Kubernetes manifest', () => {
  const documents = parseAllDocuments(yamlUnder('Kubernetes'))
  const [secretOf, deploymentOf, serviceOf] = z
    .tuple([secret, deployment, kubeService])
    .parse(Array.isArray(documents) ? documents.map((document) => document.toJS()) : [])
  const pod = deploymentOf.spec.template
  const [sandbox] = pod.spec.containers

  it('is read without a problem', () => {
    expect([...documents].flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  })

  it('selects its own pods', () => {
    expect(pod.metadata.labels).toMatchObject(deploymentOf.spec.selector.matchLabels)
    expect(pod.metadata.labels).toMatchObject(serviceOf.spec.selector)
    expect(deploymentOf.spec.replicas).toBe(1)
  })

  it('starts the sandbox with options that there are, and secrets that it defines', async () => {
    expect(sandbox.args).toEqual(['start'])
    expect(unknownVariables(sandbox.env.map((each) => each.name))).toEqual([])
    const { stringData } = secretOf
    const env = sandbox.env.map((each) => [
      each.name,
      'value' in each ? each.value : (stringData[each.valueFrom.secretKeyRef.key] ?? ''),
    ])
    expect(await readSettings({}, { env: Object.fromEntries(env), cwd: packageRoot() })).toMatchObject({
      store: `redis://:${stringData['store-password']}@store:6379`,
      adminToken: stringData['admin-token'],
    })
    const refs = sandbox.env.flatMap((each) => ('valueFrom' in each ? [each.valueFrom.secretKeyRef] : []))
    expect(refs.map(({ key }) => key)).toEqual(Object.keys(secretOf.stringData))
    expect(new Set(refs.map((ref) => ref.name))).toEqual(new Set([secretOf.metadata.name]))
  })

  it('has ports that meet, and probes at them', () => {
    const [own] = sandbox.ports
    expect(own?.containerPort).toBe(port)
    const [served] = serviceOf.spec.ports
    expect([
      served?.targetPort,
      sandbox.readinessProbe.httpGet.port,
      sandbox.livenessProbe.tcpSocket.port,
    ]).toEqual([own?.name, own?.name, own?.name])
    expect(openPaths).toContain(sandbox.readinessProbe.httpGet.path)
    expect(sandbox.readinessProbe.httpGet.path).toBe('/_sandbox/ready')
  })

  it('gives calls in flight time to end, and stops the old pod before it starts the new one', () => {
    const [, before] = sandbox.lifecycle.preStop.exec.command
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(before) + 10)
    expect(deploymentOf.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 1, maxSurge: 0 })
  })
})
