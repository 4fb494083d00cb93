import { join } from 'node:path';
import type { Api } from '../../../api/api.ts';
import { Failure } from '../../../base/failure.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import type { Host } from '../../../host/host.ts';
import { operationFor, pathTo } from '../../generic/find-record.ts';

/** Names of webhooks that a listener makes: the machine and the process that it belongs to stand in them. */
const namePattern = /^telctl-listen-([0-9a-f]{8})-(\d+)-/;

const machinePath = ({ folders }: Host): string => join(folders.state, 'machine');

/** The short name of this machine and user, where a listener has made one: listeners elsewhere are none of ours. */
function knownName(host: Host): string | undefined {
  const known = host.files.readText(machinePath(host))?.text.trim();
  return known !== undefined && /^[0-9a-f]{8}$/.test(known) ? known : undefined;
}

function machineName(host: Host): string {
  const known = knownName(host);
  if (known !== undefined) return known;
  const made = Buffer.from(host.random.bytes(4)).toString('hex');
  host.files.writePrivate(machinePath(host), made);
  return made;
}

/** Beginning of the names of the webhooks of this process. */
export const listenerPrefix = (host: Host): string =>
  `telctl-listen-${machineName(host)}-${host.processes.pid}-`;

/** A webhook that a listener has made. */
export interface Listening {
  readonly id: string;
  readonly name: string;
}

/** Webhooks of listeners of this machine, by whether the listener is meant. */
async function listed(api: Api, isMeant: (name: string) => boolean): Promise<readonly Listening[]> {
  const found: Listening[] = [];
  for await (const page of api.pages({ operation: operationFor(webhooks, 'list') }))
    for (const { id, name } of page)
      if (typeof id === 'string' && typeof name === 'string' && isMeant(name)) found.push({ id, name });
  return found;
}

/** Tells by its name whether a webhook was left behind by a listener of this machine that is no more. */
export function isLeftover(host: Host): (name: string) => boolean {
  const machine = knownName(host);
  return (name) => {
    const [, where, pid] = namePattern.exec(name) ?? [];
    return where !== undefined && where === machine && !host.processes.isAlive(Number(pid));
  };
}

/** Finds what listeners of this machine left behind that no longer run: killed, or cut off from the service. */
export const leftovers = async (api: Api, host: Host): Promise<readonly Listening[]> =>
  knownName(host) === undefined ? [] : listed(api, isLeftover(host));

/** Finds what this process has at the service, whatever is known of it here. */
export const ownSubscriptions = (api: Api, host: Host): Promise<readonly Listening[]> => {
  const prefix = listenerPrefix(host);
  return listed(api, (name) => name.startsWith(prefix));
};

/** A webhook that was not removed, or of which nobody knows whether it was. */
export interface LeftWebhook {
  readonly name: string;
  readonly why: string;
  readonly inDoubt: boolean;
}

/** Removes webhooks, all at once; gives those that are, or may be, still there. */
export async function unsubscribe(api: Api, all: readonly Listening[]): Promise<readonly LeftWebhook[]> {
  const ends = await Promise.all(all.map((one) => remove(api, one)));
  return ends.flatMap((end) => end ?? []);
}

async function remove(api: Api, { id, name }: Listening): Promise<LeftWebhook | undefined> {
  const path = pathTo(webhooks, id);
  try {
    await api.call({ operation: operationFor(webhooks, 'delete'), path });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'not_found' && (await isGone(api, id))) return undefined;
    // The specification documents no DELETE: a service without one can at least stop delivering.
    return api.call({ operation: operationFor(webhooks, 'patch'), path, data: { enabled: false } }).then(
      () => ({ name, why: 'it is turned off, but cannot be deleted', inDoubt: false }),
      () => ({ name, why: error.message, inDoubt: error.inDoubt }),
    );
  }
}

async function isGone(api: Api, id: string): Promise<boolean> {
  return listed(api, () => true).then(
    (all) => all.every((each) => each.id !== id),
    () => false,
  );
}
