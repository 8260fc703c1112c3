// The header's list of differences from a fresh sandbox; each part links to its undo.
import type { Differences } from '../../operations/differences.ts'
import { differencesText } from './difference-texts.ts'
import { useAgainOn, useRefresh } from './refresh.ts'
import { useAnswer, useLink } from './session.ts'
import { useEffect } from './use-effect.ts'

/** @param said the last message: an action may have changed something. */
export function DifferencesList({ said }: { said: string }) {
  const link = useLink()
  const { value, again } = useAnswer<Differences>('/differences')
  useRefresh(again, 5_000)
  useAgainOn(({ kind }) => kind !== 'connection', again)
  useEffect(() => {
    if (said !== '') again()
  }, [said])
  const differences = value ? differencesText(value) : []
  if (differences.length === 0) return null
  return (
    <ul class="differences" aria-label="What differs from a fresh sandbox">
      {differences.map(({ text, undo, view, query }) => (
        <li key={view}>
          <a href={link(view, [], query)} title={undo}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  )
}
