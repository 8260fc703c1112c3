// The changes since an earlier calibration, as text: the assumption, its earlier value, and its new one.
import type { Comparison, Move } from '../../probe/compare.ts'

const meanings: Readonly<Record<Move['who'], string>> = {
  contract: 'The service breaks the contract',
  assumption: 'The service answers differently where the contract is silent',
  account: 'Other rows were read, which may explain the difference',
}

/**
 * @param file the name of the earlier one for the user.
 * @example checkText(comparison, 'found.yaml')   // 1 has moved since found.yaml.\n\nThe service does …:\n  create_status: 201, now 200\n
 */
export function checkText(
  { moved, no_longer_observed: lost }: Pick<Comparison, 'moved' | 'no_longer_observed'>,
  file: string,
): string {
  const count = moved.length === 0 ? 'Nothing has' : moved.length === 1 ? '1 has' : `${moved.length} have`
  const lines = Object.entries(meanings).flatMap(([who, meaning]) =>
    part(meaning, moveLines(moved.filter((move) => move.who === who))),
  )
  const unreported = lost.map(({ id, before, verdict, why, takes }) => {
    const reason = [why, takes].filter((text) => text !== undefined).join('; ')
    return `${id}: ${before}, now ${verdict.replaceAll('_', ' ')}${reason === '' ? '' : `: ${reason}`}`
  })
  const notMoved = part('Observed before and not now, which is not a change', unreported)
  return `${[`${count} moved since ${file}.`, ...lines, ...notMoved].join('\n')}\n`
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
}

/** Equal violations of the contract, such as by every answer, are reported once. */
function moveLines(moved: readonly Move[]): string[] {
  const alike = new Map<string, Move[]>()
  for (const move of moved) {
    const key = move.who === 'contract' ? `${move.after}` : move.id
    alike.set(key, [...(alike.get(key) ?? []), move])
  }
  return [...alike.values()].map((moves) => {
    const [first] = moves
    const [ids, after] = [moves.map(({ id }) => id), first?.after]
    return moves.length === 1
      ? `${first?.id}: ${first?.before}, now ${after}`
      : `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}: now ${after}`
  })
}
