import { ResourceTemplate } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import { PNG } from './sample-media.ts';

/** Gives a server the resources of the fixture. */
export function addResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text', mimeType: 'text/plain' },
    ({ href: uri }) => {
      const text = 'This is the content of the static text resource.';
      return { contents: [{ uri, mimeType: 'text/plain', text }] };
    },
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A picture', mimeType: 'image/png' },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'image/png', blob: PNG }] }),
  );
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { description: 'A text that changes', mimeType: 'text/plain' },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'Watch me.' }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id', mimeType: 'application/json' },
    ({ href: uri }, { id }) => {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    },
  );
  // Who watches is for the transport to know: every client hears of a change.
  const { server: lowLevel } = server;
  lowLevel.setRequestHandler('resources/subscribe', () => ({}));
  lowLevel.setRequestHandler('resources/unsubscribe', () => ({}));
}
