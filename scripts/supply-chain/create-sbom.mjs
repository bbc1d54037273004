import { createHash } from 'node:crypto';
import { shippedPackages } from './shipped-packages.mjs';

const MAIN = 'packages/gateway';
const ALGORITHMS = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

/**
 * The software bill of materials of what we ship, in CycloneDX. The same lockfile gives the same text: it has no time,
 * and its serial number is made of the rest. `readManifest` gives the package.json of one of our own packages.
 */
export function createSbom(lockfile, readManifest) {
  const shipped = shippedPackages(lockfile).map((each) => describe(each, readManifest));
  const refs = new Map(shipped.map(({ place, component }) => [place, component['bom-ref']]));
  const main = shipped.find(({ place }) => place === MAIN).component;

  // One package may lie at several places, where others share the lockfile.
  const components = new Map();
  const dependencies = new Map();
  for (const { component, needs } of shipped) {
    const ref = component['bom-ref'];
    if (component !== main) components.set(ref, components.get(ref) ?? component);
    const known = dependencies.get(ref) ?? [];
    dependencies.set(ref, [...known, ...needs.map((place) => refs.get(place))]);
  }
  const content = {
    version: 1,
    metadata: { component: { ...main, type: 'application' } },
    components: sortedByKey(components).map(([, component]) => component),
    dependencies: sortedByKey(dependencies).map(([ref, needed]) => ({
      ref,
      dependsOn: [...new Set(needed)].sort(),
    })),
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumberOf(JSON.stringify(content)),
    ...content,
  };
}

function describe({ place, entry, isBundled, needs }, readManifest) {
  const own = place.startsWith('packages/') ? readManifest(place) : undefined;
  const name = own?.name ?? entry.name ?? place.split('node_modules/').at(-1);
  const version = own?.version ?? entry.version;
  const license = own?.license ?? entry.license;
  const component = {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    ...(own !== undefined && { description: own.description }),
    ...(entry.integrity !== undefined && { hashes: hashesOf(entry.integrity) }),
    ...(license !== undefined && { licenses: [licenceOf(license)] }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(isBundled && { properties: [{ name: 'holdfast:bundled', value: 'dashboard' }] }),
  };
  return { place, component, needs };
}

function hashesOf(integrity) {
  return integrity.split(' ').map((each) => {
    const [algorithm, digest] = each.split('-');
    return { alg: ALGORITHMS[algorithm], content: Buffer.from(digest, 'base64').toString('hex') };
  });
}

/** npm allows an SPDX identifier, an expression of several, and words. */
function licenceOf(text) {
  if (text === 'UNLICENSED' || text.startsWith('SEE LICENSE')) return { license: { name: text } };
  return text.includes(' ') ? { expression: text } : { license: { id: text } };
}

/** A UUID of the version that is free to be made of anything. */
function serialNumberOf(content) {
  const bytes = createHash('sha256').update(content).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ].map((range) => hex.slice(...range));
  return `urn:uuid:${parts.join('-')}`;
}

/** By code unit: the order of a language would differ from machine to machine. */
function sortedByKey(map) {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}
