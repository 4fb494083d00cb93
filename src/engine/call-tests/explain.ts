import { nameOf } from '../calls/records.ts';
import type { CallFacts, PathWord } from './call-facts.ts';
import type { CallCase } from './case-file.ts';
import { type Checked, endText } from './check-expectations.ts';

/** What happened in a call, in a few words: `alice after 5 s`. */
export function got({ call, answered, rings }: CallFacts): string {
  const [caller] = call.legs;
  const time = (seconds: number): string => `${Math.round(seconds * 10) / 10} s`;
  const last = answered.at(-1);
  if (call.end.in === 'person' && last)
    return `${last.name} after ${time((last.leg.answered ?? 0) - (caller?.began ?? 0))}`;
  if (call.end.in === 'carrier') {
    const shown = rings.at(-1)?.leg.callerId.number;
    return `carrier${shown === undefined ? '' : `, ${shown}`}`;
  }
  if (call.end.in === 'nobody') return `${call.end.cause} after ${time(caller?.ended ?? 0)}`;
  return endText(call.end);
}

/** Says what decided where a call left the expected path, with its place in a file. */
export function whyOf(facts: CallFacts, wrong: Checked, { expect }: CallCase): string {
  if (wrong.note !== undefined) return wrong.note;
  const step = decisive(facts, wrong.what === 'path' ? (expect.path ?? []) : []);
  const { why: atEnd } = facts.call.end;
  if (!step?.why) return atEnd ?? '';
  const place = placeOf(facts, step);
  return place === undefined ? step.why : step.why.replace(/\.?$/, ` (${place}).`);
}

/**
 * The step at which a call left the path: the one that speaks of the next word otherwise (`Office hours: closed`), else
 * the last one after the words that fit which says why it went on as it did.
 */
function decisive({ path }: CallFacts, wanted: readonly string[]): PathWord | undefined {
  let next = 0;
  let from = 0;
  for (const [index, { word }] of path.entries())
    if (word === wanted[next]) {
      next += 1;
      from = index;
    }
  const [subject = ''] = (wanted[next] ?? '').split(': ');
  const rest = path.slice(from);
  const same = rest.find(
    ({ word, why }) => why !== undefined && subject !== '' && word.split(': ')[0] === subject,
  );
  const deciding = rest.filter(({ why, place }) => why !== undefined && place.length > 0);
  return same ?? (wanted.length > 0 ? deciding[0] : undefined) ?? deciding.at(-1);
}

/** The place of the rule that a step tested, else of the step. */
function placeOf({ account }: CallFacts, { word, callflow, place, why = '' }: PathWord): string | undefined {
  const [subject] = word.split(': ');
  const rule = account.of('temporal_rules').find((each) => nameOf('temporal_rules', each) === subject);
  if (rule) {
    const [, field] = /: (?:.*[ ;])?(wdays|time_window_start|enabled|cycle)\b/.exec(why) ?? [];
    return account.placeOf?.('temporal_rules', String(rule.id), field === undefined ? [] : [field]);
  }
  return account.placeOf?.('callflows', callflow, place);
}
