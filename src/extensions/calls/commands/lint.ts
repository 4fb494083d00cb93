import { Failure } from '../../../base/failure.ts';
import { type JsonObject, textsIn } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean, formatCount } from '../../../base/wording.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { ListResult } from '../../../cli/command/result.ts';
import { readFlows } from '../../../cli/commands/callflows/read-flows.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { type Finding, type LintRule, lintRules } from '../../../engine/callflows/finding.ts';
import type { Callflow, FlowSet } from '../../../engine/callflows/flow-set.ts';
import type { Problem } from '../../../engine/input/document.ts';
import { formatJunit, formatSarif } from '../../../engine/input/notations.ts';
import { lint } from '../lint/lint.ts';
import type { lintArguments, lintOptions } from './callflows.ts';

export async function lintCallflows(
  input: InputOf<typeof lintOptions, typeof lintArguments>,
  context: Context,
): Promise<ListResult> {
  const disabled = new Set(input.disable.map(parseRule));
  const { sets, isWhole, trouble } = await readFlows(
    context,
    input,
    [
      ...([
        'temporal_rules',
        'temporal_rules_sets',
        'menus',
        'users',
        'devices',
        'groups',
        'vmboxes',
        'conferences',
      ] as const),
      ...(['account_settings', 'limits'] as const),
    ],
    true,
  );
  const told = new Set(trouble?.problems.map(problemPlace));
  const chosen = input.callflows.length === 0 ? undefined : chooseFlows(sets, input.callflows);
  const findings = sets
    .flatMap((set) => lint(set, disabled))
    .filter(({ callflow }) => chosen?.has(callflow) ?? true)
    // Lint cannot see unreadable records, and would report them as missing.
    .filter(({ callflow, field, message }) => {
      const problem = callflow.problem?.(field, message);
      return problem === undefined || !told.has(problemPlace(problem));
    });
  const count = chosen?.size ?? sets.reduce((sum, { callflows }) => sum + callflows.length, 0);
  const names = sets.flatMap(({ callflows }) =>
    callflows.filter((each) => chosen?.has(each) ?? true).map(({ name }) => name),
  );
  const bad = findings.some(({ level }) => level === 'error' || input.strict === true);
  return {
    kind: 'list',
    items: findings.map(findingRow),
    noun: 'findings',
    among: `in ${formatCount(count, 'callflow')}`,
    columns: [
      { header: 'CALLFLOW', paths: ['callflow'] },
      { header: 'WHERE', paths: ['path'], show: 'sentence' },
      { header: 'PLACE', paths: ['place'], show: 'sentence', sparse: true },
      { header: 'LEVEL', paths: ['level'], show: 'sentence' },
      { header: 'RULE', paths: ['rule'], show: 'sentence' },
      { header: 'FINDING', paths: ['message'], show: 'sentence' },
    ],
    documents: {
      sarif: () => formatSarif(findings.map(findingRecord), docs),
      junit: () => formatJunit('telctl callflows lint', names, findings.map(findingRecord)),
    },
    ...(trouble ? { failure: trouble.failure } : {}),
    ...(bad ? { exit: 'invalid' } : isWhole ? {} : { exit: 'partial' }),
  };
}

const docs = Object.fromEntries(Object.entries(lintRules).map(([rule, { doc }]) => [rule, doc]));

function findingRecord({ rule, level, callflow, path, field, message }: Finding) {
  const problem = callflow.problem?.(field, message);
  const { file, line, column } = problem ?? {};
  return {
    rule,
    level,
    of: callflow.name,
    message: `${callflow.name} ${path}: ${message}`,
    file,
    line,
    column,
  };
}

const problemPlace = ({ file, line }: Problem): string => `${file}:${line ?? ''}`;

function chooseFlows(sets: readonly FlowSet[], words: readonly string[]): ReadonlySet<Callflow> {
  const all = sets.flatMap(({ callflows }) => callflows);
  const found = words.map((word) => {
    const named = all.filter(
      ({ id, name, record }) =>
        id === word || name === word || textsIn(record.numbers).includes(normalisedNumber(word)),
    );
    if (named.length > 0) return named;
    const near = findNearest(
      word,
      all.map(({ name }) => name),
    );
    throw new Failure('not_found', `Callflow ${JSON.stringify(word)} not found.${didYouMean(near)}`);
  });
  return new Set(found.flat());
}

function parseRule(word: string): LintRule {
  const rules = Object.keys(lintRules) as LintRule[];
  const found = rules.find((rule) => rule === word);
  if (found) return found;
  const near = findNearest(word, rules);
  throw new Failure('usage', `--disable must be a lint rule, not ${JSON.stringify(word)}.`, {
    hint: near === undefined ? `Rules: ${rules.join(', ')}` : `Did you mean ${near}?`,
  });
}

function findingRow({ callflow, path, field, level, rule, message }: Finding): JsonObject {
  const problem = callflow.problem?.(field, message);
  const where =
    problem === undefined
      ? {}
      : {
          place: problem.place,
          file: problem.file,
          ...(problem.line === undefined ? {} : { line: problem.line, column: problem.column }),
        };
  return { callflow: callflow.name, callflow_id: callflow.id, path, ...where, level, rule, message };
}
