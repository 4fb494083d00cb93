import { gregorianOffset, momentOf } from '../../../base/moment.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';

export const rangeOptions = {
  from: { value: 'TIME', doc: 'From here on: a time, or a duration before now such as 2h' },
  to: { value: 'TIME', doc: 'Up to here; now by default' },
} as const;

/** A time of a range as the service takes it, in Gregorian seconds. */
export const rangeQuery = (
  { from, to }: InputOf<typeof rangeOptions>,
  context: Context,
  [first, last]: readonly [string, string],
): Readonly<Record<string, string>> => {
  const now = context.host.clock.now();
  const seconds = (text: string, option: string): string =>
    String(Math.floor(momentOf(text, now, option) / 1000) + gregorianOffset);
  return {
    ...(from === undefined ? {} : { [first]: seconds(from, '--from') }),
    ...(to === undefined ? {} : { [last]: seconds(to, '--to') }),
  };
};
