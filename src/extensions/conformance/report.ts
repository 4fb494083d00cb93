import { nextStep } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { formatCount } from '../../base/wording.ts';
import type { ReportLine, ReportResult, Span } from '../../cli/command/result.ts';
import { behaviours } from '../../client/session/learned-facts.ts';
import type { StatementSource } from '../../contract/types.ts';
import type { Behaviours, ChangeBehaviours } from './behaviours.ts';
import { isOtherService, isSupported, type OperationFinding, type OperationResult } from './judge.ts';
import { type ObservedRateLimit, rateText } from './replies.ts';

export type CommandNames = ReadonlyMap<string, string>;

export interface ConformanceReport {
  readonly service: string;
  /** The signed-in user, such as `admin of acme`. */
  readonly speaker: string;
  readonly accountId: string;
  readonly checkedAt: string;
  /** The program, such as `telctl/1.0.0`. */
  readonly checkedBy: string;
  readonly wrote: boolean;
  readonly findings: readonly OperationFinding[];
  /** Behaviors detected by writes. Empty without writes. */
  readonly habits: Behaviours;
  /** Differences in updates. `undefined` without writes. */
  readonly changes: ChangeBehaviours | undefined;
  readonly rateLimit: ObservedRateLimit;
  readonly commands: CommandNames;
}

/** Formats the report: a summary, and a line for each different operation, or for all. */
export function conformanceReport(
  report: ConformanceReport,
  { all }: { readonly all: boolean },
): ReportResult {
  const rows = report.findings.map((finding) => findingRow(finding, report.commands));
  const shown = report.findings.filter((finding) => all || differs(finding));
  return {
    kind: 'report',
    lines: [
      ...formatSummary(report),
      ...afterBlankLine(shown.map((each) => formatFinding(each, report))),
      ...afterBlankLine([...behaviours].flatMap(([name, text]) => habitLine(text, report.habits[name]))),
      ...changeLines('Refuse the current revision of the record', report.changes?.refusesTags),
      ...changeLines('Merge top-level fields only', report.changes?.mergesOneLevel),
    ],
    value: {
      version: 1,
      service: report.service,
      account_id: report.accountId,
      checked_at: report.checkedAt,
      checked_by: report.checkedBy,
      wrote: report.wrote,
      operations: rows,
      rate_limit: { ...report.rateLimit },
      habits: Object.fromEntries([...behaviours.keys()].map((name) => [name, report.habits[name] ?? null])),
      refuses_tags: report.changes?.refusesTags ?? null,
      merges_one_level: report.changes?.mergesOneLevel ?? null,
    },
    rows,
    columns: ['id', 'method', 'path', 'source', 'result', 'note', 'consequence'].map((path) => ({
      header: path.toUpperCase(),
      paths: [path],
    })),
    names: report.findings.map(({ operation }) => operation.id),
  };
}

const afterBlankLine = (lines: readonly ReportLine[]): readonly ReportLine[] =>
  lines.length === 0 ? [] : [[], ...lines];

const habitLine = (text: string, is: boolean | undefined): readonly ReportLine[] =>
  is === undefined ? [] : [{ text, right: is ? 'yes' : 'no' }];

const changeLines = (text: string, ids: readonly string[] = []): readonly ReportLine[] =>
  ids.length === 0 ? [] : [{ text, right: ids.join(', ') }];

const differs = ({ result }: OperationFinding): boolean =>
  result !== 'as-documented' && result !== 'not-tried';

function findingRow(finding: OperationFinding, commands: CommandNames): JsonObject {
  const { id, method, path, source } = finding.operation;
  const { result, note } = finding;
  return { id, method, path, source, result, note, consequence: describeConsequence(finding, commands) };
}

/** Describes how telctl handles a finding. Empty if it needs no handling. */
function describeConsequence({ operation, result, taken }: OperationFinding, commands: CommandNames): string {
  const command = commands.get(operation.id);
  switch (result) {
    case 'other-shape':
      if (taken === 'taken') return 'telctl accepts it';
      return command === undefined ? 'telctl cannot read it' : `${command} cannot read it`;
    case 'not-offered':
      return command === undefined
        ? 'telctl does not need it'
        : `${command} will report that it is not supported`;
    case 'as-documented':
    case 'not-tried':
    case 'failed':
      return '';
  }
}

