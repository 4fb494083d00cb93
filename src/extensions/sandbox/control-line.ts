import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Failure, type FailureKind, leadsOn, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type JsonObject, parsedJson } from '../../base/json.ts';
import { messageOf } from '../../base/wording.ts';
import { type Line, needRunning, type Reply, replyTo, requestTo } from './running-state.ts';
import { nameOption, type Target, targetOf } from './sandbox-paths.ts';

type Machine = { readonly host: Host };

/** A running sandbox, spoken to past the service. Methods throw `Failure` in the sandbox's words. */
export interface SandboxControl {
  readonly target: Target;
  get(path: string): Promise<JsonObject>;
  post(path: string, body?: JsonObject): Promise<JsonObject>;
  delete(path: string): Promise<JsonObject>;
  /** Objects that come one to a line, until Ctrl-C or until the sandbox ends. */
  follow(path: string): AsyncGenerator<JsonObject>;
}

/** Time that the sandbox may take to answer, in milliseconds: it copies its records for some questions. */
const patienceMs = 60_000;

async function* followed(asking: ClientRequest, signal: AbortSignal): AsyncGenerator<JsonObject> {
  asking.end();
  // Whoever listens no more ends the connection, which then says so.
  asking.on('error', () => undefined);
  try {
    const reply: IncomingMessage = (await once(asking, 'response'))[0];
    if (reply.statusCode !== 200) throw new Error(`it answers ${reply.statusCode}`);
    reply.setEncoding('utf8').on('error', () => undefined);
    let rest = '';
    for await (const chunk of reply) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield parsed(line);
    }
  } catch (error) {
    if (signal.aborted) return;
    throw new Failure('unavailable', 'The sandbox has ended.', { cause: error });
  } finally {
    asking.destroy();
  }
}

const kindOf = (status: number): FailureKind => {
  if (status === 400) return 'usage';
  if (status === 403) return 'refused';
  if (status === 404) return 'not_found';
  return status === 409 ? 'conflict' : status === 402 ? 'charges' : 'failed';
};

function parsed(text: string): JsonObject {
  const value = parsedJson(text);
  return isObject(value) ? value : {};
}

function failureOf({ status, text }: Reply, old: Failure): Failure {
  const { error } = parsed(text);
  // Whoever has no such route answers in the words of the service.
  if (!isObject(error) || typeof error.message !== 'string') return old;
  const data = isObject(error.data) ? error.data : {};
  return new Failure(kindOf(status), error.message, {
    hint: typeof data.hint === 'string' ? data.hint : undefined,
    code: typeof error.code === 'string' ? error.code : undefined,
  });
}

/** The authorities that are trusted beside the usual ones, as for a service. */
function authoritiesOf({ env, files }: Host): string | undefined {
  const { TELCTL_CA_FILE: path } = env;
  return path ? files.readText(path)?.text : undefined;
}

const tooOld = (target: Target): Failure => {
  const option = target.kind === 'exec' ? [] : nameOption(target.paths);
  return new Failure('unavailable', 'The sandbox that runs is of an older telctl and cannot do this.', {
    hint: leadsOn`Start it anew: ${nextStep`sandbox stop ${option}`} && ${nextStep`sandbox start ${option}`}`,
  });
};

/** Speaks to a sandbox that runs. Throws `Failure` (`unavailable`) where it is an old one. */
export function controlAt(
  { host }: Machine,
  target: Target,
  { controlKey, ...line }: Line & { readonly controlKey?: string | undefined },
): SandboxControl {
  if (controlKey === undefined) throw tooOld(target);
  const { baseUrl } = line;
  const authorities = authoritiesOf(host);
  const asking = (path: string, options: RequestOptions): Promise<ClientRequest> =>
    requestTo(path, { ...line, authorities }, { ...options, signal: host.interrupted });
  const call = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const headers = {
      'x-sandbox-key': controlKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const reply = await asking(path, { method, headers })
      .then((request) => replyTo(request, patienceMs, text))
      .catch((error: unknown) => {
        if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.', { cause: error });
        const why = messageOf(error);
        throw new Failure('unavailable', `The sandbox at ${baseUrl} cannot be spoken to: ${why}.`, {
          cause: error,
        });
      });
    if (reply.status >= 300) throw failureOf(reply, tooOld(target));
    return parsed(reply.text);
  };
  return {
    target,
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    delete: (path) => call('DELETE', path),
    async *follow(path) {
      if (host.interrupted.aborted) return;
      yield* followed(await asking(path, { headers: { 'x-sandbox-key': controlKey } }), host.interrupted);
    },
  };
}

/** The sandbox of this `--name`, to be controlled. Throws `Failure` (`unavailable`): none runs, or an old one. */
export async function controlOf({ host }: Machine, name?: string): Promise<SandboxControl> {
  const target = targetOf(host, name);
  const running = target.kind === 'exec' ? target : await needRunning(host, target.paths);
  return controlAt({ host }, target, running);
}
