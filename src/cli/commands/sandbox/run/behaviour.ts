import { Failure } from '../../../../base/failure.ts';
import { type RateLimit, rateLimitIn } from '../../../../base/moment.ts';
import type { InputOf } from '../../../command/command.ts';
import type { likenessOptions } from '../options.ts';

/** The service that a sandbox answers like; `undefined`: its usual behaviour. */
type Like = InputOf<typeof likenessOptions>['like'];

/** Reads the two options. Throws `usage` if they contradict each other. */
export function likeIn({ like, strict }: InputOf<typeof likenessOptions>): Like {
  if (!strict) return like;
  if (like === undefined || like === 'specification') return 'specification';
  throw new Failure('usage', `--strict is the same as --like specification, not as --like ${like}.`);
}

/** Ways in which a sandbox answers, in words. */
export const likeText = {
  specification: 'only what the specification documents',
  kazoo: 'as compatible services in the field do',
} as const;

/** Says how a running sandbox differs from the one that is asked for, to stand in a sentence. */
export function likeDifference(running: Like, asked: Like): string | undefined {
  if (asked === undefined || asked === running) return undefined;
  if (running !== undefined) return `answers ${likeText[running]}`;
  return asked === 'specification'
    ? 'answers more than the specification documents'
    : `does not answer ${likeText[asked]}`;
}

/** Reads --rate-limit. Throws `usage` if that is no limit. */
export function rateLimitOf({
  rateLimit,
}: {
  readonly rateLimit?: string | undefined;
}): RateLimit | undefined {
  if (rateLimit === undefined) return undefined;
  const limit = rateLimitIn(rateLimit);
  if (limit) return limit;
  throw new Failure('usage', `--rate-limit must be RATE[:BURST], and not ${JSON.stringify(rateLimit)}.`, {
    hint: 'Requests a second (s), minute (m) or hour (h), and how many may come at once: --rate-limit 10/s:100',
  });
}

/** Reads --allow-origin. Throws `usage` for what is no origin as browsers send it. */
export function originsOf({ allowOrigin }: { readonly allowOrigin: readonly string[] }): readonly string[] {
  for (const text of allowOrigin) {
    if (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text) continue;
    throw new Failure(
      'usage',
      `--allow-origin must be a scheme, a host and a port alone, and not ${JSON.stringify(text)}.`,
      { hint: 'For example: --allow-origin http://127.0.0.1:3000' },
    );
  }
  return allowOrigin;
}