const marks: Readonly<Record<OperationResult, Span['mark']>> = {
  'as-documented': 'good',
  'other-shape': 'careful',
  'not-offered': 'careful',
  'not-tried': 'dim',
  failed: 'bad',
};

function formatFinding(finding: OperationFinding, { commands }: ConformanceReport): ReportLine {
  const { operation, result, note } = finding;
  const why = [note, describeConsequence(finding, commands)].filter((part) => part !== '').join('; ');
  return {
    text: operation.id,
    right: why === '' ? result : `${result}: ${why}`,
    mark: marks[result],
    folds: true,
  };
}

function formatSummary(report: ConformanceReport): readonly ReportLine[] {
  const { findings, service, speaker, rateLimit, wrote } = report;
  const read = findings.filter(({ operation }) => operation.method === 'GET');
  const written = findings.filter(({ operation }) => operation.method !== 'GET');
  const documented = findingsBySource(read, 'specification');
  const beyond = findingsBySource(read, 'convention');
  const well = documented.filter(({ result }) => result === 'as-documented');
  return [
    [
      {
        text: `${service} as ${speaker}: ${well.length} of ${formatCount(documented.length, 'documented read')} behave as documented.`,
      },
    ],
    ...groupLines(documented),
    [{ text: writesText(written, wrote) }],
    [
      {
        text: `${beyond.filter(isSupported).length} of ${formatCount(beyond.length, 'read')} that are not documented are supported. ${rateText(rateLimit)}`,
      },
    ],
    [{ text: isOtherService(findings) ? foreign : describeHandling(findings) }],
  ];
}

const foreign = `This does not look like a compatible service. Check the address: ${nextStep`config explain`}`;

const findingsBySource = (
  findings: readonly OperationFinding[],
  source: StatementSource,
): readonly OperationFinding[] => findings.filter(({ operation }) => operation.source === source);

/** Texts about documented reads with differences. */
const groups: readonly (readonly [result: OperationResult, one: string, many: string])[] = [
  ['other-shape', 'responds in another format', 'respond in another format'],
  ['not-offered', 'is not supported', 'are not supported'],
  ['failed', 'failed', 'failed'],
  ['not-tried', 'was not tried', 'were not tried'],
];

function groupLines(findings: readonly OperationFinding[]): readonly ReportLine[] {
  return groups.flatMap(([wanted, one, many]): readonly ReportLine[] => {
    const those = findings.filter(({ result }) => result === wanted);
    if (those.length === 0) return [];
    const named = those.map(({ operation, note }) =>
      wanted === 'other-shape' ? `${operation.id} (${note})` : operation.id,
    );
    const text = `${those.length} ${those.length === 1 ? one : many}`;
    return [{ text, right: named.join(', '), folds: true }];
  });
}

function writesText(written: readonly OperationFinding[], wrote: boolean): string {
  const documented = findingsBySource(written, 'specification');
  if (!wrote)
    return `Not tried: ${formatCount(documented.length, 'writing operation')}. To try ${documented.length === 1 ? 'it' : 'them'} in a temporary sub-account, use --write.`;
  const tried = documented.filter(({ result }) => result !== 'not-tried');
  const [opened] = written.filter(({ operation }) => operation.id === 'accounts.create');
  if (tried.length === 0)
    return `Writes were not tried, because the temporary account could not be created (${opened?.note || 'no id in the reply'}).`;
  const well = tried.filter(({ result }) => result === 'as-documented');
  const beyond = findingsBySource(written, 'convention').filter(({ result }) => result !== 'not-tried');
  return `Documented writes: ${well.length} of ${tried.length} behave as documented. Undocumented: ${beyond.filter(isSupported).length} of ${beyond.length} available.`;
}

function describeHandling(findings: readonly OperationFinding[]): string {
  const others = findings.filter(({ result }) => result === 'other-shape');
  const lost = others.filter(({ taken }) => taken === 'not-taken').length;
  const shapes =
    others.length === 0
      ? []
      : [
          lost === 0
            ? 'telctl accepts the other formats'
            : `telctl accepts ${others.length - lost} of ${formatCount(others.length, 'other format')}`,
        ];
  const missing = findings.some(({ result }) => result === 'not-offered')
    ? ['commands that need missing operations report it']
    : [];
  const parts = [...shapes, ...missing];
  if (parts.length === 0) return 'All replies are as documented.';
  const text = `${parts.join('; ')}.`;
  return text.startsWith('telctl') ? text : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
