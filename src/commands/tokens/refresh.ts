import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';

/** Exchanges the token for a new one and keeps it. The old one lives on until its end. */
export async function refreshNow(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const { expiresAtMs } = await session.refresh();
  const minutes = Math.round((expiresAtMs - context.host.clock.now()) / 60_000);
  return {
    kind: 'done',
    message: `Refreshed the token; it is valid for ${minutes} minutes.`,
    value: { expires_at: new Date(expiresAtMs).toISOString() },
  };
}
