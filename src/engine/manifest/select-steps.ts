import { Failure } from '../../base/failure.ts';
import { omitUndefined, unlessEmpty } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { didYouMean, hyphenate } from '../../base/wording.ts';
import { objectKey } from '../state/log.ts';
import { type DesiredAccount, referencesIn } from './desired.ts';
import { type KindName, kinds } from './kinds.ts';
import type { Plan, Step } from './plan.ts';

/** A value of `--only`: `users` or `users/alice`. */
export interface Selection {
  readonly word: string;
  readonly kind: KindName;
  /** Local name. If it is missing, the selection contains all objects of the kind. */
  readonly name: string | undefined;
}

/** Parses the values of `--only`. Throws `Failure` of kind `usage` for an unknown section. */
export function readSelections(words: readonly string[]): readonly Selection[] {
  return words.map((word) => {
    const at = word.indexOf('/');
    const section = at === -1 ? word : word.slice(0, at);
    const kind = kinds.find(({ name, resource }) =>
      [name, hyphenate(name), resource.singular, hyphenate(resource.singular)].includes(section),
    );
    if (kind === undefined) {
      const near = findNearest(
        section,
        kinds.map(({ name }) => name),
      );
      throw new Failure(
        'usage',
        `--only ${word}: manifests have no section "${section}".${didYouMean(near)}`,
        {
          hint: 'Name a section, or an object of one: --only users, --only users/alice',
        },
      );
    }
    return { word, kind: kind.name, name: at === -1 ? undefined : word.slice(at + 1) };
  });
}

const isAnySelected = (selections: readonly Selection[], key: string): boolean =>
  selections.some((selection) => isSelected(selection, key));

/** A name also selects the objects that its `for_each` creates. */
export function isSelected({ kind, name }: Selection, key: string): boolean {
  if (name === undefined) return key === kind || key.startsWith(`${kind}.`);
  // The key of a duplicate contains the key of its object and the id.
  return [`${kind}.${name}[`, `${kind}.${name}=`].some((start) => `${key}=`.startsWith(start));
}

/** Returns the selected part of a plan and the steps that it needs. `needed` contains keys of other steps to keep. */
export function onlySelected(
  plan: Plan,
  selections: readonly Selection[],
  needed: ReadonlySet<string> = new Set(),
): Plan {
  if (selections.length === 0) return plan;
  const isKeySelected = (key: string): boolean => isAnySelected(selections, key);
  const byKey = new Map(plan.steps.map((step) => [step.key, step]));
  const wanted = new Set<string>();
  const open = plan.steps.filter((step) => isKeySelected(objectKey(step)) || needed.has(step.key));
  while (open.length > 0) {
    const step = open.pop();
    if (step === undefined || wanted.has(step.key)) continue;
    wanted.add(step.key);
    // An object that releases a value temporarily gets it, or another value, again.
    const others = [...step.after, step.releases, step.completes, ...completingKeys(plan, step)];
    open.push(...others.flatMap((key) => (key === undefined ? [] : (byKey.get(key) ?? []))));
  }
  const kept = (plan.kept ?? []).filter(({ key }) => isKeySelected(key));
  const doubles = (plan.doubles ?? []).filter(({ key }) => isKeySelected(key));
  const { kept: _, doubles: __, ...rest } = plan;
  return {
    ...rest,
    steps: plan.steps.filter(({ key }) => wanted.has(key)),
    ...omitUndefined({ kept: unlessEmpty(kept), doubles: unlessEmpty(doubles) }),
  };
}

const completingKeys = ({ steps }: Plan, { key, action }: Step): readonly string[] =>
  action === 'create' ? steps.flatMap((step) => (step.completes === key ? [step.key] : [])) : [];

export const selectKeys = (
  keys: ReadonlySet<string>,
  selections: readonly Selection[],
): ReadonlySet<string> => new Set([...keys].filter((key) => isAnySelected(selections, key)));

export const neededAccounts = (
  accounts: readonly DesiredAccount[],
  selections: readonly Selection[],
): ReadonlySet<string> =>
  new Set(
    accounts.flatMap(({ account, objects }) =>
      objects.some(({ key }) => isAnySelected(selections, key)) ? referencesIn(account) : [],
    ),
  );

/** Throws `Failure` (`usage`) if a selection matches no object of the manifest, now or before. */
export function refuseEmptySelections(
  desired: readonly DesiredAccount[],
  planned: readonly { readonly plan: Plan }[],
  selections: readonly Selection[],
): void {
  if (selections.length === 0) return;
  const keys = [
    ...desired.flatMap(({ objects }) => objects.map(({ key }) => key)),
    ...planned.flatMap(({ plan }) => [...plan.steps, ...(plan.kept ?? [])].map(({ key }) => key)),
  ];
  for (const selection of selections) {
    if (keys.some((key) => isSelected(selection, key))) continue;
    const { word, kind, name } = selection;
    const prefix = `${kind}.`;
    const names = keys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
    const near = name === undefined ? undefined : findNearest(name, names);
    const meant = didYouMean(near === undefined ? undefined : `${kind}/${near}`);
    throw new Failure('usage', `--only ${word}: the manifest has no such object.${meant}`);
  }
}
