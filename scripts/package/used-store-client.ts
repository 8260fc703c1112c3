// Removes the parts of node-redis that the shared store does not use: three quarters of it.
import { createRequire } from 'node:module'
import type { Rolldown } from 'tsdown'

/**
 * The exports of a module that the shared store uses, as JavaScript. Any other export throws an error with its name.
 */
type StandIn = Readonly<Record<string, string>>

const nothing = '() => undefined'
const noCommand: StandIn = { default: '{}' }
const noTransactions: StandIn = { default: `{ extend: ${nothing} }` }

/** The replacements of files of `@redis/client`. */
const standIns: Readonly<Record<string, StandIn>> = {
  // The imports of src/storage/redis/redis-client.ts: no sentinel, no pool, no scripts.
  'dist/index.js': {
    createClient: `require('./lib/client').default.create`,
    createCluster: `require('./lib/cluster').default.create`,
    ErrorReply: `require('./lib/errors').ErrorReply`,
    RESP_TYPES: `require('./lib/RESP/decoder').RESP_TYPES`,
  },
  // node-redis has a typed method for each command. We send commands as words, and node-redis itself only calls this
  // method.
  'dist/lib/commands/index.js': {
    default: `{ clusterSlots: require('./CLUSTER_SLOTS').default }`,
    NON_STICKY_COMMANDS: '{}',
  },
  'dist/lib/commands/generic-transformers.js': {
    parseArgs: `(command, ...args) => {
      const parser = new (require('../client/parser').BasicCommandParser)()
      command.parseCommand(parser, ...args)
      return parser.redisArgs
    }`,
  },
  'dist/lib/commands/HIMPORT_DISCARD.js': noCommand,
  'dist/lib/commands/HIMPORT_DISCARDALL.js': noCommand,
  'dist/lib/commands/HIMPORT_PREPARE.js': noCommand,
  'dist/lib/commands/HIMPORT_SET.js': noCommand,
  'dist/lib/himport/registry.js': { FieldsetRegistry: 'class {}', PreparedFieldsets: 'class { clear() {} }' },
  // The metadata routes commands to nodes of a cluster and combines their replies. Unknown commands go to the node of
  // their key, which is correct for all of ours.
  'dist/lib/command-metadata/index.js': {
    defaultCommandMetadata: `{ resolvePolicy: () => ({ ok: false }) }`,
    defaultCommandPolicies: `require('./policies-constants').defaultCommandPolicies`,
    REQUEST_POLICIES_WITH_DEFAULTS: `require('./policies-constants').REQUEST_POLICIES_WITH_DEFAULTS`,
    RESPONSE_POLICIES_WITH_DEFAULTS: `require('./policies-constants').RESPONSE_POLICIES_WITH_DEFAULTS`,
    isReplicaSafe: `require('./predicates').isReplicaSafe`,
  },
  'dist/lib/cluster/request-response-policies/dispatch.js': {},
  'dist/lib/cluster/request-response-policies/ft-cursor.js': {},
  'dist/lib/cluster/request-response-policies/scan-cursor.js': {},
  'dist/lib/client/multi-command.js': noTransactions,
  'dist/lib/cluster/multi-command.js': noTransactions,
  'dist/lib/client/pub-sub.js': {
    PubSub: `class {
      isActive = false
      static isStatusReply() { return false }
      static isShardedUnsubscribe() { return false }
      handleMessageReply() { return false }
      resubscribe() { return [] }
      reset() {}
    }`,
  },
  'dist/lib/client/pool.js': {},
  'dist/lib/client/legacy-mode.js': {},
  'dist/lib/client/cache.js': {},
  'dist/lib/authx/index.js': {},
  // Handles the notices of a paid service before it moves a node.
  'dist/lib/client/enterprise-maintenance-manager.js': {
    default: `{ getHandshakeCommand: ${nothing} }`,
    dbgMaintenance: nothing,
    SMIGRATED_EVENT: `'__SMIGRATED'`,
  },
  'dist/lib/client/tracing.js': { CHANNELS: '{}', publish: nothing, trace: '(_, work) => work()' },
  'dist/lib/opentelemetry/index.js': {
    ClientRegistry: `{ instance: { register: ${nothing}, unregister: ${nothing} } }`,
  },
}

