// Parses YAML 1.2 as a notation of JSON. This module is imported only for YAML files: the library takes as long to load
// as everything else together.
import {
  Composer,
  CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { isJsonObject } from '../contract/formats.ts'
import { ExactNumber, wouldChange } from '../json/exact-number.ts'
import { isFreeForm } from '../json/parse-exact.ts'
import type { Fault, Path } from '../json/json-text.ts'
import type { MemberPosition } from '../json/json-positions.ts'
import { copyJson } from '../json/plain-json.ts'

/** Maximum size of expanded aliases, in values and characters: a few lines of them can mean gigabytes. */
const maxAliased = 10_000_000

/** Maximum number of members from merge keys: unlike the target of an alias, each of them is copied. */
const maxMerged = 100_000

/**
 * Parses a text of one YAML document: its value, its faults, and the positions of its values. `find` returns the
 * position of a value, or of the innermost existing value around it. Never throws: a syntax error is a fault.
 *
 * The library parses. Finding duplicate keys and resolving aliases are done here, in one pass: the library compares
 * each key with all others, and scans all anchors for each alias.
 */
export function readYaml(text: string, maxDepth: number) {
  const { contents, faults: found } = parse(text, maxDepth)
  const reader = new Reader(contents, maxDepth)
  const value = reader.read()
  const faults = [...found, ...(found.length > 0 ? reader.twice : [...reader.twice, ...reader.faults])]
  return { value, faults: faults.toSorted((a, b) => a.offset - b.offset), find: reader.find }
}

/**
 * Does the same as `parseDocument` of the library, and checks the depth before the composer sees a document. The lexer
 * and the parser are iterative, but the composer recurses: a stack overflow may abort the process.
 */
function parse(text: string, maxDepth: number): { contents: unknown; faults: Fault[] } {
  const composer = new Composer({ logLevel: 'error', uniqueKeys: false, stringKeys: true })
  const faults: Fault[] = []
  let first: Document.Parsed | undefined
  for (const document of composer.compose(shallowTokens(text, maxDepth, faults), true, text.length)) {
    if (first !== undefined) {
      faults.push({ offset: document.range[0], path: [], message: secondDocument })
      break
    }
    first = document
  }
  const own = [...(first?.errors ?? []), ...(first?.warnings ?? [])].map(
    ({ pos: [offset], code, message }) => {
      return { offset, path: [], message: wording[code] ?? withoutQuote(message) }
    },
  )
  return { contents: first?.contents, faults: [...own, ...faults] }
}

/** Yields the syntax trees of a text; ends with a fault before the first tree that exceeds the maximum depth. */
function* shallowTokens(text: string, maxDepth: number, faults: Fault[]): Generator<CST.Token, void> {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    // The stack has the document and each open map and list; on top there may be a scalar.
    const top = parser.stack.at(-1)
    if (parser.stack.length > maxDepth + 1 && top && CST.isCollection(top)) {
      faults.push({ offset: top.offset, path: [], message: `is nested deeper than ${maxDepth} levels` })
      return
    }
  }
  yield* parser.end()
}

/** A value of the document, with its expanded size. */
interface Read {
  value: unknown
  /** Values and characters in it. */
  size: number
  /** Its depth. */
  depth: number
}

/** The maps that `<<` merges into another. */
interface MergedMaps extends Pick<Read, 'size' | 'depth'> {
  maps: Record<string, unknown>[]
}

const nothing: Read = { value: null, size: 1, depth: 0 }

class Reader {
  /** Duplicate keys. */
  readonly twice: Fault[] = []
  /** Values that JSON cannot represent. */
  readonly faults: Fault[] = []
  readonly #contents: unknown
  readonly #maxDepth: number
  /** The last value of each anchor; undefined while that is being read. */
  readonly #anchors = new Map<string, { node: Node; read: Read | undefined }>()
  readonly #targets = new Map<Alias, Node>()
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, YAMLMap['items'][number]>>()
  #aliased = 0
  #merged = 0

  constructor(contents: unknown, maxDepth: number) {
    this.#contents = contents
    this.#maxDepth = maxDepth
  }

  read(): unknown {
    return this.#read(this.#contents, [], this.#maxDepth).value
  }

