// The workspaces: switch, make, copy, delete.

export function Workspaces() {
  return <h1>Workspaces</h1>
}
