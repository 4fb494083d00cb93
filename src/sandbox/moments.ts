import type { Clock } from '../host/host.ts';

/** Seconds between year 0 of the Gregorian calendar and the Unix epoch (Conventions, time values). */
export const gregorianOffset = 62_167_219_200;

/** Now, in Gregorian seconds. */
export const gregorianSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000) + gregorianOffset;

/** Now, as envelopes write it: UTC without fractions. */
export const timestamp = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
