// YAML 1.2 as a way to write JSON. This module is imported only when there is a YAML file: the library costs as much
// at start as everything else together.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml'
import type { Fault, Path } from './json-text.ts'
import type { Place } from './json-positions.ts'
import { copyJson } from './plain-json.ts'

/**
 * What a text of one YAML document says, and where its values stand: `find` gives the place of a value, or of the
 * innermost one around it that is there. Never throws: what cannot be read is a fault.
 */
export function readYaml(text: string, maxDepth: number) {
  const document = parseDocument(text, {
    prettyErrors: false,
    logLevel: 'error',
    uniqueKeys: true,
    stringKeys: true,
  })
  const find = (path: Path): Place => placeOf(document, path)
  const faults = [...document.errors, ...document.warnings].map(({ pos: [offset], code, message }): Fault => {
    return { offset, path: [], message: wording[code] ?? message }
  })
  if (faults.length > 0) return { value: undefined, faults: faults.slice(0, 1000), find }
  const value = toJson(document, maxDepth, (path, message) => {
    faults.push({ offset: find(path).value, path, message })
  })
  return { value, faults, find }
}

function toJson(
  document: Document,
  maxDepth: number,
  report: (path: Path, message: string) => void,
): unknown {
  try {
    // The limit keeps a few lines of nested aliases from growing to gigabytes.
    return copyJson(document.toJS({ maxAliasCount: 100 }), maxDepth, report)
  } catch (error) {
    if (error instanceof ReferenceError) {
      const unresolved = error.message.startsWith('Unresolved alias')
      report([], unresolved ? 'has an alias without an anchor before it' : 'has too many aliases')
    } else {
      report([], 'is nested too deeply')
    }
    return undefined
  }
}

const wording: Partial<Record<YAMLError['code'], string>> = {
  DUPLICATE_KEY: 'this key stands twice in one map',
  MULTIPLE_DOCS: 'expected the end of the file: only one document may stand in it',
  NON_STRING_KEY: 'a key must be a string; put it in quotes',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
}

function placeOf(document: Document, path: Path): Place {
  let node: unknown = document.contents
  const start = offsetOf(node)
  let place: Place = { key: start, value: start }
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part))
      if (pair === undefined) break
      const key = offsetOf(pair.key)
      node = pair.value
      // A key without a value has no node to point at.
      place = { key, value: offsetOf(node) || key }
    } else if (isSeq(node) && typeof part === 'number' && part < node.items.length) {
      node = node.items[part]
      const offset = offsetOf(node)
      place = { key: offset, value: offset }
    } else {
      break
    }
  }
  return place
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0
}
