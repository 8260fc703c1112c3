// What `import … from 'partner-rewards-sandbox/probe'` gives: conform and calibrate, for a service or for our own.
export { conform, type Conformance, type JudgedPoint, type PointVerdict } from './conform.ts'
export { calibrate, type Calibration, type Observation } from './calibrate.ts'
export { CannotBeAsked } from './asker.ts'
export { SecretInEvidence, type Evidence } from './evidence.ts'
export type { ProbeOptions, ProbeReport } from './start-run.ts'
export type { GivenTarget } from './target.ts'
