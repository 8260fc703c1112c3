// The state document (design: 3): one JSON or YAML document that holds everything a sandbox knows. Fixtures,
// snapshots, dumps and data files all are one.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import type { IdField } from '../store/references.ts'
import { account, rowSchemas, type Account, type CollectionName, type Row } from '../store/rows.ts'
import { stubs, type Stub } from '../store/stubs.ts'
import type { Sparse } from './document-shape.ts'

/** The one version of the format. */
export const schemaVersion = 1

/** What only dumps, snapshots and data files have: where seed, id sequence and clock stood. */
export const sandboxPart = z.strictObject({
  seed: z.int('must be an integer').optional(),
  /** How many ids were handed out. */
  ids: z.int('must be an integer').min(0, 'must not be negative').optional(),
  /** Only when the clock was set or frozen. */
  clock: z.strictObject({ now: timestamp, frozen: z.boolean() }).optional(),
  /** Only in a folder of data: what a workspace is beside its rows. */
  workspace: z.record(z.string(), z.unknown()).optional(),
  /** Only in data files: up to which of the commits in the journal beside it the document goes. */
  seq: z.int('must be an integer').min(0, 'must not be negative').optional(),
  /** Only in data files: which journal belongs to the document. */
  journal: z.string('must be a string').optional(),
  /** Only in data files: the document needs no journal, as everything is in it. */
  closed: z.boolean('must be true or false').optional(),
  /** Only in data files: the checksum of the document before this one. */
  previous: z.string('must be a string').optional(),
  /** Only in data files, and the last thing in them: the checksum of every byte before it. */
  checksum: z.string('must be a string').optional(),
})

/** What `sandbox` holds in a document. */
export type SandboxPart = z.infer<typeof sandboxPart>

/** The parts of a document that are no collections. */
export const documentParts = { account, stubs, sandbox: sandboxPart } as const

/** A whole state document, as dumps and snapshots write it. */
export type StateDocument = {
  schema_version: typeof schemaVersion
  account: Account
} & { [C in CollectionName]: Row<C>[] } & {
  /** Only when there are any. */
  stubs?: readonly Stub[]
  sandbox?: SandboxPart
}

/** A row as fixtures write it: only its id is needed, and references where the contract needs them. */
export type RowInput<C extends CollectionName> = C extends CollectionName
  ? Sparse<Omit<Row<C>, IdField<C>>> & { readonly [F in IdField<C>]: string }
  : never

/**
 * A state document as fixtures write it.
 *
 * @example
 * const fixtures: StateDocumentInput = { customers: [{ id: 'cus_1', first_name: 'Ada' }] }
 */
export type StateDocumentInput = {
  /** The JSON Schema that an editor checks the file by. */
  readonly $schema?: string
  readonly schema_version?: typeof schemaVersion
  readonly account?: Sparse<Account>
  readonly stubs?: readonly Stub[]
  readonly sandbox?: SandboxPart
} & { readonly [C in CollectionName]?: readonly RowInput<C>[] }

/** The names that a document may have at its top, in the order in which dumps write them. */
export const documentKeys: readonly string[] = [
  'schema_version',
  'account',
  ...Object.keys(rowSchemas),
  'stubs',
  'sandbox',
]
