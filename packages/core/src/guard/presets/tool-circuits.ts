import type { NamedCircuit } from './named-circuits.ts';

/** Which of the named circuits each known tool uses. Tools with the same limits or the same way to fail share one. */
export const TOOL_CIRCUITS: Readonly<Record<string, NamedCircuit>> = Object.freeze({
  githubSearchCode: 'github:search',
  githubSearchRepositories: 'github:search',
  githubSearchPullRequests: 'github:pulls',
  githubGetFileContent: 'github:content',
  githubViewRepoStructure: 'github:content',
  lspGotoDefinition: 'lsp:navigation',
  lspFindReferences: 'lsp:navigation',
  lspCallHierarchy: 'lsp:hierarchy',
  localSearchCode: 'local',
  localGetFileContent: 'local',
  localFindFiles: 'local',
  localViewStructure: 'local',
  packageSearch: 'package',
});
