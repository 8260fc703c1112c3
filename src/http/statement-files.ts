// The document behind a `pdf_url` (contract: Statement): open without a key, as the link itself is the permission,
// until it expires.
import { controlError, methodNotAllowed } from './control-error.ts'
import type { AppContext } from './context.ts'
import type { Service } from './service.ts'
import type { PrintedStatement } from '../statement-pdf/statement-pdf.ts'
import type { StatementRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'

export async function serveStatementFile(service: Service, c: AppContext): Promise<Response> {
  // The method of the request itself: Hono looks for HEAD under GET and drops the body.
  const { method } = c.req.raw
  if (method !== 'GET' && method !== 'HEAD') {
    return methodNotAllowed('GET, HEAD')
  }
  const workspaceName = c.req.param('workspace') ?? ''
  const id = (c.req.param('file') ?? '').replace(/\.pdf$/, '')
  const query = new URL(c.req.url).searchParams
  if (!service.statementLinks.isGenuine(id, workspaceName, query)) {
    return controlError('FORBIDDEN', 'This link was changed: use the pdf_url exactly as it was answered.')
  }
  const workspace = service.workspaces.find(workspaceName)
  const statement = workspace?.state.get('statements', id)
  if (!workspace || !statement) return controlError('NOT_FOUND', 'There is no such document.')
  if (workspace.clock.now() >= Number(query.get('expires'))) {
    return controlError('FORBIDDEN', 'This link has expired: list the statements again for a new one.')
  }
  // Loaded when it is first asked for: most sandboxes never print anything.
  const { renderStatementPdf } = await import('../statement-pdf/statement-pdf.ts')
  const pdf = renderStatementPdf(printed(statement, workspace.state))
  return new Response(pdf, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(pdf.byteLength),
      'content-disposition': 'inline; filename="statement.pdf"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** The statement with the names that stand on paper. */
function printed(statement: StatementRow, state: State): PrintedStatement {
  const customer = state.get('customers', statement.customer_id)
  const product = customer && state.get('products', customer.product)
  return {
    ...statement,
    customer_name: customer ? `${customer.first_name} ${customer.last_name}` : '',
    program_name: product?.name ?? '',
  }
}
