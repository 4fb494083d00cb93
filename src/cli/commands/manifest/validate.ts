import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { formatCount, joinUpTo } from '../../../base/wording.ts';
import { assumedZone } from '../../../contract/temporal-route.ts';
import { flowsOfManifest } from '../../../engine/callflows/flow-set.ts';
import type { Problem } from '../../../engine/input/document.ts';
import { formatJunit, formatSarif, type Noted } from '../../../engine/input/notations.ts';
import { type Desired, shownReferences } from '../../../engine/manifest/desired.ts';
import { type KindName, kinds } from '../../../engine/manifest/kinds.ts';
import { manifestFiles } from '../../../engine/manifest/manifest-files.ts';
import type { Manifest } from '../../../engine/manifest/read-manifest.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { extensionPart } from '../extension.ts';
import { manifestOptions } from '../manifest-options.ts';
import { annotateOption, withAnnotations } from './annotations.ts';
import { readManifestInput, reportWarnings } from './manifest-input.ts';

const validateOptions = {
  ...manifestOptions,
  ...annotateOption,
  allowUnset: {
    doc: 'Accept unset environment variables, for machines without the secrets',
  },
} as const;

export const validateCommands: readonly Command[] = [
  defineCommand({
    path: ['validate'],
    summary: 'Check a manifest without the service',
    description:
      'Finds problems without a request to the service: unknown fields, wrong types, missing or circular references, unset variables and duplicate names. Lists all problems, each with file, line and column. Findings of callflows lint, and values that compatible services refuse, are warnings. telctl help manifests explains manifests.',
    options: validateOptions,
    effect: 'local',
    attended: false,
    documents: ['sarif', 'junit'],
    examples: {
      'telctl validate -f office.yaml': 'One file',
      'telctl validate -f base/ -f prod.yaml --var site=zurich': 'Validate a folder and an overlay',
      'telctl validate -f office.yaml --allow-unset': 'Validate without the secrets',
    },
    load: async () => validate,
  }),
];

const version = 1 as const;
const namedAtMost = 10;

export type Validation = {
  readonly version: typeof version;
  readonly valid: true;
  readonly set: string;
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  readonly accounts: readonly {
    readonly account: string | null;
    readonly objects: Readonly<Record<string, number>>;
  }[];
  readonly environment: { readonly set: readonly string[]; readonly unset: readonly string[] };
  readonly unset: readonly { readonly object: string; readonly field: string }[];
  readonly warnings: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly column: number | null;
    readonly message: string;
  }[];
};

/** Needs no service and no sign-in. */
async function validate(input: InputOf<typeof validateOptions>, context: Context): Promise<Result> {
  const { output } = context.settings;
  const notations = (found: readonly Noted[]) => reportsOf(manifestFiles(context.host, input.file), found);
  try {
    const { manifest, value } = await withAnnotations(context, input.annotate, (own) =>
      validateManifest(own, input),
    );
    const found = value.warnings.map((each) => findingOf('warning', each));
    return { kind: 'done', message: formatValidationSummary(manifest), value, documents: notations(found) };
  } catch (error) {
    const problems = error instanceof Failure && isObject(error.details) ? error.details.problems : undefined;
    const isNotation = output.value === 'sarif' || output.value === 'junit';
    if (!(error instanceof Failure) || !isNotation || !Array.isArray(problems)) throw error;
    const found = problems.filter((each: Json) => isObject(each)).map((each) => findingOf('error', each));
    return { kind: 'text', text: [], failure: error, documents: notations(found) };
  }
}

function findingOf(level: 'error' | 'warning', { file, line, column, message }: JsonObject): Noted {
  const [, text = String(message), rule = level === 'error' ? 'invalid' : 'warning'] =
    /^(.*) \(([a-z-]+)\)$/.exec(String(message)) ?? [];
  const place = (value: Json | undefined): number | undefined =>
    typeof value === 'number' ? value : undefined;
  return { rule, level, message: text, file: String(file), line: place(line), column: place(column) };
}

const reportsOf = (files: readonly string[], found: readonly Noted[]) => ({
  sarif: () => formatSarif(found),
  junit: () =>
    formatJunit(
      'telctl validate',
      files,
      found.map((each) => ({ ...each, of: each.file ?? '' })),
    ),
});

