/**
 * Puts each fault of test/mutants into a copy of the source and runs the tests of its part: `npm run mutants [PART…]`,
 * with `--match TEXT` for those whose words hold it. Ends with 1 where less than nine of ten are noticed. Takes long:
 * it is no part of what CI runs, which looks at the faults' places alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Fault } from '../test/mutants/fault.ts';
import { rooms } from '../test/mutants/rooms.ts';

/** The share of faults that must be noticed. */
const enough = 0.9;
/** A fault may make a test run without an end; that is noticed as well. */
const patienceMs = 600_000;
/** Files that the tests read, beside the packages. */
const copied = ['src', 'test', 'scripts', 'docs', 'examples', 'schemas', 'completions', 'bin', 'dist', '.ci'];
const files = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'README.md', 'CHANGELOG.md'];

const { values, positionals } = parseArgs({ options: { match: { type: 'string' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(rooms, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}: ${Object.keys(rooms).join(', ')}.`);
  process.exit(2);
}

const copy = mkdtempSync(join(tmpdir(), 'telctl-mutants-'));
for (const name of [...copied, ...files]) cpSync(name, join(copy, name), { recursive: true });
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

/** Returns true when the tests of a file or folder fail. They get more time than usual: the machine may be busy. */
async function fails(test: string): Promise<boolean> {
  const patient = ['--testTimeout', '90000', '--hookTimeout', '90000'];
  const child = spawn('vitest', ['run', '--project', 'telctl', '--bail', '1', ...patient, test], {
    cwd: copy,
    stdio: 'ignore',
    timeout: patienceMs,
  });
  const [code] = await once(child, 'close');
  return code !== 0;
}

/** Orders the tests of a part, quickest first, since most faults are found by those. Throws where one fails without a fault. */
async function inOrder(part: string, tests: readonly string[]): Promise<readonly string[]> {
  const timed: { readonly test: string; readonly ms: number }[] = [];
  for (const test of tests) {
    const start = performance.now();
    if (await fails(test)) throw new Error(`${test} of ${part} fails without any fault.`);
    timed.push({ test, ms: performance.now() - start });
  }
  return timed.toSorted((one, other) => one.ms - other.ms).map(({ test }) => test);
}

/** Returns true when one of the tests fails; those after it are not run. */
async function isNoticed({ file, text, instead }: Fault, tests: readonly string[]): Promise<boolean> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(text).length !== 2) throw new Error(`${file} has not this text once: ${text}`);
  writeFileSync(
    path,
    source.replace(text, () => instead),
  );
  try {
    for (const test of tests) if (await fails(test)) return true;
    return false;
  } finally {
    writeFileSync(path, source);
  }
}

const percent = (part: number, whole: number): string => `${Math.floor((100 * part) / Math.max(1, whole))} %`;

const counts = { noticed: 0, all: 0 };
const lines: string[] = [];
try {
  for (const [name, { tests, faults }] of Object.entries(rooms)) {
    const meant = faults.filter(({ what }) => what.includes(values.match ?? ''));
    if (meant.length === 0 || (positionals.length > 0 && !positionals.includes(name))) continue;
    const ordered = await inOrder(name, tests);
    let noticed = 0;
    for (const fault of meant) {
      const found = await isNoticed(fault, ordered);
      if (found) noticed += 1;
      console.log(
        `${found ? 'noticed' : 'MISSED '}  ${name}: ${fault.what}${found ? '' : `  (${fault.file})`}`,
      );
    }
    lines.push(`${name.padEnd(9)} ${noticed} of ${meant.length}  ${percent(noticed, meant.length)}`);
    counts.noticed += noticed;
    counts.all += meant.length;
  }
} finally {
  rmSync(copy, { recursive: true });
}
console.log(
  ['', ...lines, `all       ${counts.noticed} of ${counts.all}  ${percent(counts.noticed, counts.all)}`].join(
    '\n',
  ),
);
if (counts.noticed < enough * counts.all) process.exitCode = 1;
