/**
 * Prints a row for each library: lines of code per task, size of a Node.js bundle of all eight tasks in bytes, and
 * processor time of its import. Run `npm run build`, then `npm --prefix bench/libraries ci && node
 * bench/libraries/measure.mjs`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const telctl = join(folder, '../../dist/library/client.js');
const turns = 9;
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '').length;

async function bytesOf(entry, minify) {
  const options = { bundle: true, platform: 'node', format: 'esm', write: false, logLevel: 'error' };
  const { outputFiles } = await build({ ...options, entryPoints: [entry], minify, alias: { telctl } });
  return outputFiles[0].contents.length;
}

function importMs(name) {
  const program = `const before = process.cpuUsage(); await import('${name}');
    const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
  const line = ['--input-type=module', '--eval', program];
  const times = Array.from({ length: turns }, () =>
    Number(execFileSync(process.execPath, line, { cwd: folder })),
  );
  return times.toSorted((one, other) => one - other)[Math.floor(turns / 2)];
}

for (const name of ['telctl', 'stripe', 'auth0']) {
  const entry = join(folder, `${name}.mjs`);
  const [, ...tasks] = readFileSync(entry, 'utf8').split(/^\/\/ \d .*\n/m);
  const lines = tasks.map(linesOf);
  const sum = lines.reduce((all, each) => all + each, 0);
  const [bytes, minified] = [await bytesOf(entry, false), await bytesOf(entry, true)];
  console.log(
    `${name}: ${sum} lines (${lines.join(' ')}), ${bytes} bytes, ${minified} minified, ${Math.round(importMs(name === 'telctl' ? telctl : name))} ms`,
  );
}
