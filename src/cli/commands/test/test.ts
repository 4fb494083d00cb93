import { Failure } from '../../../base/failure.ts';
import { coverageOf } from '../../../engine/call-tests/coverage.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { markdownCode } from '../labels.ts';
import { makeCalls } from '../make-calls.ts';
import { readCallAccount } from '../read-calls.ts';
import type { testArguments, testOptions } from './commands.ts';
import { reportOf } from './test-report.ts';

type TestInput = InputOf<typeof testOptions, typeof testArguments>;

/** Handler of `telctl test`. */
export async function testCalls(input: TestInput, context: Context): Promise<Result> {
  const least = shareOf(input.minCoverage);
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

function shareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits] = /^(\d{1,3})%?$/.exec(text) ?? [];
  if (digits !== undefined && Number(digits) <= 100) return Number(digits);
  throw new Failure('usage', `--min-coverage takes a share such as 80%, not ${JSON.stringify(text)}.`);
}

/** Tries random calls, and reports those that nobody takes. */
async function exploreCalls(input: TestInput, context: Context, count: number): Promise<Result> {
  const account = await readCallAccount(context, input);
  const { seed = 1 } = input;
  const { explore } = await import('../../../engine/call-tests/explore.ts');
  const found = explore(account, { count, seed });
  const { length } = found;
  const ends = length === 1 ? '1 ends' : `${length} ways to end`;
  const head = `${count.toLocaleString('en')} calls tried. ${length === 0 ? 'None ends' : ends} at nobody, in a loop or in an error${length === 0 ? '.' : ':'}`;
  return {
    kind: 'report',
    lines: [[{ text: head }], ...found.map(({ sentence }) => [{ text: `  ${sentence}` }])],
    value: { tried: count, seed, found: found.map((each) => ({ ...each })) },
    rows: found.map((each) => ({ ...each })),
    columns: [
      { header: 'NUMBER', paths: ['to'] },
      { header: 'AT', paths: ['at'] },
      { header: 'ENDS', paths: ['ends'] },
      { header: 'WHY', paths: ['sentence'] },
    ],
    names: found.map(({ sentence }) => sentence),
    markdown: `### ${head}\n${found.map(({ sentence }) => `\n- ${markdownCode(sentence)}`).join('')}\n`,
    ...(length > 0 ? { exit: 'differences' } : {}),
  };
}
