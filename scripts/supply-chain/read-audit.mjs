import { STATUS_CODES } from 'node:http';

/**
 * What `npm audit --json` printed. An endpoint that does not answer is no finding, and no clean bill either.
 * The address of the registry is left out: it may be of a private network.
 */
export function readAudit(text, shippedPlaces) {
  // npm that was ended for its time has said nothing.
  if (text === '') return { outcome: 'unanswered', reason: 'no answer in time', findings: [] };
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    return { outcome: 'failed', reason: 'npm printed no JSON', findings: [] };
  }
  if (told?.metadata?.vulnerabilities !== undefined) return readFindings(told, shippedPlaces);
  if (typeof told?.message === 'string')
    return { outcome: 'unanswered', reason: reasonOf(told), findings: [] };
  // Such as a lockfile that is missing: npm did not even ask.
  const reason = String(told?.error?.summary ?? 'npm gave no reason');
  return { outcome: 'failed', reason, findings: [] };
}

/** 1 for findings and for an audit that could not be made; for one that nobody answered only where that is asked for. */
export function auditExitCode(audits, { isStrict }) {
  const isBad = ({ outcome }) =>
    outcome === 'found' || outcome === 'failed' || (isStrict && outcome === 'unanswered');
  return audits.some(isBad) ? 1 : 0;
}

function readFindings({ vulnerabilities }, shippedPlaces) {
  const findings = Object.values(vulnerabilities).map(({ name, severity, via, nodes }) => {
    const reasons = via.map((each) =>
      typeof each === 'string' ? `needs ${each}` : `${each.title} (${each.range}) ${each.url}`,
    );
    const ships = nodes.some((place) => shippedPlaces.has(place));
    return `${severity}: ${name}${ships ? ', which we ship' : ''}: ${reasons.join('; ')}`;
  });
  return { outcome: findings.length === 0 ? 'clean' : 'found', findings };
}

function reasonOf({ statusCode, message }) {
  if (statusCode !== undefined) return `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trim();
  return /\bE[A-Z_]{3,20}\b/.exec(message)?.[0] ?? 'an answer that is none';
}
