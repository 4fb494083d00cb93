import { onTestFinished } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { HttpRequest, Transport } from '../../src/client/api/transport.ts';
import type { DesiredAccount } from '../../src/engine/manifest/desired.ts';
import { kindByName } from '../../src/engine/manifest/kinds.ts';
import { entryFor } from '../../src/engine/manifest/ledger-entries.ts';
import { observe } from '../../src/engine/manifest/observe.ts';
import type { Observed } from '../../src/engine/manifest/plan.ts';
import { readManifest } from '../../src/engine/manifest/read-manifest.ts';
import { createService, type Service } from '../../src/engine/manifest/service.ts';
import type { Ledger, LedgerEntry } from '../../src/engine/state/ledger.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import { seededRandom, turnedClock } from './clock.ts';
import { clientOf } from './contract-client.ts';
import { fakeHost, makeFolders, writeFiles } from './fake-host.ts';
import { injectTransport, type SentRequest } from './inject-transport.ts';

/** Returns the desired objects of a manifest for the current account. */
export async function desiredOf(text: string): Promise<DesiredAccount> {
  const folders = makeFolders();
  try {
    writeFiles(folders.cwd, { 'office.yaml': text });
    const { host } = fakeHost({ folders, clock: turnedClock(), random: seededRandom(3) });
    const options = { files: ['office.yaml'], vars: new Map(), set: undefined, allowUnknownFields: false };
    const { desired } = await readManifest(host, options);
    return desired.accounts[0] ?? { account: undefined, objects: [] };
  } finally {
    folders.remove();
  }
}

/** An account that is read by manifests and changed without telctl. */
export interface ObservedWorld {
  readonly sandbox: CalledSandbox;
  readonly service: Service;
  readonly requests: readonly SentRequest[];
  /** Changes something as another client and returns the record. */
  change(method: string, path: string, data?: Json): Promise<JsonObject>;
  observe(desired: DesiredAccount, ledger?: Ledger): Promise<Observed>;
}

/** Changes requests between telctl and the service. */
export type Between = (request: HttpRequest) => HttpRequest;

/** Returns a manifest line for a user with all required fields. */
export const userLine = (name: string): string =>
  `  ${name}: { username: ${name}, password: secret-1, first_name: ${name}, last_name: X }`;

/** The set of the ledgers in these tests. */
export const set = 'office.yaml';

export async function openObserved({
  strict = false,
  between = (request) => request,
}: {
  readonly strict?: boolean;
  readonly between?: Between;
} = {}): Promise<ObservedWorld> {
  const sandbox = await calledSandbox(strict ? { like: 'specification' } : {});
  onTestFinished(() => sandbox.app.close());
  const { accountId } = sandbox.seed;
  const direct = injectTransport(sandbox.app);
  const transport: Transport = { send: (request) => direct.send(between(request)), close: direct.close };
  const token = await sandbox.adminToken();
  const service = createService(
    clientOf(sandbox, async () => token, accountId, { transport }),
    accountId,
  );
  const account = { id: accountId, name: 'acme', origin: 'http://127.0.0.1:8000', ownerId: undefined };
  return {
    sandbox,
    service,
    requests: direct.requests,
    async change(method, path, data) {
      const reply = await sandbox.call(method, `/v2/accounts/${accountId}/${path}`, {
        token,
        ...(data === undefined ? {} : { data }),
      });
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
      return isObject(reply.data) ? reply.data : {};
    },
    observe: (desired, ledger) => observe(service, { account, desired, ledger, set, concurrency: 4 }),
  };
}

export const salt = 'a5'.repeat(16);

/** Returns a ledger of the test account with these entries. */
export const ledgerWith = (accountId: string, entries: readonly LedgerEntry[]): Ledger => ({
  version: 1,
  origin: 'http://127.0.0.1:8000',
  accountId,
  salt,
  entries,
});

/** Creates all objects of a manifest without references, one per second, and returns the ledger. */
export async function created(
  { service, sandbox }: ObservedWorld,
  { objects }: DesiredAccount,
  perSecond = 100,
): Promise<Ledger> {
  const entries: LedgerEntry[] = [];
  for (const [index, { kind, key, fields, protect }] of objects.entries()) {
    const { record, atSeconds } = await service.create(kindByName(kind), undefined, fields);
    const id = String(record?.id);
    const nowMs = sandbox.clock.now();
    entries.push(
      entryFor(salt, { set, key, kind, id, origin: 'created', protect, fields, record, atSeconds, nowMs }),
    );
    if (index % perSecond === perSecond - 1) sandbox.clock.turn(1000);
  }
  sandbox.clock.turn(5000);
  return ledgerWith(service.accountId, entries);
}
