import { text } from 'node:stream/consumers';
import { createHint, Failure, type FailureKind, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { errorMessage } from '../../base/wording.ts';
import type { HttpRequest, Transport } from '../../client/api/transport.ts';
import {
  type ControlInput,
  type ControlName,
  type ControlOperation,
  type ControlReply,
  controls,
} from './control-operations.ts';
import { openConnection, requireRunning, type SandboxAddress } from './running-state.ts';
import { type SandboxTarget, sandboxNameOption, selectTarget } from './sandbox-paths.ts';

type Machine = { readonly host: Host };

/** A client for the controls of a running sandbox. Methods throw `Failure` with the message of the sandbox. */
export interface SandboxControl {
  readonly target: SandboxTarget;
  /** Calls a control. Omits undefined fields of the input. */
  request<K extends ControlName>(name: K, input: PartialInput<ControlInput<K>>): Promise<ControlReply<K>>;
  /** Yields log entries after a sequence number, then new entries until Ctrl-C or until the sandbox stops. */
  follow(since: number): AsyncGenerator<JsonObject>;
}

/** The input of a control, before defaults. */
type PartialInput<T> = {
  readonly [K in keyof T]: (T[K] extends readonly (infer I)[] | undefined ? readonly I[] : T[K]) | undefined;
};

/** Returns the address of a control. `rest` contains the fields of the input that are not part of the address. */
function buildAddress(
  { method, path }: ControlOperation,
  input: object,
): { readonly path: string; readonly rest: JsonObject } {
  const rest = new Map<string, Json>(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/:(\w+)/g, (_, key: string) => {
    const value = encodeURIComponent(String(rest.get(key)));
    rest.delete(key);
    return value;
  });
  const query = new URLSearchParams(
    method === 'POST' ? {} : Object.fromEntries([...rest].map(([key, value]) => [key, String(value)])),
  );
  return { path: query.size === 0 ? filled : `${filled}?${query}`, rest: Object.fromEntries(rest) };
}

/** Time limit of a request in milliseconds. Some controls copy all records. */
const timeoutMs = 60_000;

async function* readEntries(transport: Transport, request: HttpRequest): AsyncGenerator<JsonObject> {
  try {
    const { status, body } = await transport.send(request);
    if (status !== 200) throw new Error(`it responds with status ${status}`);
    body.setEncoding('utf8').on('error', () => undefined);
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield parseObject(line);
    }
  } catch (error) {
    if (request.signal?.aborted) return;
    throw new Failure('unavailable', 'The sandbox has stopped.', { cause: error });
  } finally {
    await transport.close();
  }
}

const failureKindOfStatus = (status: number): FailureKind => {
  if (status === 400) return 'usage';
  if (status === 403) return 'refused';
  if (status === 404) return 'not_found';
  return status === 409 ? 'conflict' : status === 402 ? 'charges' : 'failed';
};

function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  return isObject(value) ? value : {};
}

function toFailure(status: number, text: string, old: Failure): Failure {
  const { error } = parseObject(text);
  // A sandbox without this control responds with an error of the service.
  if (!isObject(error) || typeof error.message !== 'string') return old;
  const data = isObject(error.data) ? error.data : {};
  return new Failure(failureKindOfStatus(status), error.message, {
    hint: typeof data.hint === 'string' ? data.hint : undefined,
    code: typeof error.code === 'string' ? error.code : undefined,
  });
}

const unreachable = (baseUrl: string, cause: unknown): Failure =>
  new Failure(
    'unavailable',
    `telctl cannot reach the sandbox at ${baseUrl}: ${errorMessage(cause).replace(/\.$/, '')}.`,
    { cause },
  );

const tooOld = (target: SandboxTarget): Failure => {
  const option = target.kind === 'exec' ? [] : sandboxNameOption(target.paths);
  return new Failure(
    'unavailable',
    'The running sandbox was started by an older telctl and does not support this.',
    {
      hint: createHint`Restart it: ${nextStep`sandbox stop ${option}`} && ${nextStep`sandbox start ${option}`}`,
    },
  );
};

/** Connects to a running sandbox. Throws `Failure` (`unavailable`) if an older telctl started it. */
export function controlAt(
  { host }: Machine,
  target: SandboxTarget,
  { controlKey, ...line }: SandboxAddress & { readonly controlKey?: string | undefined },
): SandboxControl {
  if (controlKey === undefined) throw tooOld(target);
  const { baseUrl } = line;
  const requestTo = (path: string, method: string, body?: JsonObject): HttpRequest => ({
    method,
    url: new URL(path, baseUrl),
    headers: {
      'x-sandbox-key': controlKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    timeoutMs: timeoutMs,
    signal: host.interrupted,
  });
  const send = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const transport = await openConnection(host, line);
    try {
      const reply = await transport.send(requestTo(path, method, body));
      const said = await text(reply.body);
      if (reply.status >= 300) throw toFailure(reply.status, said, tooOld(target));
      return parseObject(said);
    } catch (error) {
      if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.', { cause: error });
      throw error instanceof Failure && error.cause === undefined ? error : unreachable(baseUrl, error);
    } finally {
      await transport.close();
    }
  };
  return {
    target,
    async request<K extends ControlName>(name: K, input: PartialInput<ControlInput<K>>) {
      const { method } = controls[name];
      const { path, rest } = buildAddress(controls[name], input);
      // The response matches the schema of the control.
      return (await send(method, path, method === 'POST' ? rest : undefined)) as ControlReply<K>;
    },
    async *follow(since) {
      if (host.interrupted.aborted) return;
      const request = requestTo(`/sandbox/log/follow?since=${since}`, 'GET');
      yield* readEntries(await openConnection(host, line), { ...request, timeoutMs: 0 });
    },
  };
}

/** Connects to the sandbox of `--name`. Throws `Failure` (`unavailable`) if it does not run or is too old. */
export async function openControl({ host }: Machine, name?: string): Promise<SandboxControl> {
  const target = selectTarget(host, name);
  const running = target.kind === 'exec' ? target : await requireRunning(host, target.paths);
  return controlAt({ host }, target, running);
}
