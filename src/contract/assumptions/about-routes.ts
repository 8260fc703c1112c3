// Assumptions about routes and errors: open questions of the contract.
import { entry } from './assumption-entry.ts'

export const aboutRoutes = {
  not_found_status: entry({
    question: 'Which status do the not-found errors have?',
    section: 'Errors',
    values: [404, 400, 410],
    effect: 'The status of every not-found error of shape C.',
  }),
  unknown_route_status: entry({
    question: 'Which status answers a path that no endpoint has?',
    section: 'Errors',
    values: [404, 400],
    effect: 'The status of that answer; its body is shape B.',
  }),
  wrong_method_status: entry({
    question: 'Which status answers a method that the path does not have?',
    section: 'Errors',
    values: [405, 404],
    effect: 'The status of that answer; it carries `Allow` in both cases.',
  }),
  trailing_slash: entry({
    question: 'Is a trailing slash in a path ignored?',
    section: 'Endpoints',
    values: ['unknown_route', 'ignored'],
    effect: '`unknown_route` compares paths exactly; `ignored` drops one trailing slash.',
  }),
  head_and_options: entry({
    question: 'How are HEAD and OPTIONS answered?',
    section: 'Endpoints',
    values: ['as_get_and_allow'],
    effect:
      'HEAD is answered as GET, without the body; OPTIONS is answered 204 with the methods of the path in `Allow`.',
  }),
  error_types: entry({
    question: 'Which error types exist in addition to the five that are shown?',
    section: 'Errors',
    values: ['named_alike'],
    effect:
      'The other types have names like the shown ones, such as CONFLICT_ERROR. Their shape is B, except ACCOUNT_NOT_FOUND_ERROR, which has shape C.',
  }),
} as const
