// Money that partners cannot move: a purchase, a closing cycle.

export function Simulate() {
  return <h1>Simulate</h1>
}
