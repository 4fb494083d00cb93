import { Failure } from '../../base/failure.ts';
import { isOn } from '../../base/wording.ts';
import type { Setting, SettingSource } from './settings.ts';

/** A place that may give a setting; `value` is `undefined` where it does not. */
export interface Place<T> {
  readonly source: SettingSource;
  /** The option, variable or file. */
  readonly from: string;
  readonly value: T | undefined;
}

export function first<T>(otherwise: T, places: readonly Place<T>[]): Setting<T> {
  for (const { source, from, value } of places) if (value !== undefined) return { value, source, from };
  return { value: otherwise, source: 'default', from: '' };
}

/** A variable as a switch: on, unless it is empty, 0, false, no or off. */
export function flag({ value, ...place }: Place<string>): Place<boolean> {
  return { ...place, value: value === undefined ? undefined : isOn(value) };
}

/** Bounds of a number, in the unit that people type. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Size of one typed unit in the setting's unit: 1000 for seconds kept in milliseconds. */
  readonly scale?: number;
  readonly whole?: boolean;
}

/** A number in its bounds. Throws `Failure` (`usage`) naming the place otherwise. */
export function number(place: Place<string | number>, bounds: Bounds): Place<number> {
  const { least, most, scale = 1, whole = false } = bounds;
  const { value } = place;
  if (value === undefined) return { ...place, value };
  const typed = typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value);
  if (!(typed >= least && typed <= most) || (whole && !Number.isInteger(typed))) {
    throw new Failure(
      'usage',
      `${place.from} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`,
    );
  }
  return { ...place, value: Math.round(typed * scale) };
}

/** One of some words. Throws `Failure` (`usage`) naming the place and the words otherwise. */
export function choice<T extends string>(choices: readonly T[], place: Place<string>): Place<T> {
  const { value, ...rest } = place;
  if (value === undefined) return { ...rest, value };
  const found = choices.find((each) => each === value);
  if (found !== undefined) return { ...rest, value: found };
  throw new Failure('usage', `${place.from} says "${value}", which is none of ${choices.join(', ')}.`);
}
