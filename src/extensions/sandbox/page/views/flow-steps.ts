import { isObject, type JsonObject, textsIn } from '../../../../base/json.ts';
import { shortId } from '../../../../base/wording.ts';
import { kindsNamed, listReferences } from '../../../../contract/callflow-modules.ts';
import { resourceByName } from '../../../../contract/catalogue.ts';
import type { DrawnStep } from '../../../../engine/html/flow-layout.ts';
import { linkTo } from '../../../../engine/html/markup.ts';
import type { Reader, ReadRecord } from '../../reader.ts';
import { isRecordId, kindNamed, type NamedIds, pageName, readBrief } from './records.ts';

/** Maximum depth and number of steps of a picture. */
const deepest = 200;
const stepsAtMost = 400;

/** Lists the steps of a flow depth first, up to the limits of a picture. */
function stepsIn(flow: JsonObject): readonly JsonObject[] {
  const steps: JsonObject[] = [];
  const visit = (step: JsonObject, depth: number): void => {
    if (steps.length === stepsAtMost || depth > deepest) return;
    steps.push(step);
    for (const [, child] of childSteps(step)) visit(child, depth + 1);
  };
  visit(flow, 0);
  return steps;
}

/** Returns the branches of a step. The default branch is last. */
export const childSteps = ({ children }: JsonObject): readonly (readonly [string, JsonObject])[] =>
  Object.entries(isObject(children) ? children : {})
    .flatMap(([key, child]) => (isObject(child) ? [[key, child] as const] : []))
    .toSorted(([a], [b]) => Number(a === '_') - Number(b === '_'));

const more: DrawnStep = { name: '…', about: 'more steps', branches: [] };

/** Reads the names of the records that the drawn steps of a callflow refer to. */
async function readTargets(
  reader: Reader,
  steps: readonly JsonObject[],
  accountId: string | undefined,
): Promise<NamedIds> {
  if (accountId === undefined) return new Map();
  const wanted = new Map(
    steps
      .flatMap((step) => listReferences(step))
      .map(({ id, reference }) => [id, kindsNamed(reference)] as const)
      .filter(([id, kinds]) => kinds.length > 0 && isRecordId(id)),
  );
  return new Map(
    await Promise.all(
      [...wanted].map(async ([id, kinds]) => {
        for (const kind of kinds) {
          const record = await readBrief(reader, accountId, kind, id);
          if (!record) continue;
          const link = kindNamed(kind) ? linkTo({ accountId, kind, id }) : undefined;
          return [id, { name: pageName(record, resourceByName(kind)), link }] as const;
        }
        return [id, { name: shortId(id), link: undefined }] as const;
      }),
    ),
  );
}

export type FlowMarks = ReadonlyMap<JsonObject, string>;

const signs: Readonly<Record<string, string>> = { new: '+', gone: '−', moved: '→', changed: '~' };

/** Returns the name of a target without a known id. Plans refer to objects by names, like manifests. */
const targetName = (text: string): string =>
  /^\$\{\w+\.(.*)\}$/s.exec(text)?.[1] ?? (isRecordId(text) ? shortId(text) : text);

/**
 * Reads a callflow as the steps of a picture, starting with its numbers. Returns `undefined` if it has no flow. Ids
 * are replaced by names of the account. Without an account, names are not read. `marks` contains the steps that are
 * `new`, `gone`, `moved` or `changed`.
 */
export async function readFlow(
  reader: Reader,
  { id: callflowId, body }: ReadRecord,
  accountId: string | undefined,
  marks: FlowMarks = new Map(),
): Promise<DrawnStep | undefined> {
  if (!isObject(body.flow)) return undefined;
  const steps = stepsIn(body.flow);
  const known = await readTargets(reader, steps, accountId);
  const drawn = new Set(steps);
  const toDrawnStep = (step: JsonObject): DrawnStep => {
    const ids = [...new Set(listReferences(step).map(({ id }) => id))];
    const children = childSteps(step);
    const mark = marks.get(step);
    const sign = mark === undefined ? '' : `${signs[mark] ?? ''} `;
    const shown = children.filter(([, child]) => drawn.has(child));
    return {
      name: `${sign}${typeof step.module === 'string' ? step.module : '?'}`,
      about: ids.map((id) => known.get(id)?.name ?? targetName(id)).join(', '),
      link: ids.map((id) => known.get(id)?.link).find((link) => link !== undefined),
      ...(callflowId !== '' && ids.includes(callflowId) && { kind: 'back' }),
      ...(mark !== undefined && { mark }),
      branches: [
        ...shown.map(([key, child]) => ({ key, step: toDrawnStep(child) })),
        ...(shown.length < children.length ? [{ key: '_', step: more }] : []),
      ],
    };
  };
  const [number = 'no number', ...others] = [...textsIn(body.numbers), ...textsIn(body.patterns)];
  return { name: number, about: others.join(', '), branches: [{ key: '_', step: toDrawnStep(body.flow) }] };
}
