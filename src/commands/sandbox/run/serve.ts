import { once } from 'node:events';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import type { serveOptions } from '../options.ts';
import { likeIn } from './likeness.ts';
import { openSandbox } from './open-sandbox.ts';
import { keepingOf, placesOf } from './places.ts';
import { rateLimitOf } from './rate-limit.ts';
import { forgetState, keepState, type RunningState, statedBy } from './state.ts';

/** Runs a sandbox in this process until it is told to end; `sandbox start` runs this in the background. */
export async function serveSandbox(input: InputOf<typeof serveOptions>, { host }: Context): Promise<Result> {
  const places = placesOf(host, input.name);
  const keeping = keepingOf(host, places, input);
  const like = likeIn(input);
  const rateLimit = rateLimitOf(input);
  let state: RunningState | undefined;
  const tell = (known: RunningState): void => {
    state = known;
    keepState(host, places, known);
  };
  const sandbox = await openSandbox(host, {
    keeping,
    port: input.port ?? 0,
    like,
    rateLimit,
    allowDeliveriesTo: input.allowDeliveriesTo,
    snapshots: places.snapshots,
    onSeed: (seed) => state && tell({ ...state, seed }),
  });
  tell({
    pid: host.processes.pid,
    baseUrl: sandbox.baseUrl,
    port: sandbox.port,
    ...(keeping.kind === 'folder' ? { folder: keeping.folder } : {}),
    ...(like ? { like } : {}),
    ...(rateLimit ? { rateLimit: rateLimit.text } : {}),
    ...(input.allowDeliveriesTo.length > 0 ? { allowDeliveriesTo: input.allowDeliveriesTo } : {}),
    node: sandbox.node,
    startedAt: new Date(host.clock.now()).toISOString(),
    seed: sandbox.seed,
    controlKey: sandbox.controlKey,
  });
  host.finishes();
  if (!host.interrupted.aborted) await once(host.interrupted, 'abort');
  await sandbox.close();
  // Another one may have been started in this one's place meanwhile.
  if (statedBy(host, places)?.pid === host.processes.pid) forgetState(host, places);
  return { kind: 'done', message: 'Sandbox stopped.' };
}
