const [major] = process.versions.node.split('.').map(Number);

/** Their newest releases want Node 22; on Node 20 the newest that run there stand in. Both are installed, one is measured. */
export const peerAliases =
  major >= 22
    ? { ai: 'ai-7', cockatiel: 'cockatiel-4', opossum: 'opossum-10', 'p-retry': 'p-retry-9' }
    : { ai: 'ai-6', cockatiel: 'cockatiel-3', opossum: 'opossum-9', 'p-retry': 'p-retry-7' };
