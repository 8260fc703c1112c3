import { deltaSince } from '../../src/storage/core/delta.ts'
import type { Workspace } from '../../src/workspaces/workspace.ts'

/** Gives, at each call, the rows that changed since the call before, such as `products/mk_1`; none for a clock. */
export function changedRowsOf(workspace: Workspace): () => string[] {
  let last = workspace.checkpoint()
  return () => {
    const delta = deltaSince(last, workspace)
    last = workspace.checkpoint()
    const { account, stubs, put = {}, gone = {} } = delta?.state ?? {}
    return [
      ...(account ? ['account/account'] : []),
      ...(stubs ? ['stubs/stubs'] : []),
      ...Object.entries(put).flatMap(([collection, rows]) =>
        // The compiler does not see that each collection has its own kind of rows.
        rows.map((row) => `${collection}/${last.state.idOf(collection as 'rewards', row as never)}`),
      ),
      ...Object.entries(gone).flatMap(([collection, ids]) => ids.map((id) => `${collection}/${id}`)),
    ]
  }
}
