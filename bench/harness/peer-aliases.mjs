const [major] = process.versions.node.split('.').map(Number);

/** Their newest releases want Node 22; on Node 20 the ones before stand in. Both are installed, one is measured. */
export const peerAliases =
  major >= 22
    ? { cockatiel: 'cockatiel-4', opossum: 'opossum-10' }
    : { cockatiel: 'cockatiel-3', opossum: 'opossum-9' };
