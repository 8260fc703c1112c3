// The paths below /_sandbox, each with its operations.
import type { Operation } from '../operations/declare.ts'
import type { Target } from '../operations/index.ts'
import type { ControlContext, ControlHandler } from './context.ts'
import { handlerOf } from './from-operation.ts'

/** An operation with the handler of its route. */
export interface Handled extends Omit<Operation<Target>, 'run'> {
  handle: ControlHandler
  /** Files of the page for browsers: they have no data, and query parameters are ignored. */
  isPage?: true
}

/** One path below `/_sandbox` with its operations. */
export interface Resource {
  path: string
  operations: readonly Handled[]
}

export const handled = (operation: Operation<Target>): Handled => ({
  ...operation,
  handle: handlerOf(operation),
})

/** Groups operations by their paths, in the order of their first ones. */
export function resourcesOf(operations: readonly Handled[]): Resource[] {
  const paths = new Set(operations.map(({ route }) => pathOf(route)))
  return [...paths].map((path) => ({
    path,
    operations: operations.filter(({ route }) => pathOf(route) === path),
  }))
}

export const methodOf = (route: string): string => route.slice(0, route.indexOf(' '))
export const pathOf = (route: string): string => route.slice(route.indexOf(' ') + 1)

/** The operation that a request is for, if its path has one of this method. */
export function operationFor({ operations }: Resource, { req }: ControlContext): Handled | undefined {
  const method = req.raw.method === 'HEAD' ? 'GET' : req.raw.method
  return operations.find(({ route }) => methodOf(route) === method)
}

/** The methods of a path as `Allow` lists them. */
export function allowOf({ operations }: Resource): string {
  return operations
    .map(({ route }) => methodOf(route))
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

/** Whether an operation changes nothing. */
export const isRead = ({ route, reads }: Pick<Handled, 'route' | 'reads'>): boolean =>
  reads === true || methodOf(route) === 'GET'
