// Prints "N passed, N failed, N skipped" from vitest's JSON reports; fails when a test failed or none ran.
// With --failed it prints the files with a failed test instead. A file in a later report replaces that file in
// the earlier ones, and what failed before and then passed is named.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const [mode] = process.argv.slice(2).filter((word) => word === '--failed');
const reports = process.argv
  .slice(2)
  .filter((word) => word !== '--failed')
  .map((file) => JSON.parse(readFileSync(file, 'utf8')));
const files = new Map();
for (const { testResults } of reports)
  for (const file of testResults) {
    const before = files.get(file.name);
    const failedBefore = before ? namesOf(before, 'failed') : [];
    for (const name of namesOf(file, 'passed').filter((passed) => failedBefore.includes(passed)))
      console.error(`Failed beside others and passed alone: ${name}`);
    files.set(file.name, file);
  }
const failedFiles = [...files.values()].filter(({ status }) => status === 'failed');

if (mode === '--failed') {
  for (const { name } of failedFiles) console.log(path.relative(process.cwd(), name));
} else {
  const count = (...statuses) =>
    [...files.values()].reduce((sum, file) => sum + namesOf(file, ...statuses).length, 0);
  const passed = count('passed');
  // A file that could not be loaded has no tests of its own to count as failed.
  const brokenFiles = failedFiles.filter(({ assertionResults }) => assertionResults.length === 0);
  const failed = count('failed') + brokenFiles.length;
  const skipped = count('skipped', 'pending', 'todo', 'disabled');
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

function namesOf({ assertionResults }, ...statuses) {
  return assertionResults
    .filter(({ status }) => statuses.includes(status))
    .map(({ fullName }) => fullName);
}
