import { isObject } from '../../contract/json.ts';
import type { Host } from '../../host/host.ts';
import type { Seed } from '../../sandbox/seed.ts';
import type { Places } from './places.ts';

/** A sandbox that answers, as its process describes it. The file holds secrets and is the owner's alone. */
export interface RunningState {
  readonly pid: number;
  readonly baseUrl: string;
  readonly port: number;
  /** Folder of the records; left out: memory. */
  readonly folder?: string;
  /** How its replies name it. */
  readonly node: string;
  readonly startedAt: string;
  readonly seed: Seed;
}

type Machine = Pick<Host, 'files' | 'processes'>;

/** What a sandbox last said of itself, whether or not it still runs. A damaged file counts as none. */
export function statedBy(host: Pick<Host, 'files'>, places: Places): RunningState | undefined {
  const text = host.files.readText(places.state)?.text;
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // Written whole by `sandbox serve`, or not at all.
    return isObject(value) && typeof value.pid === 'number' ? (value as unknown as RunningState) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether the process that answers at the address is the one that wrote the state. */
async function answers({ baseUrl, node }: RunningState): Promise<boolean> {
  try {
    const reply = await fetch(`${baseUrl}/v2/api_auth`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: {} }),
      signal: AbortSignal.timeout(3000),
    });
    const body: unknown = await reply.json();
    return isObject(body) && body.node === node;
  } catch {
    // Whatever goes wrong here, nobody answers as a sandbox does.
    return false;
  }
}

/** The sandbox of that name where it runs. What a process that died left behind is removed. */
export async function runningState(host: Machine, places: Places): Promise<RunningState | undefined> {
  const state = statedBy(host, places);
  if (!state) return undefined;
  if (host.processes.isAlive(state.pid) && (await answers(state))) return state;
  host.files.remove(places.state);
  return undefined;
}
