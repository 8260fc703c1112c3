// Serves the document behind a `pdf_url` (contract: Statement). It needs no key: the signed link is the permission
// until it expires.
import { awayAnswer, controlError, methodNotAllowed } from '../control-error.ts'
import type { AppContext } from '../context.ts'
import type { Service } from '../service.ts'
import type { PrintedStatement } from './statement-pdf.ts'
import type { StatementRow } from '../../store/rows.ts'
import type { State } from '../../store/state.ts'
import { UnusableError } from '../../workspaces/closed.ts'
import { isElsewhere } from '../../workspaces/storage.ts'
import { useOf } from '../../workspaces/open-uses.ts'
import type { Workspace } from '../../workspaces/workspace.ts'

/** The document or an error, and whether this sandbox signed the link. */
export async function serveStatementFile(
  service: Service,
  c: AppContext,
): Promise<{ response: Response; isGenuine: boolean }> {
  // Read the method of the raw request: Hono routes HEAD as GET and drops the body.
  const { method } = c.req.raw
  if (method !== 'GET' && method !== 'HEAD') {
    return { response: methodNotAllowed('GET, HEAD'), isGenuine: false }
  }
  const workspaceName = c.req.param('workspace') ?? ''
  const id = (c.req.param('file') ?? '').replace(/\.pdf$/, '')
  const query = new URL(c.req.url).searchParams
  const { workspaces, statementLinks } = service
  // Without a genuine link, the caller must neither open the workspace nor learn that its file is damaged.
  if (!statementLinks.isGenuine(id, workspaceName, workspaces.owners.keysFor(workspaceName), query)) {
    return changedLink()
  }
  try {
    await workspaces.open(workspaceName)
  } catch (error) {
    if (isElsewhere(error)) return { response: awayAnswer(error), isGenuine: false }
    if (!(error instanceof UnusableError)) throw error
    return { response: controlError('UNAVAILABLE', error.brief), isGenuine: false }
  }
  // The keys of the workspace may have been revoked meanwhile.
  const workspace = workspaces.findOpen(workspaceName)
  if (!statementLinks.isGenuine(id, workspaceName, workspace?.keys, query)) return changedLink()
  return { response: await documentOf(workspace, id, Number(query.get('expires'))), isGenuine: true }
}

function changedLink(): { response: Response; isGenuine: false } {
  const message = 'This link was changed: use the pdf_url exactly as it was answered.'
  return { response: controlError('FORBIDDEN', message), isGenuine: false }
}

async function documentOf(workspace: Workspace | undefined, id: string, expires: number): Promise<Response> {
  const statement = workspace?.state.get('statements', id)
  if (!workspace || !statement) return controlError('NOT_FOUND', 'There is no such document.')
  if (workspace.clock.now() >= expires) {
    return controlError('FORBIDDEN', 'This link has expired: list the statements again for a new one.')
  }
  const end = useOf(workspace)
  // Loaded at the first request: most sandboxes never render a document.
  const { renderStatementPdf } = await import('./statement-pdf.ts').finally(end)
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

/** The statement with the names that the document prints. */
function printed(statement: StatementRow, state: State): PrintedStatement {
  const customer = state.get('customers', statement.customer_id)
  const product = customer && state.get('products', customer.product)
  return {
    ...statement,
    customer_name: customer ? `${customer.first_name} ${customer.last_name}` : '',
    program_name: product?.name ?? '',
  }
}
