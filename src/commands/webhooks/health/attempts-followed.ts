import type { JsonObject } from '../../../base/json.ts';
import type { Context } from '../../../command/context.ts';
import { type AttemptsOf, attemptMs, attemptsOf } from './attempt-reading.ts';

/** How often new attempts are looked for, and how many old ones stand before them. */
const pauseMs = 2000;
const before = 10;

/** What makes an attempt that one and no other: its event and its try, where a service tells them. */
const keyOf = (each: JsonObject): string =>
  JSON.stringify([each.hook_id, each.event_id, each.try, each.timestamp, each.result, each.retries_left]);

/**
 * Old attempts, oldest first, and then new ones as they come. Ctrl-C ends it well. Each look reads down to what was
 * seen before and asks for no range of time, since the service's clock may be turned meanwhile.
 */
export async function* followed(
  context: Context,
  whose: AttemptsOf,
  fromMs: number | undefined,
): AsyncGenerator<JsonObject> {
  const { clock, interrupted } = context.host;
  const api = await context.api();
  let seen: ReadonlySet<string> = new Set();
  let latestMs = fromMs ?? 0;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const found: JsonObject[] = [];
      for await (const each of attemptsOf(api, whose, {})) {
        if (attemptMs(each) < latestMs) break;
        if (isFirst && fromMs === undefined && found.length >= before) break;
        found.push(each);
      }
      yield* found.toReversed().filter((each) => !seen.has(keyOf(each)));
      // Those of the last second come again with the next look: others of the same second may join them.
      latestMs = found.reduce((latest, each) => Math.max(latest, attemptMs(each)), latestMs);
      if (found.length > 0) seen = new Set(found.map(keyOf));
      await clock.sleep(pauseMs, interrupted);
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  }
}
