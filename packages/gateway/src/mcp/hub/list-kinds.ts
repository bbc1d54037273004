/** What servers list. */
export type ListKind = 'tools' | 'prompts' | 'resources' | 'templates';

/** How a list is asked for, and where it is in the answer. */
export interface ListRule {
  readonly method: string;
  readonly field: string;
  /** The capability that a server with such a list has. */
  readonly capability: 'tools' | 'prompts' | 'resources';
  /** What a server says when it has changed. */
  readonly changed: string;
  /** How changes are asked for in the modern era. */
  readonly filter: string;
}

export const LIST_KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources', 'templates'];

export const LIST_RULES: Readonly<Record<ListKind, ListRule>> = Object.freeze({
  tools: {
    method: 'tools/list',
    field: 'tools',
    capability: 'tools',
    changed: 'notifications/tools/list_changed',
    filter: 'toolsListChanged',
  },
  prompts: {
    method: 'prompts/list',
    field: 'prompts',
    capability: 'prompts',
    changed: 'notifications/prompts/list_changed',
    filter: 'promptsListChanged',
  },
  resources: {
    method: 'resources/list',
    field: 'resources',
    capability: 'resources',
    changed: 'notifications/resources/list_changed',
    filter: 'resourcesListChanged',
  },
  templates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    changed: 'notifications/resources/list_changed',
    filter: 'resourcesListChanged',
  },
});
