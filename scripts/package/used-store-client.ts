// Leaves out what node-redis can do and the shared store never asks for: three quarters of it.
import { createRequire } from 'node:module'
import type { Rolldown } from 'tsdown'

/** Exports of a module that are reached, as JavaScript; whoever reaches another one gets an error that names it. */
type StandIn = Readonly<Record<string, string>>

const nothing = '() => undefined'
const noCommand: StandIn = { default: '{}' }
const noTransactions: StandIn = { default: `{ extend: ${nothing} }` }

/** What stands in for files of `@redis/client`. */
const standIns: Readonly<Record<string, StandIn>> = {
  // All that src/storage/redis/redis-client.ts imports: no sentinel, no pool, no scripts.
  'dist/index.js': {
    createClient: `require('./lib/client').default.create`,
    createCluster: `require('./lib/cluster').default.create`,
    ErrorReply: `require('./lib/errors').ErrorReply`,
    RESP_TYPES: `require('./lib/RESP/decoder').RESP_TYPES`,
  },
  // A typed method for each command; ours are sent by word, and of its own it calls this one.
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
  // To which nodes of a cluster a command goes, and how their replies become one: ours go to the node of their key,
  // as a command does that is not known.
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
  // Notices before a paid service moves a node.
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

/** Methods of classes that stay, and are not reached. */
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

/** Replaces files of node-redis by their stand-ins; stops the build when it has them no longer. */
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

/** Methods, and fields that are functions, of the classes of a file then throw. */
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
        `${text.slice(0, start)}{ throw new Error('${name} of node-redis was left out') }${text.slice(end)}`,
      code,
    )
}

type Program = ReturnType<Rolldown.PluginContext['parse']>

/** @throws when the module does not export what stands in for it. */
function standInFor(id: string, standIn: StandIn): string {
  const names = Object.keys(createRequire(import.meta.url)(id) as object)
  const unknown = Object.keys(standIn).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`${id} no longer exports ${unknown.join(', ')}`)
  const given = Object.entries(standIn).map(([name, text]) => `exports.${name} = ${text}\n`)
  const left = names.filter((name) => !(name in standIn))
  return `Object.defineProperty(exports, '__esModule', { value: true })
${given.join('')}for (const name of ${JSON.stringify(left)})
  Object.defineProperty(exports, name, { get() { throw new Error(name + ' of node-redis was left out') } })
`
}
