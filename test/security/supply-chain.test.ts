import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSbom, type OwnManifest } from '../../scripts/supply-chain/create-sbom.mjs';
import { auditExitCode, readAudit } from '../../scripts/supply-chain/read-audit.mjs';
import { type Lockfile, shippedPackages } from '../../scripts/supply-chain/shipped-packages.mjs';
import { readText, root } from '../support/repository.ts';

/** Licences that ask for no more than to be named. */
const PERMISSIVE = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];
/** What the page of the dashboard is written with; nothing else that is for development ships. */
const BUNDLED = ['@preact/signals', '@preact/signals-core', 'preact'];

const lockfile = JSON.parse(readText('package-lock.json')) as Lockfile;
const readOwn = (folder: string): OwnManifest =>
  JSON.parse(readText(`${folder}/package.json`)) as OwnManifest;
const sbom = createSbom(lockfile, readOwn);
const { component: main } = sbom.metadata;
const others = sbom.components.filter(({ name }) => name !== '@holdfast/core');
const lockedAs = (name: string): string => {
  const { version = '' } = lockfile.packages[`node_modules/${name}`] ?? {};
  return `${name}@${version}`;
};
const needsOf = (name: string): readonly string[] | undefined =>
  sbom.dependencies.find(({ ref }) => ref.slice(0, ref.lastIndexOf('@')) === name)?.dependsOn;

