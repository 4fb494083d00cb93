import type { Api } from '../../api/api.ts';
import { isObject } from '../../base/json.ts';
import { quoted } from '../../base/wording.ts';
import type { Handler, InputOf } from '../../command/command.ts';
import { operationById, operations } from '../../contract/catalogue.ts';
import { accountName } from '../labels.ts';
import { agreeToWrites, plannedWrites } from './agree-to-writes.ts';
import type { conformanceOptions } from './commands.ts';
import { keepFindings } from './keep-findings.ts';
import { watchRate } from './rate-limit.ts';
import { dataOf } from './read-reply.ts';
import { type Ask, looksOfUnknownPaths, readAll } from './reads.ts';
import { type CommandNames, conformanceReport } from './report.ts';
import { hexId, tryWrites } from './try-writes.ts';
import { notTried } from './verdict.ts';

type Input = InputOf<typeof conformanceOptions>;

/** Makes the handler of `conformance`, which names operations by the commands that stand for them. */
export const conformance =
  (commands: CommandNames): Handler<Input> =>
  async (input, context) => {
    const { host, notices, options } = context;
    const session = await context.session();
    const api = await context.api();
    if (input.write) {
      if (options.dryRun) return plannedWrites(context, api);
      await agreeToWrites(context);
    }
    const own = await ownAccount(api);
    const watch = watchRate();
    const ask: Ask = async (operation, path, query) => {
      const incoming = await api.answer({ operation, path, query });
      watch.saw(incoming);
      return incoming;
    };
    const reader = {
      ask,
      unknownPaths: await looksOfUnknownPaths(ask, `telctl-${hexId(host.random)}`),
      token: await session.token(),
      progress: (done: number, total: number) => notices.progress(done, total, 'reads'),
    };
    const read = await readAll(reader);
    const { found, habits } = input.write
      ? await tryWrites(context, { reader, read, watch })
      : { found: read, habits: {} };
    const findings = operations.map((operation) => ({
      operation,
      ...(found.get(operation.id) ?? notTried('it writes; --write tries it')),
    }));
    const checkedAt = new Date(host.clock.now()).toISOString();
    const checkedBy = context.sessionParts().userAgent;
    await keepFindings(session, { findings, habits, at: checkedAt, by: checkedBy });
    const { username, baseUrl } = session.profile;
    const { limiters } = context.sessionParts();
    const limiter = limiters.of(new URL(baseUrl).origin, await session.token());
    const account = own === undefined ? await accountName(context) : quoted(own);
    return conformanceReport(
      {
        service: baseUrl,
        speaker: username === undefined ? account : `${username} of ${account}`,
        accountId: await context.accountId(),
        checkedAt,
        checkedBy,
        wrote: input.write === true,
        findings,
        habits,
        rateLimit: watch.found(limiter.met()),
        commands,
      },
      { all: input.all === true || options.verbosity === 'verbose' },
    );
  };

/**
 * The name of the account, as the service says it. Renews a token that has ended, so that a refused one is no finding;
 * throws `Failure` where nobody can sign in, or no reply comes.
 */
async function ownAccount(api: Api): Promise<string | undefined> {
  const operation = operationById('accounts.get');
  const incoming = await api.answer({ operation });
  const data = incoming.status === 401 ? (await api.call({ operation })).data : dataOf(incoming);
  const name = isObject(data) ? data.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
