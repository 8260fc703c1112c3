// The catalogue of scenarios: the effects, hits and switch of each.
import { useState } from 'hono/jsx/dom'
import type { ScenarioView } from '../../../operations/scenarios.ts'
import { Heading } from '../heading.tsx'
import { useRefresh } from '../refresh.ts'
import { groupsOf } from '../scenario-groups.ts'
import { neverFired, scenariosWith, wordsOfUse } from '../scenario-use.ts'
import { ScenarioSwitch } from '../scenario-switch.tsx'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { useEffect } from '../use-effect.ts'
import { FilterField } from './filter-field.tsx'

export function ScenarioList() {
  const link = useLink()
  const { source, route } = useSession()
  const act = useAct()
  const canChange = useCanChange()
  const [text, setText] = useState('')
  const { value, problem, again } = useAnswer<{ scenarios: ScenarioView[] }>('/scenarios')
  /** The active scenarios after the last switch, until the list is loaded again. */
  const [switched, setSwitched] = useState<readonly string[] | undefined>(undefined)
  useEffect(() => setSwitched(undefined), [value])
  useRefresh(again)
  const scenarios = (value?.scenarios ?? []).map((scenario) => ({
    ...scenario,
    active: switched ? switched.includes(scenario.name) : scenario.active,
  }))
  const on = scenarios.filter(({ active }) => active)
  const allOff = (): Promise<unknown> =>
    source.ask('DELETE', '/scenarios/active', { workspace: route.workspace })
  const groups = groupsOf(scenariosWith(text, scenarios))
  return (
    <>
      <Heading>Scenarios</Heading>
      <div class="bar">
        <FilterField onText={setText} />
        {canChange ? <a href={link('scenarios', [], { write: 'new' })}>Write a scenario</a> : null}
      </div>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      <p class="faint">Counters begin at zero whenever a scenario is switched on, and by Restart.</p>
      {value ? (
        <div class="bar">
          <span>{on.length === 0 ? 'None is on.' : `On: ${on.map(({ name }) => name).join(', ')}.`}</span>
          {canChange && on.length > 0 ? (
            <button type="button" onClick={() => void act(allOff, 'All scenarios are off.').then(again)}>
              Switch all off
            </button>
          ) : null}
        </div>
      ) : null}
      {value && groups.length === 0 ? <p class="empty">None fits.</p> : null}
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <ul class="scenarios" aria-label={group.title}>
            {group.scenarios.map((scenario) => (
              <li key={scenario.name}>
                <ScenarioSwitch
                  name={scenario.name}
                  isOn={scenario.active}
                  onSwitched={(active) => {
                    setSwitched(active)
                    again()
                  }}
                />
                <div>
                  <a href={link('scenarios', [scenario.name])}>{scenario.name}</a>
                  {scenario.registered ? <span class="badge">registered here</span> : null}
                  <Uses scenario={scenario} />
                  {canChange && scenario.rules.some(({ calls }) => calls > 0) ? (
                    <Restart name={scenario.name} onRestarted={again} />
                  ) : null}
                  <p class="faint">{scenario.description}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** Sets the counters of a scenario to zero: its rules act on their first calls again. */
function Restart({ name, onRestarted }: { name: string; onRestarted: () => void }) {
  const { source, route } = useSession()
  const act = useAct()
  const path = `/scenarios/${encodeURIComponent(name)}/restart`
  const restart = (): Promise<unknown> => source.ask('POST', path, { workspace: route.workspace })
  return (
    <button
      type="button"
      aria-label={`Restart ${name}`}
      onClick={() => void act(restart, `${name} was restarted: it counts from zero.`).then(onRestarted)}
    >
      Restart
    </button>
  )
}

function Uses({ scenario: { active, rules } }: { scenario: ScenarioView }) {
  const hits = rules.reduce((sum, rule) => sum + rule.hits, 0)
  const idle = rules.filter((rule) => neverFired(rule, active))
  return (
    <>
      {hits === 0 ? null : <span class="badge">{hits === 1 ? '1 hit' : `${hits} hits`}</span>}
      {idle.map((rule) => (
        <span key={rule.id} class="badge is-warn">
          {rules.length === 1 ? '' : `${rule.id} `}never fired
          {rule.calls === 0 ? '' : `: ${wordsOfUse(rule)}`}
        </span>
      ))}
    </>
  )
}
