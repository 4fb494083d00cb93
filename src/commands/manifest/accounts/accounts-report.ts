import { Failure } from '../../../base/failure.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { counted, oneLine } from '../../../base/wording.ts';
import type { ReportResult, Span } from '../../../command/result.ts';
import type { ChosenAccount } from '../../choose-accounts.ts';
import type { AccountEnd } from '../../over-accounts.ts';

/** State of one account, in the words of the table. */
export type AccountState = 'to change' | 'done' | 'unchanged' | 'failed' | 'not begun';

/** One line of the table of accounts. */
export interface AccountLine {
  readonly account: ChosenAccount;
  /** As the service calls it, where it was asked. */
  readonly name?: string | undefined;
  readonly state: AccountState;
  /** By the words of the columns. */
  readonly counts: Readonly<Record<string, number>>;
  readonly failure?: Failure | undefined;
  /** Number of the run in the log. */
  readonly run?: string | undefined;
}

const marks: Readonly<Record<AccountState, Span['mark']>> = {
  'to change': 'careful',
  done: 'good',
  unchanged: 'dim',
  failed: 'bad',
  'not begun': 'careful',
};
const states: readonly AccountState[] = ['to change', 'done', 'unchanged', 'failed', 'not begun'];
/** The table of accounts: a line each, then how many there are of each state. */
export function accountsReport(lines: readonly AccountLine[], columns: readonly string[]): ReportResult {
  const rows = lines.map(asRow);
  return {
    kind: 'report',
    lines: [...tableOf(lines, columns), [], [{ text: summaryOf(lines) }]],
    value: { version: 1, accounts: rows, counts: Object.fromEntries(countsOf(lines)) },
    rows,
    columns: [
      'account',
      'name',
      'id',
      'state',
      ...columns.map((word) => `counts.${word}`),
      'error.message',
    ].map((path) => ({ header: path.replace(/^.*\./, '').toUpperCase(), paths: [path] })),
    names: lines.map(({ account }) => account.word),
    markdown: markdownOf(lines, columns),
  };
}

function asRow({ account, name, state, counts, failure, run }: AccountLine): JsonObject {
  return {
    account: account.word,
    id: account.id,
    name: name ?? null,
    state: state.replace(' ', '_'),
    counts: { ...counts },
    run: run ?? null,
    ...(failure === undefined ? {} : { error: errorJson(failure) }),
  };
}

const errorJson = ({ kind, message, requestId }: Failure): Json => ({
  kind,
  message,
  ...(requestId === undefined ? {} : { request_id: requestId }),
});

const labelOf = ({ account, name }: AccountLine): string => name ?? account.word;

function tableOf(lines: readonly AccountLine[], columns: readonly string[]): ReportResult['lines'] {
  const cells = lines.map((line) => [
    labelOf(line),
    line.state,
    ...columns.map((word) => String(line.counts[word] ?? '')),
  ]);
  const head = ['ACCOUNT', 'STATE', ...columns.map((word) => word.toUpperCase())];
  const widths = head.map((word, index) =>
    Math.max(word.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const padded = (text: string, index: number): string =>
    index < 2 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0);
  return [
    [{ text: head.map(padded).join('  ').trimEnd(), mark: 'dim' }],
    ...cells.map((row, at): readonly Span[] => {
      const line = lines[at];
      const why = line?.failure === undefined ? '' : `  ${line.failure.message}`;
      const [label = '', state = '', ...counts] = row.map(padded);
      return [
        { text: `${label}  ` },
        { text: state, mark: line && marks[line.state] },
        { text: `  ${counts.join('  ')}${why}`.trimEnd() },
      ].map(({ text, mark }) => (mark === undefined ? { text } : { text, mark }));
    }),
  ];
}

const countsOf = (lines: readonly AccountLine[]): readonly (readonly [string, number])[] =>
  states.map(
    (state) => [state.replace(' ', '_'), lines.filter((line) => line.state === state).length] as const,
  );

const summaryOf = (lines: readonly AccountLine[]): string => {
  const counts = countsOf(lines).flatMap(([state, count]) =>
    count === 0 ? [] : [`${count} ${state.replace('_', ' ')}`],
  );
  return `${counted(lines.length, 'account')}: ${counts.join(', ')}`;
};

const cell = (text: string): string => oneLine(text).replaceAll(/[\\`*_{}[\]<>#|~!]/g, '\\$&');

function markdownOf(lines: readonly AccountLine[], columns: readonly string[]): string {
  const head = ['Account', 'State', ...columns, 'Why'];
  const rows = lines.map((line) => [
    cell(labelOf(line)),
    line.state,
    ...columns.map((word) => String(line.counts[word] ?? '')),
    cell(line.failure?.message ?? ''),
  ]);
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return `${[...table, '', summaryOf(lines)].join('\n')}\n`;
}

/**
 * Returns the reason why not all accounts are done: the kind that all failures share if nothing was done, otherwise
 * `partial`. `undefined` if all are.
 */
export function accountsFailure(lines: readonly AccountLine[], hint: string): Failure | undefined {
  const failures = lines.flatMap(({ failure }) => failure ?? []);
  const left = lines.filter(({ state }) => state === 'not begun');
  const isDone = lines.some(({ state }) => state !== 'failed' && state !== 'not begun');
  if (failures.length === 0 && left.length === 0) return undefined;
  const [first] = failures;
  const isOne = failures.every(({ kind }) => kind === first?.kind);
  const interrupted = failures.some(({ kind }) => kind === 'interrupted');
  const kind = interrupted ? 'interrupted' : first && isOne && !isDone ? first.kind : 'partial';
  const count = (number: number, of: string): readonly string[] => (number === 0 ? [] : [`${number} ${of}`]);
  const text = [...count(failures.length, 'failed'), ...count(left.length, 'not begun')].join(', ');
  return new Failure(kind, `Of ${counted(lines.length, 'account')} ${text}.`, {
    hint,
    details: {
      accounts: lines.flatMap(({ account, failure }) =>
        failure === undefined
          ? []
          : [{ account: account.word, id: account.id, ...Object(errorJson(failure)) }],
      ),
    },
  });
}

/** The line of an account for which the work did not come to a result. */
export function lineWithout<T>(end: Exclude<AccountEnd<T>, { readonly state: 'done' }>): AccountLine {
  const { account } = end;
  return end.state === 'failed'
    ? { account, state: 'failed', counts: {}, failure: end.failure }
    : { account, state: 'not begun', counts: {} };
}
