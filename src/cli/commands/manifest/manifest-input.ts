import { Failure } from '../../../base/failure.ts';
import { firstLines } from '../../../base/wording.ts';
import { groupedLines, type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { DesiredAccount, DesiredObject } from '../../../engine/manifest/desired.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import type { Plan } from '../../../engine/manifest/plan.ts';
import { allOrNoneProblems } from '../../../engine/manifest/plan-safety.ts';
import { type Manifest, type ManifestOptions, readManifest } from '../../../engine/manifest/read-manifest.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { manifestOptions } from '../manifest-options.ts';
import { checkNumberClasses } from '../records/number-classes.ts';
import { annotationOf } from './annotations.ts';

type ManifestInput = Omit<InputOf<typeof manifestOptions>, 'strictInput'> & {
  readonly strictInput?: boolean | undefined;
  /** Columns of a list of accounts that are variables. Unused ones are allowed. */
  readonly columns?: readonly string[];
};

/** Only the country of an option or variable overrides that of the manifest. */
function countryOfSettings({
  country: { source, value },
}: Pick<Context['settings'], 'country'>): ManifestOptions['country'] {
  return source === 'option' || source === 'environment' ? { named: value } : { usual: value };
}

/** Reads the manifest of the options and reports its warnings. Throws `usage` without a manifest, and `invalid`. */
export async function readManifestInput(
  { host, notices, settings }: Pick<Context, 'host' | 'notices'> & Partial<Pick<Context, 'settings'>>,
  input: ManifestInput,
  {
    allowUnset = false,
    runsPrograms = true,
    conventionsLater = false,
    despiteProblems = false,
  }: Pick<ManifestOptions, 'allowUnset' | 'conventionsLater' | 'despiteProblems'> & {
    /** Runs the user's credential programs to read secrets. Otherwise these secrets count as unset. */
    readonly runsPrograms?: boolean;
  } = {},
): Promise<Manifest> {
  if (input.file.length === 0)
    throw new Failure('usage', 'No manifest was named.', {
      hint: 'Name files or folders with -f, or - for standard input: -f office.yaml',
    });
  const manifest = await readManifest(host, {
    files: input.file,
    vars: varsOf(input.var),
    columns: input.columns,
    allowFiles: input.allowFiles,
    set: input.setName,
    country: settings && countryOfSettings(settings),
    allowUnknownFields: input.allowUnknownFields ?? false,
    strictInput: input.strictInput ?? false,
    allowUnset,
    conventionsLater,
    despiteProblems,
    secretsOf:
      runsPrograms && settings !== undefined
        ? async (names) =>
            (await import('../../../client/session/manifest-secrets.ts')).manifestSecrets(
              host,
              names,
              settings.timeoutMs.value,
            )
        : undefined,
    beforeFailure: (warnings) => reportWarnings(notices, warnings),
  });
  reportWarnings(notices, manifest.warnings);
  return manifest;
}

/** Warns about objects that compatible services refuse. Throws `invalid` for certain refusals or strict input. */
export async function checkManifestConventions(
  context: Context,
  accounts: readonly Checked[],
  { strictInput: isStrict = false, allowUnknownFields = false }: Strictness,
): Promise<void> {
  const { notices } = context;
  const apart = accounts.flatMap(({ desired, plan }) => allOrNoneProblems(desired, plan));
  if (isStrict) {
    if (apart.length > 0) throw problemsFailure(apart);
    return;
  }
  const sent = accounts.map(({ desired, plan, observed }) => {
    const actions = new Map(plan.steps.map(({ key, action }) => [key, action]));
    const isSent = ({ key }: DesiredObject): boolean => {
      const action = actions.get(key);
      return action === 'create' || action === 'update';
    };
    const id = observed.account.id;
    const { steps } = plan;
    return { objects: desired.objects.filter(isSent), account: desired.account, actions, id, steps };
  });
  if (sent.every(({ objects }) => objects.length === 0)) return;
  // Imported lazily, because the validator is large.
  const [{ conventionWarnings }, { findNumberClasses: classesIn }] = await Promise.all([
    import('../../../engine/manifest/conventions.ts'),
    import('../../../contract/word-findings.ts'),
  ]);
  const found: Problem[] = [];
  for (const account of sent) {
    const warnings = conventionWarnings([account], ({ key }) => account.actions.get(key) === 'create');
    const named = account.objects.flatMap((object) =>
      classesIn(kindByName(object.kind).schema, object.fields).map(({ name, path }) => ({
        name,
        problem: (message: string) => object.problem(path, message),
      })),
    );
    const settled = await checkNumberClasses(context, account.id, warnings, named);
    found.push(
      ...settled.map((each) => (isPresentAlready(each, account.steps) ? withoutRefusal(each) : each)),
    );
  }
  const refused = allowUnknownFields ? [] : found.filter((each) => each.refused);
  reportWarnings(notices, [...found.filter((each) => !refused.includes(each)), ...apart]);
  if (refused.length > 0) throw problemsFailure(refused);
}

function isPresentAlready({ refusedAt }: Problem, steps: Plan['steps']): boolean {
  if (refusedAt === undefined) return false;
  const { key, path } = refusedAt;
  return steps.some(
    (step) =>
      step.key === key &&
      step.action === 'update' &&
      !step.changes.some(
        ({ path: changed }) =>
          changed === path || changed.startsWith(`${path}.`) || path.startsWith(`${changed}.`),
      ),
  );
}

const withoutRefusal = ({ refused: _, ...problem }: Problem): Problem => problem;

interface Checked {
  readonly desired: DesiredAccount;
  readonly plan: Plan;
  readonly observed: { readonly account: { readonly id: string | undefined } };
}

interface Strictness {
  readonly strictInput?: boolean | undefined;
  readonly allowUnknownFields?: boolean | undefined;
}

export function reportWarnings(notices: Context['notices'], warnings: readonly Problem[]): void {
  for (const warning of warnings) notices.annotate?.(annotationOf('warning', warning));
  for (const line of firstLines(groupedLines(warnings), '; validate -o json has all of them'))
    notices.warn(line);
}

function varsOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new Failure('usage', `--var takes NAME=VALUE, not ${JSON.stringify(text)}.`);
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}
