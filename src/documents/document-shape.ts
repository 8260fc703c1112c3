// What state documents and their rows look like to whoever writes or reads them in TypeScript.
import type {
  AccountRow,
  CollectionIds,
  CollectionRows,
  SandboxPart,
} from '../contract/declared.generated.ts'

/** What the collections of a state hold, by their names; `account` holds one row, whose id is `account`. */
export interface StateRows extends CollectionRows {
  account: AccountRow
}

/** The name of a collection, such as `rewards`. */
export type StateCollection = keyof StateRows

/**
 * A value with everything in it optional: what is left out is filled in or stays as it is, and null stands for left
 * out, or for removed where something is laid over another. Free-form maps stay as they are.
 */
export type Sparse<T> = T extends readonly (infer Item)[]
  ? readonly Sparse<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [Field in keyof T]?: Sparse<T[Field]> | null | undefined }
    : T

/** A row as fixtures have it: its id is needed, and references where the contract needs them. */
export type FixtureRow<C extends keyof CollectionRows> = Sparse<Omit<CollectionRows[C], CollectionIds[C]>> & {
  readonly [Field in CollectionIds[C]]: string
}

/** What answers an operation that the contract mentions and does not list: a body, or a row with its id. */
export interface StateStub {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for what is a parameter. @example '/v2/customers/{customer_id}/accounts' */
  readonly path: string
  /** The scope without which a key is refused. */
  readonly scope?: string | undefined
  /** 200 if left out. */
  readonly status?: number | undefined
  /** Any JSON; no body if left out. */
  readonly body?: unknown
  /** The collection whose row is answered in place of a body. */
  readonly collection?: keyof CollectionRows | undefined
  /** The id of that row, or the `{name}` of the parameter that holds it. */
  readonly id?: string | undefined
}

/**
 * A state document as fixtures hold it (design: State documents). Rows may be sparse; what is in it is checked when it
 * is loaded. What a JSON file gives has wider types: name its path, or say that it is a `FixtureDocument`.
 *
 * @example
 * const fixtures: FixtureDocument = { customers: [{ id: 'cus_1', first_name: 'Ada' }] }
 */
export type FixtureDocument = {
  /** The JSON Schema that an editor checks the file by. */
  readonly $schema?: string
  readonly schema_version?: number
  readonly account?: Sparse<AccountRow>
  readonly stubs?: readonly StateStub[]
  readonly sandbox?: Sparse<SandboxPart>
  /** Passed over: a place for anchors. */
  readonly [key: `x-${string}`]: unknown
} & { readonly [C in keyof CollectionRows]?: readonly FixtureRow<C>[] }

/** A whole state document, as it is dumped. */
export type DumpedDocument = {
  schema_version: number
  account: AccountRow
  /** Only when there are any. */
  stubs?: StateStub[]
  sandbox?: SandboxPart
} & { [C in keyof CollectionRows]: CollectionRows[C][] }
