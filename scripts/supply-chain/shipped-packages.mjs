/** What we ship, by its places in the lockfile: two packages, and the page that is built into the gateway's. */
const INSTALLED = ['packages/core', 'packages/gateway'];
const BUNDLED = { from: 'packages/dashboard', into: 'packages/gateway' };

/**
 * The packages that a user gets with ours, by their places in the lockfile, each with the places of those it needs.
 * Those of development do not count, though they share the lockfile; nor do optional peers, which nobody installs unasked.
 */
export function shippedPackages({ packages }) {
  const found = new Map();
  const visit = (from, isBundled) => {
    const place = packages[from].link === true ? packages[from].resolved : from;
    // What is installed is visited first: what is both installed and bundled counts as installed.
    if (!found.has(place)) {
      const shipped = { place, entry: packages[place], isBundled, needs: [] };
      found.set(place, shipped);
      for (const next of neededBy(packages, place)) shipped.needs.push(visit(next, isBundled));
    }
    return place;
  };
  for (const place of INSTALLED) visit(place, false);
  // The dashboard is no package of its own: all that it is written with becomes a part of the page.
  for (const name of Object.keys(packages[BUNDLED.from].devDependencies)) {
    const place = visit(mustResolve(packages, BUNDLED.from, name), true);
    found.get(BUNDLED.into).needs.push(place);
  }
  return [...found.values()];
}

function neededBy(packages, place) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    packages[place];
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  const needed = [...Object.keys(dependencies ?? {}), ...peers];
  // One that is optional may be left out of a lockfile.
  const optional = Object.keys(optionalDependencies ?? {}).map((name) =>
    resolve(packages, place, name),
  );
  return new Set([
    ...needed.map((name) => mustResolve(packages, place, name)),
    ...optional.filter((each) => each !== undefined),
  ]);
}

function mustResolve(packages, from, name) {
  const place = resolve(packages, from, name);
  if (place === undefined) throw new Error(`${name}, which ${from} needs, is not in the lockfile`);
  return place;
}

/** Where Node finds a package that something at `from` imports. */
function resolve(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}