/** Throws `invalid` with the problems of the manifest. */
export async function validateManifest(
  context: Pick<Context, 'host' | 'notices'> & Partial<Pick<Context, 'settings'>>,
  input: Omit<InputOf<typeof validateOptions>, 'annotate'>,
): Promise<{ readonly manifest: Manifest; readonly value: Validation }> {
  const manifest = await readManifestInput(context, input, {
    allowUnset: input.allowUnset ?? false,
    runsPrograms: false,
  });
  const { desired } = manifest;
  const flows = await flowWarnings(desired, manifest.warnings);
  reportWarnings(context.notices, flows);
  for (const { objects } of desired.accounts) {
    const fieldsOf = (wanted: KindName) =>
      objects.flatMap(({ kind, fields }) => (kind === wanted ? [fields] : []));
    const [settings] = fieldsOf('account_settings');
    const assumed = assumedZone(settings?.timezone, fieldsOf('temporal_rules'));
    if (assumed !== undefined) context.notices.say(assumed);
  }
  const warnings = [...manifest.warnings, ...flows];
  const value: Validation = {
    version,
    valid: true,
    set: desired.set,
    inputs: desired.inputs.map(({ name, sha256 }) => ({ name, sha256 })),
    accounts: desired.accounts.map(({ account, objects }) => ({
      account: account === undefined ? null : shownReferences(account),
      objects: countByKind(objects.map(({ kind }) => kind)),
    })),
    environment: environmentVariables(manifest),
    unset: desired.accounts.flatMap(({ objects }) =>
      objects.flatMap(({ key, unset }) =>
        unset.map((path) => ({ object: key, field: shownReferences(path) })),
      ),
    ),
    warnings: warnings.map(({ file, line, column, message }) => ({
      file,
      line: line ?? null,
      column: column ?? null,
      message,
    })),
  };
  return { manifest, value };
}

function countByKind(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = kinds.map(({ name }) => [name, names.filter((each) => each === name).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const environmentVariables = ({ filledIn, unset }: Manifest) => {
  const set = [...filledIn.keys()].flatMap((name) => (name.startsWith('env.') ? [name.slice(4)] : []));
  return { set: set.toSorted(), unset: unset.toSorted() };
};

/** `office.yaml: 14 objects in 1 account, 3 variables of the environment, 2 not set: …` */
function formatValidationSummary(manifest: Manifest): string {
  const { inputs, accounts, set } = manifest.desired;
  const [first, ...others] = inputs;
  const name = others.length === 0 && first ? first.name : `${set} (${formatCount(inputs.length, 'file')})`;
  const objects = accounts.reduce((sum, account) => sum + account.objects.length, 0);
  const environment = environmentVariables(manifest);
  const asked = environment.set.length + environment.unset.length;
  const parts = [
    `${formatCount(objects, 'object')} in ${formatCount(accounts.length, 'account')}`,
    ...(asked === 0 ? [] : [`${formatCount(asked, 'variable')} of the environment`]),
    ...(environment.unset.length === 0
      ? []
      : [`${environment.unset.length} not set: ${joinUpTo(environment.unset, namedAtMost)}`]),
  ];
  return `${name}: ${parts.join(', ')}`;
}

/** Fields that a callflow inherits if the manifest does not set them, by lint rule. */
const aboutField = new Map([
  ['empty-flow', 'flow'],
  ['no-number', 'numbers'],
]);

async function flowWarnings(
  { accounts }: Desired,
  told: readonly Problem[] = [],
): Promise<readonly Problem[]> {
  const lint = await extensionPart('lint')?.();
  if (!lint) return [];
  const places = new Set(told.map(({ place }) => place));
  return accounts.flatMap((account) => {
    const confidential = new Set(
      account.objects.flatMap((object) => object.confidential.map((path) => `${object.key} ${path}`)),
    );
    return lint(flowsOfManifest(account)).flatMap((finding) => {
      const { rule, callflow, field, message } = finding;
      // The manifest reader reports these, unless the object allows them.
      if (rule === 'emergency-shadowed' || rule === 'emergency-barred') return [];
      const needed = aboutField.get(rule);
      if (needed !== undefined && !Object.hasOwn(callflow.record, needed)) return [];
      // Values from the environment or a file are never shown, even if they are wrong.
      const shown = confidential.has(`${callflow.id} ${field}`)
        ? 'the value filled in here is not valid'
        : message;
      const problem = callflow.problem?.(field, `${shown} (${rule})`);
      return problem === undefined || places.has(problem.place) ? [] : [problem];
    });
  });
}