  readonly find = (path: Path): MemberPosition => {
    let node = this.#contents
    const start = offsetOf(node)
    let place: MemberPosition = { key: start, value: start }
    for (const part of path) {
      if (isAlias(node)) node = this.#targets.get(node)
      if (isMap(node)) {
        const pair = this.#pairOf(node, String(part))
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
    if (hasForeignTag(node)) return this.#refuse(path, foreignTag)
    if (isScalar(node) && isOtherwiseWritten(node)) return this.#refuse(path, misread(node))
    if (isScalar(node)) return this.#readScalar(valueOf(node, path), path, levels, offsetOf(node))
    if (!isMap(node) && !isSeq(node)) return nothing
    if (levels === 0) return this.#refuse(path, 'is nested too deeply, or contains itself')
    let [size, depth] = [1, 0]
    const add = (item: unknown, inner: Path): unknown => {
      const read = this.#read(item, inner, levels - 1)
      size += read.size
      depth = Math.max(depth, read.depth)
      return read.value
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => add(item, [...path, index]))
      return { value: items, size, depth: depth + 1 }
    }
    const members = new Map<string, unknown>()
    const merged: Record<string, unknown>[] = []
    for (const pair of node.items) {
      const name = nameOf(pair)
      size += name.length
      if (isMerge(pair)) {
        const read = this.#readMerge(pair.value, path, levels)
        size += read.size
        depth = Math.max(depth, read.depth)
        merged.push(...read.maps)
      } else members.set(name, add(pair.value, [...path, name]))
    }
    this.#refuseTwice(node)
    // The members of the map itself take precedence, then earlier merges.
    for (const map of merged) {
      for (const [name, value] of Object.entries(map)) if (!members.has(name)) members.set(name, value)
    }
    return { value: Object.fromEntries(members), size, depth: depth + 1 }
  }

  /** Returns the members that `<<` merges into a map: of a map, or of each of a list of them. */
  #readMerge(node: unknown, path: Path, levels: number): MergedMaps {
    const merged: MergedMaps = { maps: [], size: 0, depth: 0 }
    const sources = isSeq(node) ? node.items : [node]
    for (const source of sources) {
      const faultsBefore = this.faults.length
      const { value, size, depth } = this.#read(source, [...path, mergeKey], levels)
      merged.size += size
      merged.depth = Math.max(merged.depth, depth - 1)
      if (isJsonObject(value)) {
        const before = this.#merged
        this.#merged += Object.keys(value).length
        if (this.#merged <= maxMerged) merged.maps.push(value)
        else if (before <= maxMerged) this.#refuse([], 'has too many merge keys')
      }
      // Invalid values were already reported.
      else if (this.faults.length === faultsBefore && this.#aliased <= maxAliased) {
        const offset = offsetOf(source) || offsetOf(node)
        this.faults.push({ offset, path: [...path, mergeKey], message: notMerged })
      }
    }
    return merged
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
    const isFirst = this.#aliased <= maxAliased
    this.#aliased += read.size
    if (this.#aliased <= maxAliased) return read
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

  /** Returns the member of a map by name, including the maps that it merges. */
  #pairOf(map: YAMLMap, name: string): YAMLMap['items'][number] | undefined {
    const own = this.#pairsOf(map)
    const pair = own.get(name)
    const merge = own.get(mergeKey)
    if (pair !== undefined || merge === undefined || !isMerge(merge)) return pair
    for (const source of isSeq(merge.value) ? merge.value.items : [merge.value]) {
      const merged = isAlias(source) ? this.#targets.get(source) : source
      const inner = isMap(merged) ? this.#pairOf(merged, name) : undefined
      if (inner) return inner
    }
    return undefined
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

/** The merge key; in quotes it is a normal key. */
const mergeKey = '<<'

function isMerge({ key }: YAMLMap['items'][number]): boolean {
  return isScalar(key) && key.value === mergeKey && key.type === 'PLAIN'
}

const numberOfJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/** Whether a scalar is a number such as 007, which is often meant as a text: a zip code, a phone number, an id. */
function isOtherwiseWritten({ value, source = '' }: Scalar): boolean {
  return Number.isFinite(value) && !numberOfJson.test(source)
}

const misread = ({ value, source = '' }: Scalar): string =>
  `${source.length > 40 ? `${source.slice(0, 40)}…` : source} would be read as the number ${String(value)}: put it in quotes, or write ${String(value)}`

/**
 * Returns the value of a scalar. A number that JavaScript would change is exact in free-form parts, as in JSON, and the
 * nearest one elsewhere.
 */
function valueOf({ value, source = '' }: Scalar, path: Path): unknown {
  if (typeof value !== 'number' || !numberOfJson.test(source)) return value
  const exact = new ExactNumber(source)
  return wouldChange(source) && path.some((part) => isFreeForm(String(part))) ? exact : exact.nearest
}

const foreignTag = 'has a tag whose value JSON cannot hold: write a text, a list or a map'

/** Whether a node has a tag of the library that is none of JSON, such as !!omap, whose items would be lost. */
function hasForeignTag(node: unknown): boolean {
  const { tag } = (node ?? {}) as Partial<Pick<Node & { tag: string }, 'tag'>>
  return tag !== undefined && /^tag:yaml\.org,2002:(?!(?:str|int|float|bool|map|seq|null)$)/.test(tag)
}

const notMerged = 'must be a map, or a list of maps: << copies their members into its own map'

const wording: Partial<Record<YAMLError['code'], string>> & { DUPLICATE_KEY: string } = {
  DUPLICATE_KEY: 'duplicate key in a map',
  NON_STRING_KEY: 'a key must be a string; put it in quotes',
  KEY_OVER_1024_CHARS:
    'a key is longer than 1,024 characters; expected a shorter one, with its colon on the same line',
}

/** Without the part of the file that the library quotes after a colon, which may be a secret; standard tags stay. */
const withoutQuote = (message: string): string =>
  /^Unresolved tag: tag:yaml\.org,2002:[\w/]+$/.test(message) ? message : message.replace(/:\s.*$/s, '')

const secondDocument = 'expected the end of the file: it must have only one document'

function nameOf({ key }: YAMLMap['items'][number]): string {
  return isScalar(key) ? String(key.value) : ''
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0
}
