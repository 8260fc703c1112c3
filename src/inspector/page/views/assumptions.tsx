// What the contract leaves open, the value in force, and how many calls rest on it.

export function Assumptions() {
  return <h1>Assumptions</h1>
}
