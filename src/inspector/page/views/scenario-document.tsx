// One scenario: its rules with how often each acted, and its document.
import { useState } from 'hono/jsx/dom'
import { stringify } from '../../../json/stringify.ts'
import type { ScenarioView } from '../../../operations/scenarios.ts'
import { ConfirmButton } from '../confirm-button.tsx'
import { Heading } from '../heading.tsx'
import { useRefresh } from '../refresh.ts'
import { neverFired, wordsOfUse } from '../scenario-use.ts'
import { ScenarioSwitch } from '../scenario-switch.tsx'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { useEffect } from '../use-effect.ts'

export function ScenarioDocument({ name }: { name: string }) {
  const { source, route } = useSession()
  const link = useLink()
  const act = useAct()
  const canChange = useCanChange()
  const path = `/scenarios/${encodeURIComponent(name)}`
  const { value, problem, again } = useAnswer<ScenarioView & { document: unknown }>(path)
  const [switched, setSwitched] = useState<boolean | undefined>(undefined)
  useEffect(() => setSwitched(undefined), [value])
  useRefresh(again)
  const isOn = switched ?? value?.active ?? false
  const remove = async (): Promise<void> => {
    const { workspace } = route
    if (await act(() => source.ask('DELETE', path, { workspace }), `Deleted ${name}.`)) {
      location.hash = link('scenarios')
    }
  }
  return (
    <>
      <p>
        <a href={link('scenarios')}>Scenarios</a>
      </p>
      <Heading>{name}</Heading>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value ? (
        <>
          <p>{value.description}</p>
          <div class="bar">
            <span class="switched">
              <ScenarioSwitch
                name={name}
                isOn={isOn}
                onSwitched={(active) => {
                  setSwitched(active.includes(name))
                  again()
                }}
              />
              {isOn ? ' On' : ' Off'}
            </span>
            {canChange ? (
              <a href={link('scenarios', [], { edit: name })}>
                {value.registered ? 'Edit' : 'Write one like it'}
              </a>
            ) : null}
            {canChange && value.registered ? (
              <ConfirmButton name="Delete" question={`Delete ${name}?`} onConfirm={() => void remove()} />
            ) : null}
          </div>
          <h2>Rules</h2>
          <ul>
            {value.rules.map((rule) => (
              <li key={rule.id}>
                <code>{rule.id}</code>: {wordsOfUse(rule)}
                {neverFired(rule, isOn) ? <span class="badge is-warn">never fired</span> : null}
              </li>
            ))}
          </ul>
          <h2>Document</h2>
          <pre tabindex={0}>{stringify(value.document, 2)}</pre>
        </>
      ) : null}
    </>
  )
}
