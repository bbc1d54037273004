import { describe, expect, it } from 'vitest';
import { readManifest, readText } from './support/repository.ts';

interface Lockfile {
  readonly packages: Readonly<
    Record<
      string,
      { readonly resolved?: string; readonly link?: boolean; readonly version?: string }
    >
  >;
}

const lockfiles = [
  'fuzz/package-lock.json',
  'mutation/package-lock.json',
  'package-lock.json',
  'scripts/docs-site/package-lock.json',
  'test/adapters/peers/newest/package-lock.json',
  'test/adapters/peers/oldest/package-lock.json',
  'test/adapters/peers/previous/package-lock.json',
  'test/clients/package-lock.json',
  'test/mcp/package-lock.json',
  'test/publishing/package-lock.json',
];

describe('the lockfile', () => {
  it.each(lockfiles)('%s names no registry, so it installs from any mirror', (file) => {
    const { packages } = JSON.parse(readText(file)) as Lockfile;
    const addressed = Object.entries(packages).filter(
      ([, { resolved, link }]) => resolved !== undefined && link !== true,
    );

    expect(addressed).toEqual([]);
    expect(readText('.npmrc').split('\n')).toContain('omit-lockfile-registry-resolved=true');
  });

  it('gives core no dependencies', () => {
    const manifest = readManifest('packages/core');

    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('optionalDependencies');
  });
});
