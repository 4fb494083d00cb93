import { resolve } from 'node:path';
import { createPause } from '../../../base/concurrency.ts';
import { Failure, withFacts } from '../../../base/failure.ts';
import { formatCount } from '../../../base/wording.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import {
  plainColumns,
  type ReportLine,
  type ReportResult,
  type Result,
} from '../../../cli/command/result.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import { writeFiles } from '../../../engine/manifest/manifest-files.ts';
import { type Coverage, coverageOf, notReached } from '../cases/coverage.ts';
import type { CaseResult, MadeCase } from '../cases/run-case.ts';
import { formatCasesAsJunit, formatCasesAsTap } from '../cases/run-case.ts';
import { writeCases } from '../cases/write-cases.ts';
import { makeCalls, readCallAccount } from '../make-calls.ts';
import type { testArguments, testInitOptions, testOptions } from './commands.ts';

type TestInput = InputOf<typeof testOptions, typeof testArguments>;

export async function runCallTests(input: TestInput, context: Context): Promise<Result> {
  const least = parsePercentage(input.minCoverage);
  await refuseUnreadableFiles(context, [...input.cases, ...input.file]);
  if (input.explore !== undefined) return exploreCalls(input, context, input.explore);
  const { account, made } = await makeCalls(input, context);
  const coverage = coverageOf(
    account,
    made.map(({ call }) => call),
  );
  return reportOf(made, coverage, {
    least,
    nowMs: context.host.clock.now(),
    isAsked: input.coverage === true || least !== undefined,
  });
}

/** Throws `Failure` of kind `invalid` for an unreadable file, so that CI can distinguish it from a usage error. */
async function refuseUnreadableFiles({ host }: Context, named: readonly string[]): Promise<void> {
  for (const file of named) {
    const kind = file === '-' ? 'pipe' : host.files.kindOf(resolve(host.cwd, file));
    // A pipe can be read only once, so it is not checked here.
    if (kind === 'folder' || kind === 'pipe') continue;
    await readInput(host, file).catch((error: unknown) => {
      throw error instanceof Failure && error.kind === 'usage'
        ? withFacts(error, { kind: 'invalid' })
        : error;
    });
  }
}

function parsePercentage(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits] = /^(\d{1,3})%?$/.exec(text) ?? [];
  if (digits !== undefined && Number(digits) <= 100) return Number(digits);
  throw new Failure('usage', `--min-coverage must be a percentage such as 80%, not ${JSON.stringify(text)}.`);
}

/** Tries random calls, and reports those that reach no one. */
async function exploreCalls(input: TestInput, context: Context, count: number): Promise<Result> {
  const account = await readCallAccount(context, input);
  const { seed = 1 } = input;
  const { explore } = await import('../cases/explore.ts');
  const found = await explore(account, { count, seed, pause: createPause(context.host) });
  const { length } = found;
  const ends = length === 1 ? '1 ends' : `${length} ways to end`;
  const head = `${count.toLocaleString('en')} calls tried. ${length === 0 ? 'None ends' : ends} without an answer, in a loop or in an error${length === 0 ? '.' : ':'}`;
  return {
    kind: 'report',
    lines: [[{ text: head }], ...found.map(({ sentence }) => [{ text: `  ${sentence}` }])],
    value: { tried: count, seed, found: found.map((each) => ({ ...each })) },
    rows: found.map((each) => ({ ...each })),
    columns: [
      { header: 'NUMBER', paths: ['to'] },
      ...plainColumns('at', 'ends'),
      { header: 'WHY', paths: ['sentence'] },
    ],
    names: found.map(({ sentence }) => sentence),
    ...(length > 0 ? { exit: 'differences' } : {}),
  };
}

const missedAtMost = 6;

