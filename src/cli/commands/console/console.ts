import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, type JsonObject, objectsIn, textOrEmpty, textsIn } from '../../../base/json.ts';
import { readSavedPlan } from '../../../engine/manifest/read-saved-plan.ts';
import type {
  PlannedAccount,
  PlannedChange,
  PlannedStep,
  Reader,
  ReadRun,
  SavedPlan,
} from '../../../engine/page/reader.ts';
import { commandOf } from '../../../engine/state/log.ts';
import { newestRuns } from '../../../engine/state/runs.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { loggedNames } from '../log/logged-names.ts';
import { changedText, whoOf } from '../log/run-words.ts';
import { withWholeRollouts } from '../log/whole-rollouts.ts';
import { openBrowser } from '../login/sso-client.ts';
import { runsOf } from '../open-state.ts';
import { apiReader } from './api-reader.ts';
import type { consoleArguments, consoleOptions } from './commands.ts';
import { type ConsoleServer, serveConsole } from './console-server.ts';
import { followIn } from './follow-call.ts';
import { rolloutsIn } from './read-rollouts.ts';

const runsAtMost = 100;
/** An audit reads every record of an account: it is shown again for a minute. */
const auditFreshMs = 60_000;

type Input = InputOf<typeof consoleOptions, typeof consoleArguments>;

/** Reads what the first page needs, and listens: whoever cannot sign in is told so before anything does. */
async function begin({ plan: name, port = 0 }: Input, context: Context): Promise<ConsoleServer> {
  const { host, settings } = context;
  const api = await context.api();
  const accountId = await context.accountId();
  const { profile } = await context.session();
  const plan = name === undefined ? undefined : await planIn(context, name, profile.baseUrl);
  const service = apiReader({
    api,
    accountId,
    clock: host.clock,
    concurrency: settings.concurrency.value,
    accountName: accountId === profile.accountId ? profile.accountName : undefined,
  });
  const reader: Reader = {
    ...service,
    ...rolloutsIn(context),
    audit: auditIn(context, accountId),
    follow: followIn(context),
    runs: () => runsIn(context, profile.baseUrl),
    ...(plan ? { plan } : {}),
  };
  await reader.accounts();
  const { answerPage } = await import('../../../engine/page/page.ts');
  const frame = {
    name: 'console',
    facts: [{ text: new URL(profile.baseUrl).host, title: profile.baseUrl }],
    warnings: [],
    home: accountId,
    unknown: 'Requests and deliveries as they happen are not known here: only the service sees them.',
  };
  const answer = (query: URLSearchParams) => answerPage(query, reader, frame);
  return serveConsole({ port, random: host.random, answer });
}

/** Serves pages of the service until Ctrl-C. Throws `Failure`: no sign-in, a plan that is none, a port that is taken. */
export async function openConsole(input: Input, context: Context): Promise<Result> {
  const { host, notices } = context;
  async function* items(): AsyncGenerator<JsonObject> {
    let server: ConsoleServer | undefined;
    let opening: Awaited<ReturnType<typeof openPrivately>> | undefined;
    try {
      server = await begin(input, context);
      const { address } = server;
      yield { address };
      if (host.stdout.isTTY && !input.noBrowser) {
        opening = await openPrivately(host, address);
        void server.opened.then(opening.remove);
        if (!opening.started)
          notices.warn('No browser could be started. Open the address in one on this machine.');
      }
      notices.say('The address works once. Ctrl-C ends the console.');
      if (!host.interrupted.aborted) await once(host.interrupted, 'abort');
    } catch (error) {
      // Ctrl-C while it was still beginning is an end like any other.
      if (!(error instanceof Failure && error.kind === 'interrupted')) throw error;
    } finally {
      opening?.remove();
      await server?.close();
    }
  }
  return {
    kind: 'list',
    items: items(),
    live: [60],
    columns: [{ header: 'ADDRESS', paths: ['address'] }],
    noun: 'addresses',
    summary: () => 'The console has ended.',
  };
}

