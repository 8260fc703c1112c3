// Puts the workspace that is shown back to how it began.
import { ConfirmButton } from './confirm-button.tsx'
import { useAct, useSession } from './session.ts'

export function ResetButton({ onReset = () => undefined }: { onReset?: () => void }) {
  const { source, route } = useSession()
  const { workspace } = route
  const act = useAct()
  const reset = (): Promise<unknown> => source.ask('POST', '/reset', { workspace })
  return (
    <ConfirmButton
      name="Reset"
      question={`Put ${workspace} back to how it began? Its calls are forgotten, too.`}
      onConfirm={() => void act(reset, `${workspace} is as it began.`).then(onReset)}
    />
  )
}
