// The tasks of one workspace of a replica, and why a workspace in the store cannot be used.
import { StorageUnavailableError, type Place, type Task } from '../../workspaces/storage.ts'

/** A call, or an exclusive operation: no other task shares its batch, so it may wait. */
export interface ReplicaTask extends Omit<Task, 'run' | 'workspace' | 'mayOpen'> {
  readonly alone?: true
  /** @param place undefined if the workspace does not exist and was not created. */
  run(place: Place | undefined): void | Promise<void>
}

/** Thrown if the store has values that no sandbox of this format wrote, or that another one began. */
export class ForeignError extends StorageUnavailableError {
  override name = 'ForeignError'
}

/** Thrown if the values of one workspace in the store cannot be read, while other workspaces can be used. */
export class DamagedError extends ForeignError {
  override name = 'DamagedError'

  /** @param keys the key, or a pattern of keys such as `{sandbox:w1}:*`. */
  constructor(keys: string, options?: ErrorOptions) {
    super(
      `The store holds values under ${keys} that no sandbox of this format wrote: delete them, or use another --store-prefix.`,
      options,
    )
  }
}
