// The scenarios of a workspace: effects, hits, switches, an editor.
import { useSession } from '../session.ts'
import { ScenarioEditor } from './scenario-editor.tsx'
import { ScenarioList } from './scenario-list.tsx'
import { ScenarioDocument } from './scenario-document.tsx'

export function Scenarios() {
  const { source, route } = useSession()
  const [name] = route.parts
  const { write, edit } = route.query
  if (source.isLive && write !== undefined) return <ScenarioEditor key="" />
  if (source.isLive && edit !== undefined) return <ScenarioEditor key={edit} from={edit} />
  if (name === undefined || name === '') return <ScenarioList />
  return <ScenarioDocument key={name} name={name} />
}