describe('the bill of materials', () => {
  it('lists exactly what npm installs with our packages and what the dashboard bundles', () => {
    // npm marks in the lockfile what only development or an optional peer needs: a second opinion.
    const installed = Object.entries(lockfile.packages).flatMap(([place, entry]) => {
      const isOptional = entry.optional ?? entry.devOptional ?? entry.peer ?? false;
      return !place.includes('node_modules/') || entry.link || entry.dev || isOptional
        ? []
        : [`${place.split('node_modules/').at(-1) ?? ''}@${entry.version ?? ''}`];
    });

    const expected = new Set([...installed, ...BUNDLED.map(lockedAs)]);
    expect(others.map((each) => each['bom-ref'])).toEqual([...expected].sort());
    expect(others.length).toBeGreaterThan(20);
  });

  it('is of both packages, by their own names, and core needs nothing', () => {
    const { version } = readOwn('packages/gateway');

    expect(main).toMatchObject({ type: 'application', name: 'holdfast', version });
    expect(needsOf('holdfast')).toContain(`@holdfast/core@${version}`);
    expect(needsOf('@holdfast/core')).toEqual([]);
    expect(sbom.components.map(({ name }) => name)).not.toContain('@holdfast/dashboard');
  });

  it('tells what is bundled, as a part of the gateway', () => {
    const bundled = sbom.components.filter(({ properties }) => properties !== undefined);

    expect(bundled.map(({ name }) => name).sort()).toEqual(BUNDLED);
    expect(needsOf('holdfast')).toEqual(
      expect.arrayContaining([lockedAs('preact'), lockedAs('@preact/signals')]),
    );
  });

  it('has name, version, address and licence of every component, and the hash of every one of others', () => {
    for (const { name, version, purl, licenses } of [main, ...sbom.components]) {
      expect(version, name).toMatch(/^\d/);
      expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}@${version}`);
      expect(
        PERMISSIVE.map((id) => [{ license: { id } }]),
        name,
      ).toContainEqual(licenses);
    }
    for (const { name, hashes = [] } of others) {
      expect(hashes, name).toHaveLength(1);
      expect(hashes[0]?.alg, name).toBe('SHA-512');
      const hash = Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64');
      const places = shippedPackages(lockfile).map(({ entry }) => entry.integrity);
      expect(places, name).toContain(`sha512-${hash}`);
    }
  });

  it('has an entry for whatever another one needs', () => {
    const refs = [main, ...sbom.components].map((each) => each['bom-ref']);

    expect(sbom.dependencies.map(({ ref }) => ref)).toEqual([...new Set(refs)].sort());
    expect(refs).toEqual(expect.arrayContaining(sbom.dependencies.flatMap((one) => one.dependsOn)));
  });

  it('is the same every time, and another one for another lockfile', () => {
    expect(createSbom(lockfile, readOwn)).toEqual(sbom);
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    const newer = { ...lockfile.packages['node_modules/yaml'], version: '99.0.0' };
    const packages = { ...lockfile.packages, 'node_modules/yaml': newer };
    expect(createSbom({ packages }, readOwn).serialNumber).not.toBe(sbom.serialNumber);
  });

  it('names no host and no folder of a machine', () => {
    const { $schema: _, ...rest } = { $schema: '', ...sbom };

    expect(JSON.stringify(rest)).not.toMatch(/https?:|registry|node_modules/);
    expect(JSON.stringify(rest)).not.toContain(root);
  });

  it('has nothing that runs a script when it is installed', () => {
    const scripted = shippedPackages(lockfile).filter(({ entry }) => entry.hasInstallScript);

    expect(scripted.map(({ place }) => place)).toEqual([]);
  });

  it('refuses a lockfile that lacks what a package needs', () => {
    const { 'node_modules/yaml': _, ...packages } = lockfile.packages;

    expect(() => createSbom({ packages }, readOwn)).toThrow(
      'yaml, which packages/gateway needs, is not in the lockfile',
    );
  });
});

const found = {
  auditReportVersion: 2,
  vulnerabilities: {
    preact: {
      name: 'preact',
      severity: 'high',
      via: [{ title: 'It leaks', range: '<12', url: 'https://example.com/GHSA-1' }],
      nodes: ['node_modules/preact'],
    },
    vite: { name: 'vite', severity: 'low', via: ['preact'], nodes: ['node_modules/vite'] },
  },
  metadata: { vulnerabilities: { total: 2 } },
};
const clean = { vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } };
/** As npm prints them, without headers. */
const unanswered = {
  '404 Not Found': {
    message: '404 Not Found - POST https://example.com/-/npm/v1/security/advisories/bulk',
    statusCode: 404,
    error: { summary: '', detail: '' },
  },
  ENOTFOUND: {
    message: 'request to https://example.com/x failed, reason: getaddrinfo ENOTFOUND example.com',
    error: { summary: '', detail: '' },
  },
};
const read = (told: object): ReturnType<typeof readAudit> =>
  readAudit(JSON.stringify(told), new Set(['node_modules/preact']));

describe('the audit', () => {
  it('is clean where nothing is known', () => {
    expect(read(clean)).toEqual({ outcome: 'clean', findings: [] });
    expect(auditExitCode([read(clean), read(clean)], { isStrict: true })).toBe(0);
  });

  it('lists findings, says which of them ship, and fails', () => {
    expect(read(found)).toEqual({
      outcome: 'found',
      findings: [
        'high: preact, which we ship: It leaks (<12) https://example.com/GHSA-1',
        'low: vite: needs preact',
      ],
    });
    expect(auditExitCode([read(clean), read(found)], { isStrict: false })).toBe(1);
  });

  it.each(Object.entries(unanswered))(
    'tells %s without the address, and fails only where it has to be answered',
    (reason, told) => {
      const audit = read(told);
      expect(audit).toEqual({ outcome: 'unanswered', reason, findings: [] });
      expect(auditExitCode([audit], { isStrict: false })).toBe(0);
      expect(auditExitCode([audit], { isStrict: true })).toBe(1);
    },
  );

  it('takes silence for no answer', () => {
    expect(readAudit('', new Set())).toMatchObject({ outcome: 'unanswered' });
  });

  it('fails where npm could not ask, or says something else', () => {
    const summary = 'This command requires an existing lockfile.';
    const audits = [read({ error: { code: 'ENOLOCK', summary } }), readAudit('<html>', new Set())];

    expect(audits).toMatchObject([{ outcome: 'failed', reason: summary }, { outcome: 'failed' }]);
    for (const audit of audits) expect(auditExitCode([audit], { isStrict: false })).toBe(1);
  });

  it.each([
    {
      answers: 'nothing known',
      status: 200,
      args: ['--strict'],
      code: 0,
      says: /: clean\n.*: clean\n/,
    },
    {
      answers: 'no endpoint',
      status: 404,
      args: [],
      code: 0,
      says: /not answer \(404 Not Found\)/,
    },
  ])('asks npm: $answers, $args', async ({ status, args, code, says }) => {
    const registry = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end('{}'));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    try {
      const env = {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}`,
        npm_config_noproxy: '127.0.0.1',
        // With it npm would ask nobody and find nothing.
        npm_config_offline: 'true',
      };
      const script = join(root, 'scripts', 'audit.mjs');
      const ended = await new Promise<{ code: unknown; output: string }>((resolve) => {
        execFile(process.execPath, [script, ...args], { env }, (error, stdout) => {
          resolve({ code: error?.code ?? 0, output: stdout });
        });
      });
      expect(ended).toEqual({ code, output: expect.stringMatching(says) as string });
      expect(ended.output).not.toContain('127.0.0.1');
    } finally {
      registry.closeAllConnections();
      registry.close();
    }
  });
});
