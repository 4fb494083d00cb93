import { onTestFinished } from 'vitest';
import { type Lines, toLines } from '../../src/base/wording.ts';
import type { Command, OptionSpec } from '../../src/cli/command/command.ts';
import type { Context } from '../../src/cli/command/context.ts';
import type { Result } from '../../src/cli/command/result.ts';
import { globalOptions } from '../../src/cli/commands/global-options.ts';
import { guardRequest } from '../../src/cli/commands/guards/guard-request.ts';
import { openStateAt } from '../../src/cli/commands/state/open-state.ts';
import { inputFor } from '../../src/cli/shell/input-for.ts';
import { parseOptions } from '../../src/cli/shell/parse-line.ts';
import type { Api } from '../../src/client/api/api.ts';
import { createApi } from '../../src/client/api/create-api.ts';
import { rateLimiters } from '../../src/client/api/rate-limiter.ts';
import type { Settings } from '../../src/client/session/settings.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import { seededRandom } from './clock.ts';
import { fakeHost, makeFolders, writeFiles } from './fake-host.ts';
import type { FaultRule } from './faults.ts';
import { injectTransport, type SentRequest } from './inject-transport.ts';

/** Input of one run of a handler. */
export interface HandlerRun {
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly faults?: readonly FaultRule[];
  /** Answers to questions, in order. Default: no terminal. */
  readonly answers?: readonly (boolean | string)[];
}

/** Returns the text that a command shows. Fails for other results. */
export function textOf(result: Result): string {
  if (result.kind !== 'text' && result.kind !== 'document')
    throw new Error(`expected text, but got ${result.kind}`);
  return toLines(result.text).join('\n');
}

/** The result with all messages and questions. */
export interface HandlerOutcome {
  readonly result: Result;
  readonly said: readonly string[];
  readonly asked: readonly string[];
  readonly requests: readonly SentRequest[];
}

/** Runs command handlers against a sandbox, without the program around them. */
export interface HandlerBench {
  readonly sandbox: CalledSandbox;
  run(argv: readonly string[], run?: HandlerRun): Promise<HandlerOutcome>;
  /** Messages, questions and requests of the last run, even if it failed. */
  last(): Omit<HandlerOutcome, 'result'>;
}

/** Creates a bench for some commands. It closes with the test. */
export async function handlerBench(commands: readonly Command[]): Promise<HandlerBench> {
  const sandbox = await calledSandbox();
  const folders = makeFolders();
  onTestFinished(async () => {
    folders.remove();
    await sandbox.app.close();
  });
  let last: Omit<HandlerOutcome, 'result'> = { said: [], asked: [], requests: [] };

  async function run(argv: readonly string[], run: HandlerRun = {}): Promise<HandlerOutcome> {
    const command = commands.find(({ path }) => path.every((word, index) => argv[index] === word));
    if (!command) throw new Error(`no command for ${argv.join(' ')}`);
    writeFiles(folders.cwd, run.files ?? {});
    const { host } = fakeHost({ folders, clock: sandbox.clock, random: seededRandom(3), stdin: run.stdin });
    const where = `telctl ${command.path.join(' ')}`;
    const parsed = parseOptions(
      where,
      [globalOptions, command.options].flatMap((some): readonly OptionSpec[] => Object.values(some)),
      argv.slice(command.path.length),
    );
    const input = inputFor(where, command, parsed, {});
    const transport = injectTransport(sandbox.app, run.faults);
    const said: string[] = [];
    const asked: string[] = [];
    const answers = [...(run.answers ?? [])];
    last = { said, asked, requests: transport.requests };
    const token = await sandbox.adminToken();
    const api: Api = createApi({
      transport,
      baseUrl: 'http://127.0.0.1:8000',
      prefix: '/v2',
      accountId: sandbox.seed.accountId,
      authorizer: { token: async () => token, renew: async () => token },
      clock: sandbox.clock,
      random: seededRandom(5),
      limiters: rateLimiters(sandbox.clock, seededRandom(5), () => undefined),
      timeoutMs: 1000,
      retries: 2,
      userAgent: 'test',
    });
    const answer = (put: Lines): boolean | string => {
      const question = toLines(put).join('\n');
      asked.push(question);
      const next = answers.shift();
      if (next === undefined) throw new Error(`unexpected question: ${question}`);
      return next;
    };
    const yes = parsed.values.get('yes') === true;
    const context: Context = {
      host,
      settings: {
        account: { value: undefined },
        concurrency: { value: 4 },
        output: { value: 'table' },
      } as unknown as Settings,
      options: {
        yes,
        dryRun: parsed.values.get('dry-run') === true,
        reveal: parsed.values.get('reveal') === true,
        verbosity: 'normal',
        fields: undefined,
        query: undefined,
        queryFields: [],
        deadlineMs: undefined,
        allowEmergencyShadow: false,
        allowUnknownFields: parsed.values.has('allow-unknown-fields'),
        consent: { kind: 'ask' },
        confirm: parsed.values.get('confirm')?.toString(),
      },
      ask: {
        available: run.answers !== undefined,
        confirm: async (question) => yes || answer(question) === true,
        confirmExplicitly: async (question) => answer(question) === true,
        secret: async (question) => String(answer(question)),
        text: async (question) => String(answer(question)),
        typed: async (question, word) => answer(question) === word,
      },
      state: () =>
        openStateAt({ host, settings: { logDays: { value: 90 } } as unknown as Settings }, undefined),
      facts: async () => ({}),
      hide: () => undefined,
      notices: {
        say: (line) => void said.push(...toLines(line)),
        warn: (line) => void said.push(`warning: ${toLines(line).join('\n')}`),
        report: async () => undefined,
        table: () => undefined,
        warnAboutField: (_, line) => void said.push(`warning: ${toLines(line).join('\n')}`),
        progress: () => undefined,
        disclose: () => undefined,
        writeAnnotation: () => undefined,
        release: () => undefined,
      },
      sessionParts: undefined as never,
      session: async () =>
        ({
          profile: {
            name: 'test',
            baseUrl: 'http://127.0.0.1:8000',
            accountId: sandbox.seed.accountId,
            accountName: 'acme',
            ownerId: sandbox.seed.adminUserId,
          },
        }) as never,
      api: async () => api,
      ownApi: async () => api,
      bulkApi: async () => api,
      separateClients: () => ({ api: async () => api, bulkApi: async () => api }),
      cleanupApi: async () => api,
      accountId: async () => sandbox.seed.accountId,
      guard: (request) =>
        guardRequest(context, request, {
          mayAsk: true,
          protects: true,
          checksEmergency: true,
          memory: { passed: new Set(), gone: new Set(), accepted: new Set() },
        }),
    };
    const handler = await command.load();
    return { result: await handler(input, context), said, asked, requests: transport.requests };
  }

  return { sandbox, run, last: () => last };
}

export async function itemsOf(result: Result): Promise<readonly unknown[]> {
  if (result.kind !== 'list') throw new Error(`expected a list, but got ${result.kind}`);
  const items: unknown[] = [];
  for await (const item of result.items) items.push(item);
  return items;
}
