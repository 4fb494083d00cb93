import type { Api } from '../../api/api.ts';
import type { Handler, InputOf } from '../../cli/command.ts';
import { operationById, operations } from '../../contract/catalogue.ts';
import { isObject } from '../../contract/json.ts';
import { quoted } from '../../contract/wording.ts';
import type { Session } from '../../session/session.ts';
import { accountName } from '../labels.ts';
import type { conformanceOptions } from './commands.ts';
import { watchRate } from './rate-limit.ts';
import { dataOf } from './read-reply.ts';
import { readAll } from './reads.ts';
import { type CommandNames, conformanceReport } from './report.ts';

import { type Finding, isForeign, notTried } from './verdict.ts';

type Input = InputOf<typeof conformanceOptions>;

/** Makes the handler of `conformance`. */
export const conformance =
  (commands: CommandNames): Handler<Input> =>
  async (input, context) => {
    const { host, notices, options } = context;
    const session = await context.session();
    const api = await context.api();
    const own = await ownAccount(api);
    const watch = watchRate();
    const { findings } = await readAll({
      async ask(operation, path, query) {
        const incoming = await api.answer({ operation, path, query });
        watch.saw(incoming);
        return incoming;
      },
      token: await session.token(),
      nonsense: `telctl-${Math.floor(host.random.fraction() * 0xffff_ffff).toString(16)}`,
      progress: (done, total) => notices.progress(done, total, 'operations'),
    });
    const checkedAt = new Date(host.clock.now()).toISOString();
    const checkedBy = context.sessionParts().userAgent;
    await keep(session, { findings, at: checkedAt, by: checkedBy });
    const { username, baseUrl } = session.profile;
    const account = own === undefined ? await accountName(context) : quoted(own);
    return conformanceReport(
      {
        service: baseUrl,
        speaker: username === undefined ? account : `${username} of ${account}`,
        accountId: await context.accountId(),
        checkedAt,
        checkedBy,
        wrote: false,
        findings: withUntried(findings),
        rateLimit: watch.found(),
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

/**
 * Keeps what was found with the profile. What was not tried this time stays as an earlier run found it; nothing is kept
 * of what is no service of this interface.
 */
async function keep(
  session: Session,
  { findings, at, by }: { readonly findings: readonly Finding[]; readonly at: string; readonly by: string },
): Promise<void> {
  if (isForeign(findings)) return;
  const before = session.learned().conformance;
  const tried = new Set(findings.filter(isTried).map(({ operation }) => operation.id));
  const ids = (wanted: Finding['result'], known: readonly string[] = []): readonly string[] => [
    ...known.filter((id) => !tried.has(id)),
    ...findings.filter(({ result }) => result === wanted).map(({ operation }) => operation.id),
  ];
  await session.learn({
    conformance: {
      at,
      by,
      notOffered: ids('not-offered', before?.notOffered),
      otherShape: ids('other-shape', before?.otherShape),
      habits: before?.habits ?? {},
    },
  });
}

const isTried = ({ result }: Finding): boolean => result !== 'not-tried' && result !== 'failed';

const untried = notTried('it writes; --write tries it');

/** All operations of the contract, in its order. */
function withUntried(findings: readonly Finding[]): readonly Finding[] {
  const found = new Map(findings.map((finding) => [finding.operation.id, finding]));
  return operations.map((operation) => found.get(operation.id) ?? { operation, ...untried });
}
