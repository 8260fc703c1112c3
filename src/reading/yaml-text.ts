// YAML 1.2 as a way to write JSON. This module is imported only when there is a YAML file: the library costs as much
// at start as everything else together.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Alias,
  type Node,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import type { Fault, Path } from './json-text.ts'
import type { Place } from './json-positions.ts'
import { copyJson } from './plain-json.ts'

/** How much aliases may stand for altogether, in values and characters: a few lines of them can mean gigabytes. */
const mostAliased = 10_000_000

/**
 * What a text of one YAML document says, and where its values stand: `find` gives the place of a value, or of the
 * innermost one around it that is there. Never throws: what cannot be read is a fault.
 *
 * The library parses. Looking for keys that stand twice and resolving aliases are done here, in one pass: it compares
 * each key with all others, and goes through all anchors for each alias.
 */
export function readYaml(text: string, maxDepth: number) {
  const document = parseDocument(text, {
    prettyErrors: false,
    logLevel: 'error',
    uniqueKeys: false,
    stringKeys: true,
  })
  const found = [...document.errors, ...document.warnings].map(({ pos: [offset], code, message }): Fault => {
    return { offset, path: [], message: wording[code] ?? message }
  })
  const reader = new Reader(document.contents, maxDepth)
  const value = reader.read()
  const faults = [...found, ...(found.length > 0 ? reader.twice : [...reader.twice, ...reader.faults])]
  return { value, faults: faults.toSorted((a, b) => a.offset - b.offset), find: reader.find }
}

/** A value of the document, and what it takes to say it once more. */
interface Read {
  value: unknown
  /** Values and characters in it. */
  size: number
  /** How many levels it has. */
  depth: number
}

const nothing: Read = { value: null, size: 1, depth: 0 }

class Reader {
  /** Keys that stand twice. */
  readonly twice: Fault[] = []
  /** What cannot be JSON. */
  readonly faults: Fault[] = []
  readonly #contents: unknown
  readonly #maxDepth: number
  /** What each name was last given to; undefined while that is being read. */
  readonly #anchors = new Map<string, { node: Node; read: Read | undefined }>()
  readonly #targets = new Map<Alias, Node>()
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, YAMLMap['items'][number]>>()
  #aliased = 0

  constructor(contents: unknown, maxDepth: number) {
    this.#contents = contents
    this.#maxDepth = maxDepth
  }

  read(): unknown {
    return this.#read(this.#contents, [], this.#maxDepth).value
  }

  readonly find = (path: Path): Place => {
    let node = this.#contents
    const start = offsetOf(node)
    let place: Place = { key: start, value: start }
    for (const part of path) {
      if (isAlias(node)) node = this.#targets.get(node)
      if (isMap(node)) {
        const pair = this.#pairsOf(node).get(String(part))
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

  #read(node: unknown, path: Path, levels: number): Read {
    if (isAlias(node)) return this.#readAlias(node, path, levels)
    const { anchor } = (node ?? {}) as Partial<Pick<Node & { anchor: string }, 'anchor'>>
    if (anchor === undefined) return this.#readNew(node, path, levels)
    const anchored: { node: Node; read: Read | undefined } = { node: node as Node, read: undefined }
    this.#anchors.set(anchor, anchored)
    return (anchored.read = this.#readNew(node, path, levels))
  }

  #readNew(node: unknown, path: Path, levels: number): Read {
    if (isScalar(node)) return this.#readScalar(nearestOf(node), path, levels, offsetOf(node))
    if (!isMap(node) && !isSeq(node)) return nothing
    if (levels === 0) return this.#refuse(path, 'is nested too deeply, or contains itself')
    let [size, depth] = [1, 0]
    const add = (item: unknown, inner: Path): unknown => {
      const read = this.#read(item, inner, levels - 1)
      size += read.size
      depth = Math.max(depth, read.depth)
      return read.value
    }
    const value = isSeq(node)
      ? node.items.map((item, index) => add(item, [...path, index]))
      : Object.fromEntries(
          node.items.map((pair) => {
            const name = nameOf(pair)
            size += name.length
            return [name, add(pair.value, [...path, name])]
          }),
        )
    if (isMap(node)) this.#refuseTwice(node)
    return { value, size, depth: depth + 1 }
  }

  #readScalar(scalar: unknown, path: Path, levels: number, offset: number): Read {
    const report = (inner: Path, message: string): unknown =>
      this.faults.push({ offset, path: inner, message })
    const value = copyJson(scalar, levels, report, path)
    return { value, size: 1 + (typeof value === 'string' ? value.length : 0), depth: 0 }
  }

  #readAlias(alias: Alias, path: Path, levels: number): Read {
    const anchored = this.#anchors.get(alias.source)
    if (anchored === undefined) return this.#refuse([], 'has an alias without an anchor before it')
    this.#targets.set(alias, anchored.node)
    const { read } = anchored
    if (read === undefined || read.depth > levels) {
      return this.#refuse(path, 'is nested too deeply, or contains itself')
    }
    const isFirst = this.#aliased <= mostAliased
    this.#aliased += read.size
    if (this.#aliased <= mostAliased) return read
    return isFirst ? this.#refuse([], 'has too many aliases') : nothing
  }

  #refuse(path: Path, message: string): Read {
    this.faults.push({ offset: this.find(path).value, path, message })
    return nothing
  }

  #refuseTwice(map: YAMLMap): void {
    const names = new Set<string>()
    for (const pair of map.items) {
      const name = nameOf(pair)
      if (names.has(name))
        this.twice.push({ offset: offsetOf(pair.key), path: [], message: wording.DUPLICATE_KEY })
      names.add(name)
    }
  }

  /** The members of a map by name: the first of a name. */
  #pairsOf(map: YAMLMap): ReadonlyMap<string, YAMLMap['items'][number]> {
    const known = this.#pairs.get(map)
    if (known) return known
    const pairs = new Map(map.items.toReversed().map((pair) => [nameOf(pair), pair]))
    this.#pairs.set(map, pairs)
    return pairs
  }
}

/** The value of a scalar; a number of digits that is too large for JavaScript is the nearest that it has. */
function nearestOf({ value, source }: Scalar): unknown {
  const isDigits = typeof value === 'number' && !Number.isFinite(value) && /\d/.test(source ?? '')
  return isDigits ? Math.sign(value) * Number.MAX_VALUE : value
}

const wording: Partial<Record<YAMLError['code'], string>> & { DUPLICATE_KEY: string } = {
  DUPLICATE_KEY: 'this key stands twice in one map',
  MULTIPLE_DOCS: 'expected the end of the file: only one document may stand in it',
  NON_STRING_KEY: 'a key must be a string; put it in quotes',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
}

function nameOf({ key }: YAMLMap['items'][number]): string {
  return isScalar(key) ? String(key.value) : ''
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0
}
