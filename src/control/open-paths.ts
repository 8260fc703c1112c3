// The paths of the control plane that are open to every client, so that no guard reads the headers of their requests.
// They are known before the control plane is loaded.
import { healthOperations } from '../operations/health.ts'

const openRoutes: readonly string[] = healthOperations
  .filter(({ guard }) => guard === 'none')
  .map(({ route }) => route)

/** @example isOpen('/_sandbox/health')   // true */
export const isOpen = (path: string): boolean => openRoutes.includes(`GET ${path}`)
