import { RequestError } from '../http/request-error.ts';
import { textOf } from '../proxy/json/json-fields.ts';
import type { AdminOperation } from './admin-operation.ts';
import { fields, list, said, text } from './schema-words.ts';

/** Makes what tools have turned into what they are. Returns their names. */
export type ApproveTools = (server: string, tool?: string) => readonly string[];

/** What a person can do about tools that are held back. */
export function approveOperation(approve: ApproveTools): AdminOperation {
  return {
    method: 'POST',
    path: '/api/v1/tools/approve',
    id: 'approve_tools',
    summary:
      'Approves tools of an MCP server that were held back as they are no longer what they were.',
    takes: fields(
      {
        server: said({ ...text, minLength: 1 }, 'The name of the server.'),
        tool: said({ ...text, minLength: 1 }, 'One tool, as its server names it; all without it.'),
      },
      ['tool'],
    ),
    gives: fields({ server: text, approved: said(list(text), 'As the server names them.') }),
    example: { server: 'files', tool: 'read_file' },
    errors: { 404: 'No such tool is held back.' },
    run: ({ body }) => {
      const server = textOf(body['server']);
      const tool = body['tool'] === undefined ? undefined : textOf(body['tool']);
      const approved = approve(server, tool);
      if (approved.length === 0) {
        throw new RequestError(404, 'not-found', 'no such tool of that server is held back');
      }
      return { server, approved };
    },
  };
}
