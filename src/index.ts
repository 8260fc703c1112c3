// The entry point `partner-rewards-sandbox`: createSandbox, every type it shows and every error it throws.
export { createSandbox } from './sandbox/runs/join-run.ts'
export type { ControlCall } from './control/audit.ts'
export type { SandboxEvents } from './sandbox/events.ts'
export type { SandboxOptions } from './options/index.ts'
export type {
  DumpedDocument,
  FixtureDocument,
  FixtureRow,
  Sparse,
  OptionalCollection,
  StateCollection,
  StateRows,
  StateStub,
} from './fixtures/document-shape.ts'
export type {
  AccountRow,
  BuiltInScenario,
  CollectionIds,
  CollectionRows,
  OperationId,
  SandboxPart,
} from './contract/declared.generated.ts'
export type { ScenarioName } from './scenarios/scenario-name.ts'
export { OptionsError } from './options/read-options.ts'
export type { Environment } from './contract/versions.ts'
export type { AssumptionId, AssumptionValue } from './contract/assumptions.ts'
export type { AssumptionInUse } from './operations/assumptions.ts'
export type { AssumptionSettings, AssumptionView, ObservedAt } from './input/resolve-assumptions.ts'
export { ClockError, type ClockReading, type Duration } from './runtime/clock.ts'
export { UnusableError } from './workspaces/closed.ts'
export { NotSavedError, type NotSaved } from './workspaces/saver.ts'
export { OwnedElsewhereError } from './workspaces/storage.ts'
export { DocumentError, type Problem } from './input/problems.ts'
export { ConflictError, InvalidError, NotFoundError, RowInUseError } from './input/refusals.ts'
export { UnknownScenarioError, UnusableScenarioError } from './scenarios/catalogue.ts'
export type { RuleUse } from './scenarios/engine.ts'
export type { TestName } from './call/test-of-call.ts'
export type { TestResult, TracedTest } from './call/test-result.ts'
export type { PaymentMethodChange } from './simulation/change-payment-method.ts'
export type {
  NetworkTransaction,
  NextTransactionStep,
  ReportedMerchant,
  ReportedTransaction,
  TransactionStepFields,
} from './simulation/network-transaction.ts'
export type {
  IntentView,
  SimulatedRewards,
  SimulatedStatement,
  SimulatedTransaction,
} from './simulation/results.ts'
export type {
  Health,
  ListenAt,
  Readiness,
  Sandbox,
  SandboxServer,
  SchemaName,
  StoreHealth,
} from './operations/index.ts'
export type { SandboxWorkspace, WorkspaceView } from './operations/sandbox-workspace.ts'
export type { WorkspaceCredentials } from './operations/credentials.ts'
export type { Scope } from './contract/scopes.ts'
export type { SandboxWorkspaces } from './operations/workspaces.ts'
export type { Json, WorkspaceOptions } from './operations/new-workspace.ts'
export type { ClockSetting, SandboxClock } from './operations/clock.ts'
export type { ResetOptions } from './operations/reset.ts'
export type {
  AttemptFault,
  EventKind,
  EventSource,
  EventType,
  DeliveryState,
} from './contract/event-types.ts'
export type { WebhookDescription } from './events/description-type.ts'
export type { SubscribedTypes } from './events/endpoints.ts'
export { EventsTimeoutError, type EventDelivery, type WebhookEvent } from './operations/webhook-event.ts'
export type { Drained, EventFilter, WorkspaceEvents } from './operations/events.ts'
export type {
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookHandler,
  WebhookListOptions,
  WorkspaceWebhooks,
} from './operations/webhooks.ts'
export type { RowCounts, RowPage, SandboxState } from './operations/state.ts'
export type { SandboxScenarios, ScenarioView } from './operations/scenarios.ts'
export type { SandboxSimulation } from './operations/simulation.ts'
export type { Differences } from './operations/differences.ts'
export type { SandboxSnapshots } from './operations/snapshots.ts'
export type { SandboxSnapshot } from './workspaces/snapshot.ts'
export type { ChangedRow, CollectionDiff, StateDiff } from './workspaces/state-diff.ts'
export type { ContractPoint } from './coverage/points/point.ts'
export type { ReportFormat } from './coverage/reports/index.ts'
export type { Narrowing } from './coverage/reports/narrow.ts'
export type { CoverageReport, CoveredPoint, LeftOut } from './coverage/reports/coverage-report.ts'
export type { ReceiverPoint, ReceiverPointId } from './events/receiver-points.ts'
export type { CoverageOptions, SandboxCoverage } from './operations/coverage.ts'
export type { SandboxFindings, UnfiredRule, WatchedRule } from './explain/sandbox-findings.ts'
export type { UnmatchedCall } from './explain/unmatched-calls.ts'
export type { CallFixture, UnknownRow } from './explain/fixture-of-call.ts'
export type { RowPlace } from './explain/rows-looked-up.ts'
export type { ActionKind, TimelineEntry } from './workspaces/timeline.ts'
export type { ExplainedEntry, SandboxRequests } from './operations/requests.ts'
export type { Replayed, ReplayEdits } from './operations/replay-request.ts'
export type { OutcomeName as Outcome } from './contract/outcomes.ts'
export type { EntryChange, JournalEntry, SentRequest, SentResponse } from './journal/entry.ts'
export type { RequestFilter, StatusClass } from './journal/filter.ts'
export type { Difference, RequestMatcher } from './journal/differences.ts'
export type { NearMiss, OrderVerification, Verification, Verified } from './journal/verify.ts'
export type { Explanation, ExplanationFact, ExplanationSection } from './explain/explanation.ts'
export { explanationText } from './explain/explanation-text.ts'
