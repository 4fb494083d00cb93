import type { Context } from '../../cli/context.ts';
import type { Result } from '../../terminal/result.ts';

/** Prints a token that works now, alone on its line. */
export async function showToken(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const token = await session.token();
  return { kind: 'text', text: token, value: { token } };
}
