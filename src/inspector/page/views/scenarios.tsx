// The scenarios of a workspace: what they do, how often they did, switches, an editor.

export function Scenarios() {
  return <h1>Scenarios</h1>
}
