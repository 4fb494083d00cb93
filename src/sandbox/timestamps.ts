import { gregorianOffset } from '../base/moment.ts';
import type { Clock } from '../host/host.ts';

/** Now, in Gregorian seconds. */
export const gregorianSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000) + gregorianOffset;

/** Now, as envelopes write it: UTC without fractions. */
export const timestamp = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
