// Which contract points were exercised: the grid, and a request for each that was not.

export function CoverageView() {
  return <h1>Coverage</h1>
}
