// Damage of a file: where it is, and the message for a user.
import { DamagedError } from '../../workspaces/storage.ts'
import type { FileLayout } from './file-layout.ts'

/** Thrown for a file that cannot be read. Its message says what is wrong, and at which byte. */
export class FileDamage extends Error {
  readonly path: string
  readonly line: number | undefined

  constructor(path: string, message: string, line?: number, options?: ErrorOptions) {
    super(message, options)
    this.path = path
    this.line = line
  }

  /** Returns the error for a user: the file, the position and the next steps. */
  of(layout: FileLayout, name: string, hasPrevious: boolean): DamagedError {
    const document = layout.document(name)
    const line = this.line === undefined ? '' : `:${this.line}`
    const previous = hasPrevious ? ` The checkpoint before is ${layout.previous(name)}.` : ''
    return new DamagedError(
      `${this.path}${line}: ${this.message}. Nothing was changed.${previous} Put back ${document} and its logs from one backup, ` +
        'or move them away to begin with an empty workspace. To use a document without the changes in its logs, ' +
        'delete the logs, and the members "log" and "checksum" at its end',
    )
  }
}