/** Unused methods of classes that remain in the bundle. */
const unreached: Readonly<Record<string, readonly string[]>> = {
  'dist/lib/client/index.js': [
    'parseURL',
    'parseUnixURL',
    'subscribeForStreamingCredentials',
    'executeHimport',
    '_executeScript',
    '_executeMulti',
    '_executePipeline',
    'MULTI',
    'reset',
    'resetIfDirty',
  ],
  'dist/lib/cluster/index.js': ['MULTI', 'SSUBSCRIBE', 'SUNSUBSCRIBE', 'resubscribeAllPubSubListeners'],
  'dist/lib/cluster/cluster-slots.js': [
    'handleSmigrated',
    'initiatePubSubClient',
    'initiateShardedPubSubClient',
    'executeUnsubscribeCommand',
    'executeShardedUnsubscribeCommand',
    'bindCursor',
    'bindScanCursor',
  ],
  'dist/lib/client/commands-queue.js': [
    'setMaintenanceCommandTimeout',
    'waitForInflightCommandsToComplete',
    'prependCommandsToWrite',
    'extractCommandsForSlots',
    'extractAllCommands',
    'setupPubSubHandler',
    'addPubSubCommand',
    'monitor',
    'reset',
  ],
}

/** Replaces files of node-redis. The build fails if node-redis no longer has such a file. */
export function usedStoreClient(): Rolldown.Plugin {
  const changed = new Set<string>()
  return {
    name: 'used-store-client',
    buildStart: () => changed.clear(),
    load: {
      filter: { id: ofClient },
      handler(id) {
        const standIn = standIns[fileOf(id)]
        if (standIn === undefined) return null
        changed.add(fileOf(id))
        return { code: standInFor(id, standIn), moduleType: 'js' }
      },
    },
    transform: {
      filter: { id: ofClient },
      handler(code, id) {
        const names = unreached[fileOf(id)]
        if (names === undefined) return null
        changed.add(fileOf(id))
        return withoutBodies(code, this.parse(code), names, id)
      },
    },
    buildEnd(error) {
      const missed = Object.keys({ ...standIns, ...unreached }).filter((file) => !changed.has(file))
      if (error === undefined && changed.size > 0 && missed.length > 0)
        throw new Error(`@redis/client no longer loads ${missed.join(', ')}`)
    },
  }
}

const ofClient = /@redis\/client\/dist\/.+\.js$/

function fileOf(id: string): string {
  return id.slice(id.lastIndexOf('@redis/client/') + '@redis/client/'.length)
}

/** Replaces the bodies of methods, and of fields that are functions, by code that throws. */
function withoutBodies(code: string, tree: Program, names: readonly string[], id: string): string {
  const bodies = tree.body
    .flatMap((node) => (node.type === 'ClassDeclaration' ? node.body.body : []))
    .flatMap((member) => {
      if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return []
      const { key, value } = member
      if (!('name' in key) || !names.includes(String(key.name)) || !value || !('body' in value)) return []
      return value.body ? [{ name: String(key.name), start: value.body.start, end: value.body.end }] : []
    })
  const missing = names.filter((name) => !bodies.some((body) => body.name === name))
  if (missing.length > 0) throw new Error(`${id} no longer has the methods ${missing.join(', ')}`)
  return bodies
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { name, start, end }) =>
        `${text.slice(0, start)}{ throw new Error('${name} of node-redis is not in this bundle') }${text.slice(end)}`,
      code,
    )
}

type Program = ReturnType<Rolldown.PluginContext['parse']>

/** @throws if the module does not have an export that is replaced. */
function standInFor(id: string, standIn: StandIn): string {
  const names = Object.keys(createRequire(import.meta.url)(id) as object)
  const unknown = Object.keys(standIn).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`${id} no longer exports ${unknown.join(', ')}`)
  const given = Object.entries(standIn).map(([name, text]) => `exports.${name} = ${text}\n`)
  const left = names.filter((name) => !(name in standIn))
  return `Object.defineProperty(exports, '__esModule', { value: true })
${given.join('')}for (const name of ${JSON.stringify(left)})
  Object.defineProperty(exports, name, { get() { throw new Error(name + ' of node-redis is not in this bundle') } })
`
}
