// Scans the files of a workspace: its last access, its owner, and whether it is damaged.
import type { SandboxPart } from '../../fixtures/state-document.ts'
import { DocumentError } from '../../input/problems.ts'
import { UnusableError, type ClosedWorkspace } from '../../workspaces/closed.ts'
import { mayBeOf, type Isolation } from '../../workspaces/isolation.ts'
import type { Owners } from '../../workspaces/owners.ts'
import { systemFiles } from './files.ts'
import type { FolderFiles } from './folder-files.ts'
import { UnreachableError, unusable } from './open-data.ts'
import { doubtfulParts, scanFile } from './read-data.ts'
import { checkOf, readWorkspacePart, type WorkspacePart } from './workspace-part.ts'

/** Thrown for a folder that was written with other options. */
class MismatchError extends Error {}

/** Thrown for a file that was copied to the name of another workspace. */
class ForeignError extends Error {
  constructor(of: string) {
    super(
      `its file is that of '${of}', which no replay copied here: move it away, or put it back under its own name while no sandbox runs`,
    )
  }
}

/** Scans the files of a folder. It parses no rows if the checksum is right. */
export class FolderScan {
  readonly #files: FolderFiles
  readonly #keysOf: Owners['keysOf']
  /** The machine's clock. */
  readonly #now: () => number
  readonly #isolations = new Map<string, Isolation>()

  constructor(files: FolderFiles, keysOf: Owners['keysOf'], now: () => number) {
    this.#files = files
    this.#keysOf = keysOf
    this.#now = now
  }

  /** Scans the files of a workspace; undefined if they are empty. */
  async scan(name: string): Promise<ClosedWorkspace | undefined> {
    const { options } = this.#files
    const source = this.#files.shown(name)
    const mtimeMs = (await this.#lastWritten(name)) ?? this.#now()
    const since = Math.max(0, this.#now() - mtimeMs)
    const usedAt = options.time.now() - since
    const known = {
      name,
      createdAt: new Date(mtimeMs).toISOString(),
      readyKeys: {},
      isolation: undefined,
      uses: 0,
      usedAt,
      shell: undefined,
    }
    let part: SandboxPart | undefined
    try {
      const file = await this.#files.open(name)
      part = await scanFile(file, { ...options, name: source })
      if (part?.workspace === undefined) return part && known
      const {
        created_at: createdAt,
        ready_keys: readyKeys,
        isolation,
      } = readWorkspacePart(part.workspace, source)
      return { ...known, createdAt, readyKeys, isolation: isolation && this.#isolationOf(name, isolation) }
    } catch (caught) {
      if (caught instanceof ForeignError) return { ...known, damage: caught.message }
      if (caught instanceof MismatchError)
        throw new DocumentError([{ source: options.name, path: '', message: caught.message }])
      const error = unusable(caught, { name: source })
      if (!(error instanceof DocumentError)) throw error
      return { ...known, isolation: await this.#isolationOfDamaged(name), damage: damageOf(error) }
    }
  }

  /** Returns the owner of a damaged workspace, if its files still name one and its keys match. */
  async #isolationOfDamaged(name: string): Promise<Isolation | undefined> {
    for (const { workspace } of await doubtfulParts(this.#files.at(name))) {
      try {
        const said = workspace && readWorkspacePart(workspace, this.#files.shown(name)).isolation
        if (said) return this.#isolationOf(name, said)
      } catch (error) {
        if (![DocumentError, MismatchError, ForeignError].some((kind) => error instanceof kind)) throw error
      }
    }
    return undefined
  }

  /** Returns when the newest of its files was written or marked; undefined if it has none. */
  async #lastWritten(name: string): Promise<number | undefined> {
    const { file, journal, previous } = this.#files.pathsOf(name)
    const timeOf = (path: string): Promise<number[]> =>
      systemFiles.stat(path).then(
        ({ mtimeMs }) => [mtimeMs],
        () => [],
      )
    const times = (await Promise.all([file, journal, previous].map(timeOf))).flat()
    return times.length === 0 ? undefined : Math.max(...times)
  }

  /**
   * Returns the same object for all workspaces of one partner, which identifies copies.
   * @throws {ForeignError} for one of another name, which its partner could neither rotate nor tell from a copy.
   * @throws {MismatchError} if its keys would differ from those that its partner has.
   */
  #isolationOf(name: string, { check, ...isolation }: NonNullable<WorkspacePart['isolation']>): Isolation {
    const { of, lineage, generation } = isolation
    if (!mayBeOf(of, name)) throw new ForeignError(of)
    const id = JSON.stringify([of, lineage, generation])
    const known = this.#isolations.get(id) ?? isolation
    this.#isolations.set(id, known)
    const keys = this.#keysOf(known)
    if (!keys) throw new MismatchError('its workspaces belong to partners: start with --isolation partner')
    if (checkOf(keys) !== check) {
      throw new MismatchError(
        'its keys derive from another --isolation-secret: start with that one, or with none if there was none',
      )
    }
    return known
  }

  /** Returns what is known of a damaged workspace after recovery. @throws {UnusableError} if its keys would change. */
  knownOf(closed: ClosedWorkspace, { created_at: createdAt, isolation }: WorkspacePart): ClosedWorkspace {
    try {
      return {
        ...closed,
        createdAt,
        isolation: closed.isolation ?? (isolation && this.#isolationOf(closed.name, isolation)),
      }
    } catch (error) {
      throw error instanceof MismatchError || error instanceof ForeignError
        ? new UnusableError(closed.name, error.message)
        : error
    }
  }
}

/** Returns why a file cannot be used: its first problem. */
export function damageOf(error: DocumentError): string {
  if (error instanceof UnreachableError)
    return `${error.reason}; change that and start again, or delete the workspace`
  const [first] = error.message.split('\n')
  return `${first}; put its file back and start again, start with --recover, or delete the workspace`
}
