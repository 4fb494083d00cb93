/**
 * Mutates a copy of the source, one mutation at a time, and runs the tests that should notice.
 *
 * `npm run mutants [SUBJECT…]` tries the mutations listed in test/mutants. `--match TEXT` selects those whose description
 * contains TEXT. `--generated N` tries N generated mutations of each module instead, selected by `--seed`; `all` tries
 * every one. `--results FILE` appends each result to a file of JSON lines, and skips mutations that the file already has,
 * so an interrupted run can be continued. `--minutes M` stops after M minutes and assumes that the tests pass without a
 * mutation. Exits with code 1 if fewer than 90 % are noticed, except with `--minutes`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listedMutations } from '../test/mutants/listed-mutations.ts';
import { generateMutations, mutatedModules, nearbyTests, selectSample } from '../test/mutants/modules.ts';
import { applyEdit } from '../test/mutants/source-edit.ts';

const requiredShare = 0.9;
/** A mutation can make a test run forever. A test run that takes longer has noticed it. */
const timeLimitMs = 600_000;
/** Files that the tests read, in addition to the packages. */
const copiedFolders = [
  'src',
  'test',
  'scripts',
  'docs',
  'examples',
  'schemas',
  'completions',
  'bin',
  'dist',
  '.ci',
];
const copiedFiles = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'README.md', 'CHANGELOG.md'];

const { values, positionals } = parseArgs({
  options: {
    match: { type: 'string', default: '' },
    generated: { type: 'string' },
    seed: { type: 'string', default: '1' },
    results: { type: 'string' },
    minutes: { type: 'string' },
  },
  allowPositionals: true,
});
const isGenerated = values.generated !== undefined;
const known = Object.keys(isGenerated ? mutatedModules : listedMutations);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(', ')}. Use ${known.join(', ')}.`);
  process.exit(2);
}
const selected = positionals.length > 0 ? positionals : known;
const deadline =
  values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;

const copy = mkdtempSync(join(tmpdir(), 'telctl-mutants-'));
for (const name of [...copiedFolders, ...copiedFiles]) cpSync(name, join(copy, name), { recursive: true });
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

/** A mutation that can be tried: how it changes its file, and the tests that run, in order, until one fails. */
interface Trial {
  readonly name: string;
  readonly file: string;
  readonly change: (source: string) => string;
  readonly tests: readonly (readonly string[])[];
}

interface Result {
  readonly part: string;
  readonly name: string;
  readonly noticed: boolean;
}

/** Returns true if one of these tests fails. */
async function someTestFails(tests: readonly string[]): Promise<boolean> {
  if (tests.length === 0) return false;
  const child = spawn('vitest', ['run', '--project', 'telctl', '--bail', '1', ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: Math.max(1, Math.min(timeLimitMs, deadline - Date.now())),
  });
  const [code] = await once(child, 'close');
  return code !== 0;
}

async function isNoticed({ file, change, tests }: Trial): Promise<boolean> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, change(source));
  try {
    for (const group of tests) if (await someTestFails(group)) return true;
    return false;
  } finally {
    writeFileSync(path, source);
  }
}

function listedTrials(subject: string): readonly Trial[] {
  const { tests, mutations } = listedMutations[subject] ?? { tests: [], mutations: [] };
  return mutations
    .filter(({ what }) => what.includes(values.match))
    .map(({ what, file, text, replacement }) => ({
      name: `${what}  (${file})`,
      file,
      change: (source) => source.replace(text, () => replacement),
      tests: tests.map((test) => [test]),
    }));
}

/** Nearby tests run first, since they are fast and notice most mutations. */
function generatedTrials(module: string, count: number): readonly Trial[] {
  const ofSubject = mutatedModules[module]?.tests ?? [];
  return selectSample(generateMutations(module), count, Number(values.seed)).map(({ name, file, edit }) => {
    const near = nearbyTests(file);
    return {
      name,
      file,
      change: (source) => applyEdit(source, edit),
      tests: [near, ofSubject.filter((test) => !near.includes(test))],
    };
  });
}

const recorded = new Map<string, Result>(
  values.results === undefined || !existsSync(values.results)
    ? []
    : readFileSync(values.results, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Result)
        .map((result) => [result.name, result]),
);

/** Test groups that pass without a mutation. A group that fails anyway would notice every mutation. */
const passing = new Map<string, boolean>();
async function withoutFailingTests(trial: Trial): Promise<Trial> {
  if (values.minutes !== undefined) return trial;
  for (const group of trial.tests) {
    const key = group.join(' ');
    if (passing.has(key)) continue;
    passing.set(key, !(await someTestFails(group)));
    if (passing.get(key) === false) console.log(`Skipped, because they fail without a mutation: ${key}`);
  }
  return { ...trial, tests: trial.tests.filter((group) => passing.get(group.join(' '))) };
}

async function resultOf(part: string, trial: Trial): Promise<Result | undefined> {
  const known = recorded.get(trial.name);
  if (known !== undefined) return known;
  const noticed = await isNoticed(await withoutFailingTests(trial));
  if (Date.now() >= deadline) return undefined;
  const result = { part, name: trial.name, noticed };
  if (values.results !== undefined) appendFileSync(values.results, `${JSON.stringify(result)}\n`);
  console.log(`${noticed ? 'noticed' : 'MISSED '}  ${part}: ${trial.name}`);
  return result;
}

const share = (results: readonly Result[]): string => {
  const noticed = results.filter((result) => result.noticed).length;
  return `${noticed} of ${results.length}  ${Math.floor((100 * noticed) / Math.max(1, results.length))} %`;
};

const results: Result[] = [];
try {
  const count = values.generated === 'all' ? Number.POSITIVE_INFINITY : Number(values.generated);
  const order =
    values.minutes === undefined ? selected : selectSample(selected, selected.length, Number(values.seed));
  for (const part of order)
    for (const trial of isGenerated ? generatedTrials(part, count) : listedTrials(part)) {
      const result = Date.now() < deadline ? await resultOf(part, trial) : undefined;
      if (result) results.push(result);
    }
} finally {
  rmSync(copy, { recursive: true });
}
const missed = results.filter(({ noticed }) => !noticed);
const lines = [
  '',
  ...selected
    .map((part) => [part, results.filter((result) => result.part === part)] as const)
    .filter(([, ofPart]) => ofPart.length > 0)
    .map(([part, ofPart]) => `${part.padEnd(9)} ${share(ofPart)}`),
  `all       ${share(results)}`,
  ...(missed.length > 0 ? ['', 'Not noticed:', ...missed.map(({ name }) => name)] : []),
];
console.log(lines.join('\n'));
// The random sample of a timed run is only for reading.
if (values.minutes === undefined && missed.length > (1 - requiredShare) * results.length)
  process.exitCode = 1;
