import { counted } from '../../base/wording.ts';

const minuteMs = 60_000;

/** How long a token still lives, to follow how it was got: `; token valid 49 more minutes`. */
export function untilInWords(expiresAtMs: number | undefined, nowMs: number): string {
  if (expiresAtMs === undefined) return '';
  const minutes = Math.floor((expiresAtMs - nowMs) / minuteMs);
  if (minutes < 0) return '; token expired';
  return `; token valid ${counted(minutes, 'more minute')}`;
}
