// The clock of a workspace: what it shows, freeze, advance.

export function ClockView() {
  return <h1>Clock</h1>
}
