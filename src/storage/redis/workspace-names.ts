// The names of all workspaces, in a hash of their own: what is known about each, and when it was last used.
//
// A name is added before its workspace is acquired, and removed after the workspace is dropped. It has one of three forms:
// `USED_AT` while the workspace is being created, `USED_AT ABOUT`, and either of them after `-MARK ` while the workspace
// is being dropped. The hash and the workspace are in different slots of a cluster, so each step checks the form.
import type { ListedWorkspace } from '../../workspaces/storage.ts'
import { defineScript } from './define-script.ts'
import type { EngineCalls } from './engine-calls.ts'

const hash = ['names'] as const

/** Reply: `added`, `described`, or `bare` for a name whose workspace is being created or dropped. */
const addName = defineScript(hash, {
  name: 'add-name',
  about:
    'adds a name, and returns whether it was there, so that only the process that added it takes it back',
  args: ['name', 'used_at'],
  text: `
if redis.call('HSETNX', names, name, used_at) == 1 then return 'added' end
return string.find(redis.call('HGET', names, name), '^%d+ ') and 'described' or 'bare'`,
})

const takeNameBack = defineScript(hash, {
  name: 'take-name-back',
  about: 'removes a name that was added in vain, unless its owner has described it since',
  args: ['name'],
  text: `
local found = redis.call('HGET', names, name)
if found and string.find(found, '^%d+$') then redis.call('HDEL', names, name) end`,
})

const describeName = defineScript(hash, {
  name: 'describe-name',
  about: 'replaces the description of a workspace; a late one does not bring a removed name back',
  args: ['name', 'description', 'may_add'],
  text: `
if may_add == '1' or redis.call('HEXISTS', names, name) == 1 then
  redis.call('HSET', names, name, description)
end`,
})

const markName = defineScript(hash, {
  name: 'mark-name',
  about: 'marks a name as being dropped: a process that creates the workspace again replaces the mark',
  args: ['name', 'mark'],
  text: `
local found = redis.call('HGET', names, name)
if found then redis.call('HSET', names, name, '-' .. mark .. ' ' .. found) end`,
})

const unmarkName = defineScript(hash, {
  name: 'unmark-name',
  about: 'removes a marked name once its workspace is dropped, or only the mark if it was not',
  args: ['name', 'mark', 'is_dropped'],
  text: `
local found = redis.call('HGET', names, name)
local before = '-' .. mark .. ' '
if not found or string.sub(found, 1, #before) ~= before then return end
if is_dropped == '1' then redis.call('HDEL', names, name)
else redis.call('HSET', names, name, string.sub(found, #before + 1)) end`,
})

const readNames = defineScript(hash, {
  name: 'read-names',
  about: 'reads all names',
  args: [],
  text: `return redis.call('HGETALL', names)`,
})

/** Each method rejects with StorageUnavailableError if the engine is away. */
export class WorkspaceNames {
  readonly #calls: EngineCalls
  readonly #keys: readonly string[]

  constructor(calls: EngineCalls, prefix: string) {
    this.#calls = calls
    this.#keys = [`{${prefix}}:workspaces`]
  }

  async list(): Promise<ListedWorkspace[]> {
    const fields = await this.#calls.run(readNames, this.#keys, [])
    const texts = Array.isArray(fields) ? fields.map(String) : []
    return texts.flatMap((name, index) => (index % 2 === 0 ? [listed(name, texts[index + 1] ?? '')] : []))
  }

  async add(name: string, usedAt: number): Promise<'added' | 'described' | 'bare'> {
    const reply = await this.#calls.run(addName, this.#keys, [name, usedAt])
    return reply === 'added' || reply === 'described' ? reply : 'bare'
  }

  /** Removes a name that `add` has added, as the workspace could not be acquired. */
  async takeBack(name: string): Promise<void> {
    await this.#calls.run(takeNameBack, this.#keys, [name])
  }

  /** @param mayAdd for a workspace that was just acquired: another process may be dropping its predecessor. */
  async describe(name: string, description: string, mayAdd: boolean): Promise<void> {
    await this.#calls.run(describeName, this.#keys, [name, description, mayAdd ? 1 : 0])
  }

  /** @param mark differs for each removal. */
  async mark(name: string, mark: string): Promise<void> {
    await this.#calls.run(markName, this.#keys, [name, mark])
  }

  async unmark(name: string, mark: string, isDropped: boolean): Promise<void> {
    await this.#calls.run(unmarkName, this.#keys, [name, mark, isDropped ? 1 : 0])
  }
}

export function descriptionOf(about: string, usedAt: number): string {
  return `${usedAt} ${about}`
}

function listed(name: string, text: string): ListedWorkspace {
  const [, mark, usedAt, about] = /^(-\S+ )?(\d+)(?: (.*))?$/s.exec(text) ?? []
  return { name, about: mark === undefined ? about : undefined, usedAt: Number(usedAt ?? 0) }
}
