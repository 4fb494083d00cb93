import { createHint, Failure, type NextStep, nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject, objectsIn } from '../../../base/json.ts';
import { toLines } from '../../../base/wording.ts';
import { formatDay, parseDay } from '../../../base/zoned-time.ts';
import { temporal_rules } from '../../../contract/resources/temporal-rules.ts';
import { optionFields } from '../../../contract/schema.ts';
import { nightHours, readDays, shortWeekdays } from '../../../contract/temporal-lines.ts';
import type { Command, Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { dryRunResult } from '../change.ts';
import { readInputRecords } from '../generic/input.ts';
import { fieldFlag } from '../generic/input-options.ts';
import { operationFor } from '../records/find-named.ts';

/** Returns the days after those of `--days`, or `undefined` if they differ between months. */
function daysAfter(text: string): string | undefined {
  const { wdays, days } = readDays(text, '--days');
  if (Array.isArray(days))
    return days.every((day) => Number(day) < 28) ? days.map((day) => Number(day) + 1).join(',') : undefined;
  const names = shortWeekdays(Array.isArray(wdays) ? wdays.map(String) : []);
  const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  return names.map((name) => week[(week.indexOf(name) + 1) % 7] ?? name).join(',');
}

function inputAfterMidnight(input: ParsedInput, until: string): ParsedInput | undefined {
  const { lineOfDays: days, start_date: start } = input;
  const morning = { ...input, name: `${String(input.name)} (morning)`, lineOfHours: `00:00-${until}` };
  const startDay = parseDay(String(start ?? ''));
  const moved = startDay === undefined ? morning : { ...morning, start_date: formatDay(startDay + 1) };
  if (typeof days === 'string') {
    const after = daysAfter(days);
    return after === undefined || input.ordinal !== undefined ? undefined : { ...moved, lineOfDays: after };
  }
  return input.month === undefined && input.ordinal === undefined ? moved : undefined;
}

function createLine(input: ParsedInput): NextStep {
  const fields = optionFields(temporal_rules).flatMap((each) => {
    const value = input[each.field];
    return value === undefined ? [] : [`--${fieldFlag(temporal_rules, each)}`, String(value)];
  });
  const days = typeof input.lineOfDays === 'string' ? ['--days', input.lineOfDays] : [];
  return nextStep`temporal-rules create ${[...fields, ...days, '--hours', String(input.lineOfHours)]}`;
}

/** Returns the two rules of a window over midnight, or `undefined` for other hours. Throws `usage`. */
function nightInputs(input: ParsedInput): readonly [ParsedInput, ParsedInput] | undefined {
  const night = typeof input.lineOfHours === 'string' ? nightHours(input.lineOfHours) : undefined;
  if (night === undefined) return undefined;
  const { from, until } = night;
  const others = [input.set, input.setJson, input.files].some(
    (texts) => Array.isArray(texts) && texts.length > 0,
  );
  const evening = { ...input, name: `${String(input.name)} (evening)`, lineOfHours: `${from}-24:00` };
  const morning = others ? undefined : inputAfterMidnight(input, until);
  if (morning !== undefined && typeof input.name === 'string') return [evening, morning];
  throw new Failure('usage', `--hours ${from}-${until} crosses midnight, so it needs two rules.`, {
    hint: `Create one with --hours ${from}-24:00, and one for the following days with --hours 00:00-${until}.`,
  });
}

/** Throws `usage` with the two commands without a terminal, or if the answer is no. */
async function askForBoth(context: Context, inputs: readonly [ParsedInput, ParsedInput]): Promise<void> {
  const [evening, morning] = inputs.map(createLine);
  const refusal = new Failure('usage', 'A window that crosses midnight never matches. It needs two rules.', {
    hint: createHint`Run ${evening ?? ''} and ${morning ?? ''}`,
  });
  if (!context.ask.available && !context.options.yes) throw refusal;
  const question = [
    'A window that crosses midnight never matches. It needs two rules:',
    ...inputs.map((each) => `  ${createLine(each)}`),
    'Create both?',
  ];
  if (!(await context.ask.confirm(question, { option: '--yes' }))) throw refusal;
}

async function createBoth(
  handler: Handler<ParsedInput>,
  inputs: readonly ParsedInput[],
  context: Context,
): Promise<Result> {
  const results: Result[] = [];
  for (const input of inputs) {
    try {
      results.push(await handler(input, context));
    } catch (error) {
      if (results.length === 0 || !(error instanceof Failure)) throw error;
      return { ...bothResult(results), failure: error };
    }
  }
  return bothResult(results);
}

function bothResult(results: readonly Result[]): Result {
  const done = results.flatMap((result) => (result.kind === 'done' ? [result] : []));
  const value = done.map((result): JsonObject => (isObject(result.value) ? result.value : {}));
  const names = objectsIn(value).map(({ name }) => String(name));
  const set = nextStep`temporal-rule-sets create --name NAME --rules ${names.join(',')}`;
  const message = [
    ...done.flatMap((result) => toLines(result.message)),
    ...(names.length > 1 ? [`To use both as one: ${set}`] : []),
  ];
  return { kind: 'done', message, value, resource: 'temporal_rules' };
}

/** Makes `temporal-rules create` accept hours that cross midnight. It asks, and then creates two rules. */
export const withNightRules = (command: Command): Command => ({
  ...command,
  async load() {
    const handler = await command.load();
    return async (input, context) => {
      const inputs = nightInputs(input);
      if (inputs === undefined) return handler(input, context);
      if (!context.options.dryRun) {
        await askForBoth(context, inputs);
        return createBoth(handler, inputs, context);
      }
      const operation = operationFor(temporal_rules, 'create');
      const records = [];
      for (const each of inputs)
        records.push(...(await readInputRecords(context, temporal_rules, 'create', each)));
      return dryRunResult(
        context,
        records.map(({ value }) => ({ call: { operation, data: value } })),
      );
    };
  },
});
