import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';

/** Prints a token that works now, alone on its line. */
export async function showToken(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const token = await session.token();
  return { kind: 'text', text: token, value: { token } };
}
