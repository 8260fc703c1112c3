// Checks stubs: by their schema, that no endpoint has their path, and that what they answer is there to be answered.
import { endpoints } from '../endpoints/index.ts'
import type { Path } from '../reading/json-text.ts'
import { describeSchemaIssues, readBySchema } from '../reading/schema-issues.ts'
import { sourceFromObject } from '../reading/source-file.ts'
import { pathShape, pathsMeet, stub, type Stub, type Stubs } from '../store/stubs.ts'
import { Gathered, type Add, type GatheredStub } from './gather.ts'

/** The stubs that are as they must be; what is wrong with the others is added. */
export function readStubs(gathered: readonly GatheredStub[], add: Add): Stubs {
  return gathered.flatMap((from) => {
    const { data, issues } = readBySchema(stub, from.value)
    if (issues) {
      for (const { path, message, at } of describeSchemaIssues(issues, stub)) add(from, path, message, at)
      return []
    }
    checkStub(data, (path, message) => add(from, path, message))
    return [Object.freeze(data)]
  })
}

/** Statuses whose answers have no body (RFC 9110). */
const bodyless: ReadonlySet<number> = new Set([204, 205, 304])

/** What a schema of one field cannot say. */
function checkStub(
  { method, path, status, body, collection, id }: Stub,
  report: (path: Path, message: string) => void,
): void {
  const shape = pathShape(path)
  const taken =
    endpoints.find((endpoint) => pathShape(endpoint.path) === shape) ??
    endpoints.find((endpoint) => pathsMeet(endpoint.path, path))
  if (taken) {
    report(
      ['path'],
      `meets that of ${taken.id} (${taken.method} ${taken.path}), which the sandbox serves itself`,
    )
  }
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) report(['path'], `has the parameter {${twice}} twice`)
  if (collection === undefined) {
    const isBodyless = bodyless.has(status ?? 200)
    if (body === undefined && !isBodyless)
      report(['body'], 'is required: any JSON, or a collection with an id')
    if (body !== undefined && isBodyless) report(['body'], `must be left out: ${status} has none`)
    if (id !== undefined) report(['id'], 'is the id of a row, which needs its collection')
    return
  }
  if (body !== undefined) report(['body'], 'must not stand beside collection: a stub answers one of the two')
  if (status !== undefined) report(['status'], 'is for a body: a row is answered with 200')
  if (method !== 'GET') report(['method'], 'must be GET for a row, which is only read')
  const parameter = /^\{(.*)\}$/.exec(id ?? '')?.[1]
  if (id === undefined) report(['id'], 'is required with collection: an id, or the {name} of a parameter')
  else if (parameter !== undefined && !names.includes(parameter)) {
    report(['id'], `names no parameter of ${path}`)
  }
}

/**
 * Reads stubs as a document would give them.
 * @throws {DocumentError} for stubs that no document could hold.
 */
export function readStubList(input: unknown): Stubs {
  const source = sourceFromObject({ stubs: input }, 'document')
  const gathered = new Gathered()
  gathered.replaceStubs(source, input)
  const { problems } = gathered
  const add: Add = ({ index = 0 }, path, message, at) =>
    problems.add({ source, path: ['stubs', index, ...path], message, at })
  const read = readStubs([...gathered.stubs.values()], add)
  problems.throwIfAny()
  return read
}
