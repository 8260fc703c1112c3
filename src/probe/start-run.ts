// Starts a run of either verb: its name, its list of created objects, and its common results.
import { resolve } from 'node:path'
import { merchantKeyHeader } from '../contract/credentials.ts'
import { isJsonObject } from '../contract/formats.ts'
import { packageVersion, systemHost, type Host } from '../runtime/host.ts'
import { realTiming, type Timing } from './request-sender.ts'
import { Redaction, type Evidence, type ShownEvidence } from './evidence.ts'
import { madeFile, type Made } from './created-objects.ts'
import { OptionsError } from '../options/read-options.ts'
import { printable } from '../input/problems.ts'
import { requireList } from './only.ts'
import { allowedClasses, type AllowedClass, type Probe, type Result } from './probe.ts'
import { runProbes, type Progress, type Run } from './run.ts'
import type { GivenTarget } from './target-type.ts'
import { targetOf, type Target } from './target.ts'

/** The common options. */
export interface ProbeOptions {
  /** The classes that are allowed in addition to `read` and `refusal`. */
  readonly allow?: readonly AllowedClass[]
  /** Ids of points or assumptions, or prefixes of them up to a slash; all by default. */
  readonly only?: readonly string[]
  /** The file that lists created and changed objects; `<verb>-made-<run>.jsonl` by default. */
  readonly made?: string
  /** Ends the run after the request in flight. */
  readonly signal?: AbortSignal
  /** Called after each request. */
  readonly onProgress?: (progress: Progress) => void
}

/** The common results. */
export interface ProbeReport {
  target: { host: string }
  /** This package and its version. */
  package: string
  version: string
  /** When it began, RFC 3339. */
  at: string
  /** Whether it was stopped early. */
  partial: boolean
  requests: { planned: number; sent: number }
  /** The file that lists created and changed objects, if there are any. */
  made?: string
  /** Why the target no longer answered before the end, if so: then there is no conclusion. */
  lost?: string
}

/** A result whose texts may be shown; its calls may not. */
export interface ShownResult extends Result {
  evidence: Evidence[]
  /** Why there is no evidence, if a secret was still found in it. */
  withheld?: string
}

/** A finished run. */
export interface EndedRun {
  results: ShownResult[]
  report: ProbeReport
  redaction: Redaction
}

/** The environment of a run, which tests replace. */
export interface Machine {
  host: Pick<Host, 'now' | 'env' | 'cwd'>
  timing: Timing
  /** By default the file that `made` names. */
  made?: Made
}

/** The real one. */
export function thisMachine(): Machine {
  const host = systemHost()
  return { host, timing: realTiming(host.now) }
}

/** A target of `readTarget`, or one of the library that is not validated yet. */
export function asTarget(target: GivenTarget | Target, { host }: Machine): Target {
  const isObject: boolean = isJsonObject(target)
  if (!isObject) throw new OptionsError('target: must be an object with url, confirm_host and keys')
  return 'host' in target ? target : targetOf(target, host.env)
}

/** Returns a unique name of a run that sorts by time. */
export const runNameAt = (now: number): string => new Date(now).toISOString().replace(/\D/g, '')

/**
 * @param shows whether the evidence of a result will be shown.
 * @throws {CannotBeAsked} if the target is production, does not answer, or refuses the key.
 */
export async function startRun(
  verb: 'conform' | 'calibrate',
  probes: readonly Probe[],
  target: Target,
  options: ProbeOptions,
  machine: Machine,
  shows: (result: Result) => boolean = () => true,
): Promise<EndedRun> {
  requireClasses(options.allow)
  const began = machine.host.now()
  const run = `${verb}-${runNameAt(began)}`
  const path = resolve(machine.host.cwd, options.made ?? `${verb}-made-${runNameAt(began)}.jsonl`)
  const made = machine.made ?? madeFile(path)
  let isMade = false
  const { results, partial, requests, lacksProduct, lost }: Run = await runProbes(probes, target, {
    ...options,
    run,
    timing: machine.timing,
    made: {
      async note(line) {
        isMade = true
        await made.note(line)
      },
    },
  })
  const redaction = new Redaction(target)
  return {
    results: shown(lacksProduct ? results.map(withoutProduct) : results, redaction, shows),
    redaction,
    report: {
      target: { host: target.host },
      package: 'partner-rewards-sandbox',
      version: packageVersion(),
      at: new Date(began).toISOString(),
      partial,
      requests,
      ...(isMade ? { made: path } : {}),
      ...(lost === undefined ? {} : { lost }),
    },
  }
}

/** If every call without a product is refused, refusals show nothing else. */
function withoutProduct(result: Result): Result {
  if (result.verdict !== 'observed_other') return result
  const { probe, exchanges } = result
  const why = `the service needs ${merchantKeyHeader} with every key`
  return { probe, exchanges, verdict: 'not_observable', why, takes: 'add merchant_keys to the target' }
}

/** @throws {OptionsError} for an unknown class, which types do not prevent in JavaScript. */
function requireClasses(allow: readonly string[] = []): void {
  requireList('allow', allow)
  const unknown = allow.find((word) => !allowedClasses.some((known) => known === word))
  if (unknown === undefined) return
  throw new OptionsError(
    `allow: unknown class '${printable(unknown)}', expected ${allowedClasses.join(' or ')}`,
  )
}

const withheldIn = ({ withheld }: Partial<ShownEvidence> = {}): Pick<ShownResult, 'withheld'> =>
  withheld === undefined ? {} : { withheld }

/** The text of a probe may quote an answer, so it is redacted after all evidence is known. */
function shown(
  results: readonly Result[],
  redaction: Redaction,
  shows: (result: Result) => boolean,
): ShownResult[] {
  const evidence = results.map((result) => redaction.evidence(shows(result) ? result.exchanges : []))
  const hidden = (field: 'seen' | 'expected' | 'why' | 'takes', text: string | undefined) =>
    text === undefined ? {} : { [field]: redaction.words(text) }
  return results.map(({ seen, expected, why, takes, ...result }, place) => ({
    ...result,
    ...hidden('seen', seen),
    ...hidden('expected', expected),
    ...hidden('why', why),
    ...hidden('takes', takes),
    evidence: evidence[place]?.shown ?? [],
    ...withheldIn(evidence[place]),
  }))
}
