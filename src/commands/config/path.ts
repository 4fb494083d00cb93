import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { configPath } from '../../session/profile-store.ts';

/** Shows where telctl keeps profiles, keys, tokens and what a run leaves for the next. */
export async function showPath(_: unknown, { host }: Context): Promise<Result> {
  const { config, cache, state } = host.folders;
  const path = configPath(host);
  return {
    kind: 'text',
    text: path,
    value: {
      config: path,
      credentials: join(config, 'credentials'),
      tokens: join(config, 'tokens'),
      cache,
      state,
    },
  };
}
