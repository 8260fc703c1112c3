// Calls the control plane in process or over a port.
import type { Sandbox } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'

/** An answer of the control plane, read to its end. */
export async function get(
  door: Pick<Sandbox, 'fetch'>,
  path: string,
  { method = 'GET', body }: { method?: string; body?: string } = {},
) {
  const { status, headers, text, json } = await askControl(door, method, path.replace('/_sandbox', ''), body)
  return { status, type: headers.get('content-type'), allow: headers.get('allow'), text, json }
}
