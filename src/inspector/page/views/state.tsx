// The rows of a workspace: collections, pages, one row as JSON, snapshots.

export function StateView() {
  return <h1>State</h1>
}