function reportOf(
  made: readonly MadeCase[],
  coverage: Coverage,
  { nowMs, least, isAsked }: { nowMs: number; least: number | undefined; isAsked: boolean },
): ReportResult {
  const results = made.map(({ result }) => result);
  const passed = results.filter(({ result }) => result === 'pass').length;
  const isTooLittle = least !== undefined && coverage.percent < least;
  const missed = notReached(coverage);
  const shown = isAsked ? missed : missed.slice(0, missedAtMost);
  const more = missed.length > shown.length ? `, and ${missed.length - shown.length} more (--coverage)` : '';
  const open = shown.length === 0 ? '' : ` Not reached by any case: ${shown.join(', ')}${more}.`;
  const share = `The cases reach ${coverage.percent}% of steps, branches and rules`;
  const lines: readonly ReportLine[] = [
    ...results.flatMap(formatCaseResult),
    [{ text: '' }],
    [{ text: `${passed} of ${results.length} pass.${isAsked ? '' : open}` }],
    ...(isAsked ? [[{ text: `${share}${isTooLittle ? `, less than ${least}%` : ''}.` }]] : []),
    ...(isAsked ? shown.map((what): ReportLine => [{ text: `  not reached: ${what}` }]) : []),
  ];
  return {
    kind: 'report',
    lines,
    value: {
      cases: results.map((one) => ({ ...one })),
      coverage: {
        percent: coverage.percent,
        steps: countReached(coverage.steps),
        branches: countReached(coverage.branches),
        rules: countReached(coverage.rules),
        not_reached: [...missed],
      },
    },
    rows: results.map((one) => ({ ...one })),
    columns: plainColumns('result', 'name', 'expected', 'got', 'why', 'file', 'line'),
    names: results.map(({ name }) => name),
    documents: {
      junit: () => formatCasesAsJunit(results),
      tap: () => formatCasesAsTap(results),
      html: async () =>
        (await import('../../../engine/html/report-pages.ts')).coveragePage({
          results,
          missed,
          flows: coverage.flows,
          percent: coverage.percent,
          when: new Date(nowMs).toISOString().slice(0, 16).replace('T', ' '),
        }),
    },
    ...(passed < results.length || isTooLittle ? { exit: 'differences' } : {}),
  };
}

const countReached = (all: Coverage['steps']) => ({
  reached: all.filter(({ reached }) => reached).length,
  of: all.length,
});

function formatCaseResult(one: CaseResult): readonly ReportLine[] {
  if (one.result === 'pass')
    return [{ sign: { text: 'ok   ', mark: 'good' }, text: one.name, right: one.got }];
  const place = one.line === null ? one.file : `${one.file}:${one.line}`;
  const isFailure = one.result === 'fail';
  const sign = isFailure
    ? ({ text: 'FAIL ', mark: 'bad' } as const)
    : ({ text: '?    ', mark: 'careful' } as const);
  return [
    { sign, text: one.name, right: place },
    [{ text: '        expected  ' }, { text: one.expected }],
    // Two parts, because consecutive blanks in one text are collapsed.
    [{ text: '        got' }, { text: '       ' }, { text: one.got }],
    ...(one.why === '' ? [] : [[{ text: `        ${one.why}` }]]),
  ];
}

/** Writes cases that expect the current behavior of calls. */
export async function writeFirstCases(
  input: InputOf<typeof testInitOptions>,
  context: Context,
): Promise<Result> {
  const { host } = context;
  const account = await readCallAccount(context, input);
  const text = writeCases(account, host.clock.now());
  const { out } = input;
  if (out === undefined) return { kind: 'document', text, isYaml: true };
  if (host.files.kindOf(resolve(host.cwd, out)) !== undefined)
    throw new Failure('refused', `${out} is there already. Nothing was written.`, {
      hint: 'Write another file with --out, or leave --out out and compare.',
    });
  if (context.options.dryRun) return { kind: 'done', message: `Would write ${out}. Nothing was written.` };
  writeFiles(host, [{ name: out, text }], { folder: undefined, secret: false });
  const count = text.match(/^ {2}- name:/gm)?.length ?? 0;
  return {
    kind: 'done',
    message: `Wrote ${formatCount(count, 'case')} to ${out}.`,
    value: { file: out, cases: count },
  };
}