function auditIn(context: Context, own: string): NonNullable<Reader['audit']> {
  const known = new Map<
    string,
    { readonly atMs: number; readonly value: ReturnType<NonNullable<Reader['audit']>> }
  >();
  return (account) => {
    const found = known.get(account.id);
    if (found && context.host.clock.now() - found.atMs < auditFreshMs) return found.value;
    const read = async () => {
      const { auditOf } = await import('../audit/audit.ts');
      return auditOf(context, await context.api(), account, own);
    };
    const value = read();
    known.set(account.id, { atMs: context.host.clock.now(), value });
    value.catch(() => known.delete(account.id));
    return value;
  };
}

async function runsIn(context: Context, origin: string): Promise<readonly ReadRun[]> {
  const found: ReadRun[] = [];
  const runs = await runsOf(context);
  const named = loggedNames(runs);
  for await (const run of withWholeRollouts(newestRuns(runs, {}))) {
    if (run.parts.every(({ start }) => start.account.origin !== origin)) continue;
    found.push({
      id: run.run,
      at: new Date(run.atMs).toISOString(),
      who: whoOf(run),
      account: [...new Set(run.parts.map(({ start }) => start.account.name))].join(', '),
      line: commandOf(run),
      changed: await named(changedText(run)),
      ...(run.note === undefined ? {} : { note: run.note }),
      ...(run.state === 'finished' ? {} : { trouble: run.state }),
    });
    if (found.length === runsAtMost) break;
  }
  return found;
}

/** A kept plan as the page takes it. Throws `Failure`: `usage` where there is none, `invalid` where it is no plan. */
async function planIn(context: Context, name: string, origin: string): Promise<SavedPlan> {
  const text = await (await context.state()).plans.read(name);
  if (text === undefined)
    throw new Failure('usage', `There is no plan ${name}.`, {
      hint: leadsOn`Make one with: ${nextStep`plan -f FILE --out PLAN`}`,
    });
  const saved = await readSavedPlan(name, text);
  return {
    name,
    accounts: saved.accounts.map((account): PlannedAccount => {
      const { steps, refused } = account.plan;
      const isHere =
        URL.canParse(account.origin) && new URL(account.origin).origin === new URL(origin).origin;
      return {
        ...(account.id === null ? {} : { id: account.id }),
        name: account.name,
        origin: account.origin,
        isHere,
        steps: objectsIn(steps).map(stepOf),
        ...(isObject(refused) ? { refused: textOrEmpty(refused.message) } : {}),
      };
    }),
  };
}

/** A step of a plan file, whose digest says that telctl wrote it so. */
const stepOf = ({ key, kind, label, action, id, changes, notes }: JsonObject): PlannedStep => ({
  key: textOrEmpty(key),
  kind: textOrEmpty(kind),
  label: textOrEmpty(label),
  action: textOrEmpty(action),
  ...(typeof id === 'string' ? { id } : {}),
  changes: objectsIn(changes).map(changeOf),
  notes: textsIn(notes),
});

const changeOf = ({ path, how, before, after, secret, sources, drift, from }: JsonObject): PlannedChange => ({
  path: textOrEmpty(path),
  how: textOrEmpty(how),
  before,
  after,
  ...(secret === true ? { secret } : {}),
  ...(drift === true ? { drift } : {}),
  ...(Array.isArray(sources) ? { sources: textsIn(sources) } : {}),
  ...(typeof from === 'string' ? { from } : {}),
});

/** A page that leads on to an address at once. The address is telctl's own: it has nothing to escape. */
const leadingTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>telctl console</title>
<a href="${address}">Open the console</a>
`;

/** The result of opening an address: whether a browser was started, and what removes the file that led there. */
interface Opening {
  readonly started: boolean;
  remove(): void;
}

/**
 * Opens an address with a key in the browser, by way of a private file: arguments of programs can be read by everybody
 * on this machine. The file is to be removed once the browser was there.
 */
async function openPrivately(host: Host, address: string): Promise<Opening> {
  const { files, folders, random } = host;
  const name = `${Buffer.from(random.bytes(12)).toString('base64url')}.html`;
  const path = join(folders.state, 'opening', name);
  const remove = (): void => files.remove(path);
  try {
    files.writePrivate(path, leadingTo(address));
  } catch {
    return { started: false, remove };
  }
  return { started: await openBrowser(host, pathToFileURL(path).href), remove };
}
