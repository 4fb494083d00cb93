import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { shownPath } from '../../session/secret-file.ts';
import type { Result } from '../../terminal/result.ts';
import type { nameOptions } from './options.ts';
import { placesOf } from './places.ts';
import { runningState } from './state.ts';

/** Shows whether the sandbox runs, where, and what it answers. */
export async function showStatus(input: InputOf<typeof nameOptions>, { host }: Context): Promise<Result> {
  const places = placesOf(host, input.name);
  const state = await runningState(host, places);
  const where = state && {
    base_url: state.baseUrl,
    pid: state.pid,
    started_at: state.startedAt,
    data: state.folder ?? null,
    strict: state.strict ?? false,
    account_name: state.seed.accountName,
    account_id: state.seed.accountId,
  };
  return {
    kind: 'item',
    value: { name: places.name, running: state !== undefined, ...where },
    rows: [
      ['Sandbox', `${places.name}, ${state ? 'running' : 'not running'}`],
      ...(state
        ? ([
            ['Address', state.baseUrl],
            ['Process', `${state.pid}, since ${state.startedAt}`],
            ['Records', state.folder === undefined ? 'in memory' : shownPath(host, state.folder)],
            ...(state.strict ? [['Answers', 'only what the specification documents'] as const] : []),
            ['Account', `${state.seed.accountName}  ${state.seed.accountId}`],
          ] as const)
        : []),
    ],
  };
}
