import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { parseCallTime } from '../../../base/zoned-time.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { TextResult } from '../../../cli/command/result.ts';
import { chainSteps, drawTree } from '../../../cli/commands/callflows/show.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { zoneOfStep } from '../../../contract/temporal-route.ts';
import { caseNames } from '../cases/call-facts.ts';
import { seededNumbers } from '../engine/clock.ts';
import {
  type DescribedCall,
  describeGaps,
  describeMatch,
  describeOutcome,
  describePath,
} from '../engine/describe-call.ts';
import { makeCall } from '../engine/make-call.ts';
import { filledTexts } from '../engine/records.ts';
import type { CallAccount, Caller } from '../engine/types.ts';
import { readCallAccount } from '../make-calls.ts';
import type { traceArguments, traceOptions } from './callflows.ts';

type Input = InputOf<typeof traceOptions, typeof traceArguments>;

/** The default caller, outside the account. */
const stranger = '+15555550100';

/**
 * Returns the keys for each prompt. Branches such as `timeout` become an empty string. Throws `usage` for other text.
 */
function splitDigits({ digits }: Input): readonly string[] {
  const all = digits.flatMap((each) => each.split(',')).map((each) => each.trim());
  const unfit = all.find((each) => !/^([0-9*#+]+|timeout|max_retries|_)$/.test(each));
  if (unfit !== undefined)
    throw new Failure('usage', `--digits must be digits or timeout, not ${JSON.stringify(unfit)}.`);
  return all.map((each) => (/^[a-z_]/.test(each) ? '' : each));
}

function parseCaller(account: CallAccount, from: string | undefined): Caller {
  if (from === undefined || /^\+?\d[\d ()-]*$/.test(from))
    return { number: normalisedNumber(from ?? stranger) };
  const found = caseNames(account).find(from, ['users', 'devices']);
  if (found) return found.kind === 'users' ? { user: found.id } : { device: found.id };
  throw new Failure('invalid', `--from: ${caseNames(account).missing(from, ['users', 'devices'])}`);
}

/** Simulates a call that no one answers, and shows its steps. */
export async function traceCall(
  input: Input,
  context: Context,
  notFound: (numbers: readonly string[]) => Promise<Failure>,
): Promise<TextResult> {
  const presses = splitDigits(input);
  const account = await readCallAccount(context, input);
  const zone = zoneOfStep({}, account.record.timezone);
  const atS = parseCallTime(input.at, zone, context.host.clock.now());
  const call = makeCall({
    account,
    at: atS * 1000,
    from: parseCaller(account, input.from),
    to: input.number,
    presses,
    people: new Map(),
    others: { does: 'does not answer' },
    acts: [],
    pivots: new Map(),
    random: seededNumbers(1),
  });
  const flow = call.events.find((event) => event.kind === 'flow');
  if (flow?.kind !== 'flow') {
    const numbers = account.of('callflows').flatMap((each) => filledTexts(each.numbers));
    throw await notFound(numbers);
  }
  const described: DescribedCall = { call, account, to: input.number };
  const path = describePath(described, 'a1');
  const left = describeGaps(described);
  const { words } = describeOutcome(described, 'a1');
  return {
    kind: 'text',
    text: [
      ...drawTree(`${normalisedNumber(input.number)} → ${flow.word}`, chainSteps(path)),
      `${words}.`,
      ...left.map((each) => `Not simulated here: ${each}.`),
    ],
    value: {
      version: 1,
      number: input.number,
      called: normalisedNumber(input.number),
      matched: describeMatch(account, input.number),
      callflow: { id: flow.callflow, name: flow.word },
      ...(presses.length > 0 ? { digits: presses } : {}),
      ...(input.from === undefined ? {} : { from: input.from }),
      ...(input.at === undefined ? {} : { at: new Date(atS * 1000).toISOString() }),
      first: nestSteps(path) ?? {},
      words,
      not_simulated: left.map((each) => ({ words: each })),
    },
  };
}

const nestSteps = (path: readonly JsonObject[]): JsonObject | undefined =>
  path.reduceRight<{ readonly step: JsonObject; readonly key: string } | undefined>(
    (next, { key, branch_name: _name, at_seconds: _, ...step }) => ({
      key: String(key ?? ''),
      step: { ...step, branches: next ? [{ key: next.key, step: next.step }] : [] },
    }),
    undefined,
  )?.step;
