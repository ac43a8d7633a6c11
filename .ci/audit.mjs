/**
 * `node .ci/audit.mjs`: known faults of what Enlarger is built from, by `npm audit`. One that does not concern it stands
 * in audit-accepted.json with the reason; any other ends this with exit code 1. Where the registry cannot be asked
 * (no network, a mirror without that call) this says so and ends with 0, because nothing was found out.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The findings of a report that are not accepted; undefined when it is none.
 *
 * @param {{ vulnerabilities?: Record<string, { via: (string | { url: string, title: string, severity: string })[] }> }} report
 * @param {Record<string, string>} accepted the reason for each advisory's address
 */
export function newFindings(report, accepted) {
  if (report.vulnerabilities === undefined) return undefined;
  const found = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.filter((one) => typeof one === 'object').map((one) => ({ name, ...one })),
  );
  return found.filter(({ url }) => !(url in accepted));
}

function audit() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return new Promise((resolve) => {
    execFile(npm, ['audit', '--json'], { maxBuffer: 1 << 26 }, (_error, stdout) => resolve(stdout));
  });
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function run() {
  const file = path.join(import.meta.dirname, 'audit-accepted.json');
  const accepted = JSON.parse(readFileSync(file, 'utf8'));
  const report = read(await audit());
  const found = newFindings(report, accepted);
  if (found === undefined) {
    const why = report.error?.summary || report.message || 'no answer';
    console.log(
      `The registry could not be asked about known faults (${why}): nothing was found out.`,
    );
    return;
  }
  for (const { name, severity, title, url } of found)
    console.log(`${name}: ${severity}: ${title} (${url})`);
  console.log(
    `${found.length} findings that are not accepted, ${Object.keys(accepted).length} accepted.`,
  );
  if (found.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run();
