// The shape of a filler: what gives one missing field of a sparse row its value, and what it may look at.
import type { State } from '../../store/state.ts'
import type { Chooser } from './choose.ts'

/** A row before it is validated. */
export type Fields = Record<string, unknown>

/** What filling may look at: rows that were completed before. */
export interface FillContext {
  seed: number
  state: State
  /** The merchant key of rows that name no product. */
  firstProduct: string | undefined
}

/** Gives the value of one field; earlier fields of the same row are filled already. */
export type Filler = (row: Fields, choose: Chooser, context: FillContext) => unknown
