/**
 * Puts faults into a copy of the source, one at a time, and runs the tests that have to notice them: those of the table
 * in test/mutants (`npm run mutants [PART…]`, with `--match TEXT` for those whose words hold it; ends with 1 where less
 * than nine of ten are noticed), or with `--made N` as many of each room as are made from the source, chosen by `--seed`.
 * With `--minutes M` it ends after that time, and takes for granted that the tests pass without a fault.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withEdit } from '../test/mutants/edits.ts';
import type { Fault, Room } from '../test/mutants/fault.ts';
import { faultsOf, madeRooms, sampleOf, testsBeside } from '../test/mutants/made.ts';
import { rooms } from '../test/mutants/rooms.ts';

/** The share of faults that must be noticed. */
const enough = 0.9;
/** A fault may make a test run without an end; that is noticed as well. */
const patienceMs = 600_000;
/** Files that the tests read, beside the packages. */
const copied = ['src', 'test', 'scripts', 'docs', 'examples', 'schemas', 'completions', 'bin', 'dist', '.ci'];
const files = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'README.md', 'CHANGELOG.md'];

const { values, positionals } = parseArgs({
  options: {
    match: { type: 'string', default: '' },
    made: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
  },
  allowPositionals: true,
});
const known = Object.keys(values.made === undefined ? rooms : madeRooms);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}: ${known.join(', ')}.`);
  process.exit(2);
}
const chosen = positionals.length > 0 ? positionals : known;
const end =
  values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;

const copy = mkdtempSync(join(tmpdir(), 'telctl-mutants-'));
for (const name of [...copied, ...files]) cpSync(name, join(copy, name), { recursive: true });
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

/** Returns true when one of these tests fails. They get more time than usual: the machine may be busy. */
async function fails(tests: readonly string[]): Promise<boolean> {
  const patient = ['--testTimeout', '90000', '--hookTimeout', '90000'];
  const child = spawn('vitest', ['run', '--project', 'telctl', '--bail', '1', ...patient, ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: Math.max(1, Math.min(patienceMs, end - Date.now())),
  });
  const [code] = await once(child, 'close');
  return code !== 0;
}

/** Does something while a file of the copy is changed. */
async function withFault<T>(
  file: string,
  change: (source: string) => string,
  act: () => Promise<T>,
): Promise<T> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, change(source));
  try {
    return await act();
  } finally {
    writeFileSync(path, source);
  }
}

/** Orders the tests of a part, quickest first, since most faults are found by those. Throws where one fails without a fault. */
async function inOrder(part: string, tests: readonly string[]): Promise<readonly string[]> {
  const timed: { readonly test: string; readonly ms: number }[] = [];
  for (const test of tests) {
    const start = performance.now();
    if (await fails([test])) throw new Error(`${test} of ${part} fails without any fault.`);
    timed.push({ test, ms: performance.now() - start });
  }
  return timed.toSorted((one, other) => one.ms - other.ms).map(({ test }) => test);
}

/** Returns true when one of the tests fails; those after it are not run. */
const isNoticed = ({ file, text, instead }: Fault, tests: readonly string[]): Promise<boolean> => {
  const change = (source: string): string => {
    if (source.split(text).length !== 2) throw new Error(`${file} has not this text once: ${text}`);
    return source.replace(text, () => instead);
  };
  return withFault(file, change, async () => {
    for (const test of tests) if (await fails([test])) return true;
    return false;
  });
};

const percent = (part: number, whole: number): string => `${Math.floor((100 * part) / Math.max(1, whole))} %`;

const counts = { noticed: 0, all: 0 };
const lines: string[] = [];
const survivors: string[] = [];

/** Counts what was found out about the faults of a part, and says it. */
function tell(part: string, trials: readonly { readonly name: string; readonly noticed: boolean }[]): void {
  const missed = trials.filter(({ noticed }) => !noticed);
  const noticed = trials.length - missed.length;
  lines.push(`${part.padEnd(9)} ${noticed} of ${trials.length}  ${percent(noticed, trials.length)}`);
  survivors.push(...missed.map(({ name }) => name));
  counts.noticed += noticed;
  counts.all += trials.length;
}

/** Says one result at once: a run takes long. */
function told(part: string, name: string, noticed: boolean) {
  console.log(`${noticed ? 'noticed' : 'MISSED '}  ${part}: ${name}`);
  return { name, noticed };
}

/** Tries the faults of the table. */
async function tryTable(part: string, { tests, faults }: Room): Promise<void> {
  const meant = faults.filter(({ what }) => what.includes(values.match));
  if (meant.length === 0) return;
  const ordered = await inOrder(part, tests);
  const trials = [];
  for (const fault of meant)
    trials.push(told(part, `${fault.what}  (${fault.file})`, await isNoticed(fault, ordered)));
  tell(part, trials);
}

/** Returns the tests that pass without a fault, and names the others. */
async function passing(tests: readonly string[]): Promise<readonly string[]> {
  if (!(await fails(tests))) return tests;
  const passed: string[] = [];
  for (const test of tests) {
    if (await fails([test])) console.log(`${test} fails without any fault: it is left out.`);
    else passed.push(test);
  }
  return passed;
}

/** Tries some of the faults that are made from the source of a room. */
async function tryMade(room: string, count: number): Promise<void> {
  const ready = new Map<string, readonly string[]>();
  const trials = [];
  for (const { file, name, edit } of sampleOf(faultsOf(room), count, Number(values.seed))) {
    const beside = [...new Set([...testsBeside(file), ...(madeRooms[room]?.tests ?? [])])];
    const key = beside.join(' ');
    const tests = ready.get(key) ?? (values.minutes === undefined ? await passing(beside) : beside);
    ready.set(key, tests);
    const noticed = await withFault(
      file,
      (source) => withEdit(source, edit),
      () => fails(tests),
    );
    if (Date.now() >= end) break;
    trials.push(told(room, name, noticed));
  }
  if (trials.length > 0) tell(room, trials);
}

try {
  if (values.made === undefined)
    for (const [name, room] of Object.entries(rooms)) if (chosen.includes(name)) await tryTable(name, room);
  const order = values.minutes === undefined ? chosen : sampleOf(chosen, chosen.length, Number(values.seed));
  for (const room of values.made === undefined ? [] : order)
    if (Date.now() < end) await tryMade(room, Number(values.made));
} finally {
  rmSync(copy, { recursive: true });
}
const all = `all       ${counts.noticed} of ${counts.all}  ${percent(counts.noticed, counts.all)}`;
const left = survivors.length === 0 ? [] : ['', 'Not noticed:', ...survivors];
console.log(['', ...lines, all, ...left].join('\n'));
// A random handful is for reading: it fails nothing.
if (values.minutes === undefined && counts.noticed < enough * counts.all) process.exitCode = 1;
