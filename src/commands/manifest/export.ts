import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Exported, SnapshotAccount } from '../../manifest/export/exported.ts';
import { makeExport } from '../../manifest/export/make-export.ts';
import { manifestText } from '../../manifest/export/manifest-text.ts';
import { manifestValue } from '../../manifest/export/manifest-value.ts';
import { readAccount } from '../../manifest/export/read-account.ts';
import { warningsOf } from '../../manifest/export/warnings.ts';
import { type KindName, kindByName, kindOf, kinds } from '../../manifest/kinds.ts';
import { type Service, serviceOf } from '../../manifest/state/service.ts';
import type { Result } from '../../terminal/result.ts';
import type { exportOptions } from './export-command.ts';

export type ExportInput = InputOf<typeof exportOptions>;

/** Writes the account acted on as a manifest: to standard output, a file, or a folder. */
export async function exportAccount(input: ExportInput, context: Context): Promise<Result> {
  const only = sectionsOf(input.only);
  const { settings, options, notices } = context;
  const service = serviceOf(await context.api(), await context.accountId());
  const account = await accountOf(service, context);
  const snapshot = await readAccount(service, {
    account,
    only,
    named: new Set(only ? kinds.map(({ name }) => name) : []),
    concurrency: settings.concurrency.value,
    progress: (done, total) => notices.progress(done, total, 'objects'),
  });
  const exported = makeExport(snapshot, { reveal: options.reveal, taken: new Map() });
  if (options.reveal) notices.warn('The manifest holds secrets in clear (--reveal).');
  for (const warning of warningsOf(exported)) notices.warn(warning);
  const head: JsonObject = input.withAccount ? { account: account.name } : {};
  const isData =
    settings.output.value === 'json' || settings.output.value === 'ndjson' || options.query !== undefined;
  return {
    kind: 'text',
    text: manifestText(exported, headLines(account, head)),
    ...(isData ? { value: manifestValue(exported, head) } : {}),
    ...partly(exported),
  };
}

const partly = ({ isWhole }: Exported): { readonly exit?: 'partial' } => (isWhole ? {} : { exit: 'partial' });

const headLines = (account: SnapshotAccount, head: JsonObject): readonly string[] => [
  '# yaml-language-server: $schema=manifest.schema.json',
  `# ${account.name} at ${account.origin}`,
  '',
  ...Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`),
];

async function accountOf(service: Service, context: Context): Promise<SnapshotAccount> {
  const { profile } = await context.session();
  const got = await service.get(kindByName('account_settings'), service.accountId);
  const name = got.found === 'record' ? got.record?.name : undefined;
  return {
    id: service.accountId,
    name: typeof name === 'string' ? name : service.accountId,
    origin: new URL(profile.baseUrl).origin,
  };
}

function sectionsOf(words: readonly string[]): ReadonlySet<KindName> | undefined {
  if (words.length === 0) return undefined;
  const names = words
    .flatMap((word) => word.split(','))
    .map((word) => word.trim())
    .filter(Boolean);
  const found = names.map((name) => {
    const kind = kindOf(name);
    if (kind) return kind.name;
    const near = nearest(
      name,
      kinds.map((each) => each.name),
    );
    throw new Failure('usage', `--only takes sections of a manifest; ${JSON.stringify(name)} is none.`, {
      hint:
        near === undefined
          ? `Sections are: ${kinds.map((each) => each.name).join(', ')}.`
          : `Did you mean ${near}?`,
    });
  });
  if (found.length === 0) throw new Failure('usage', '--only names no section.');
  return new Set(found);
}
