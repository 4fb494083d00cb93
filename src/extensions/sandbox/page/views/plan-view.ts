import { isObject, type Json, type JsonObject } from '../../../../base/json.ts';
import { formatCount } from '../../../../base/wording.ts';
import type { DrawnStep } from '../../../../engine/html/flow-layout.ts';
import {
  type Content,
  clipText,
  html,
  isolateText,
  linkTo,
  type Markup,
  scrollingTable,
} from '../../../../engine/html/markup.ts';
import type { AccountOnPage, PlannedChange, PlannedStep, PlanOnPage, Reader } from '../../reader.ts';
import { readFlow } from './flow-steps.ts';
import { type FlowSide, flowSides } from './plan-flow.ts';
import { showPicture } from './record-view.ts';
import { kindNamed } from './records.ts';

const stepsAtMost = 300;
const picturesAtMost = 20;

interface Side {
  readonly side: FlowSide;
  readonly flow: DrawnStep | undefined;
}

interface Pictures {
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

/** Draws at most `most` changed callflows. Returns them by the keys of their steps. */
async function picturesOf(
  reader: Reader,
  { id, isHere, steps }: AccountOnPage,
  most: number,
): Promise<ReadonlyMap<string, Pictures>> {
  const wanted = steps
    .filter(({ kind, action }) => kind === 'callflows' && action !== 'unchanged')
    .slice(0, most);
  const ids = new Map(
    steps.flatMap((step) => (step.id === undefined ? [] : [[`\${${step.key}}`, step.id] as const])),
  );
  // An account of another service, or one that does not exist yet, cannot be read.
  const accountId = isHere ? id : undefined;
  const sideOf = async (side: FlowSide | undefined): Promise<Side | undefined> =>
    side && { side, flow: await readFlow(reader, side.callflow, accountId, side.marks) };
  const drawn = wanted.map(async (step) => {
    const isThere = accountId !== undefined && step.id !== undefined;
    const live = isThere ? await reader.record(accountId, 'callflows', step.id) : undefined;
    const { before, after } = flowSides(step, live, ids);
    return [step.key, { before: await sideOf(before), after: await sideOf(after) }] as const;
  });
  return new Map(await Promise.all(drawn));
}

const signs: Readonly<Record<string, readonly [sign: string, tone: string]>> = {
  create: ['+ create', 'good'],
  update: ['~ update', 'warn'],
  delete: ['− delete', 'bad'],
  unverifiable: ['? unverifiable', 'other'],
};

/** Describes a flow step briefly. The picture shows the details. */
const stepText = ({ module, data, children }: JsonObject): Content => {
  const id = isObject(data) && typeof data.id === 'string' ? data.id : '';
  const more = isObject(children) ? Object.keys(children).length : 0;
  return html`<b>${isolateText(String(module))}</b> ${isolateText(id)}${more > 0 && html` <span class="dim">and its branches</span>`}`;
};

const valueContent = (value: Json | undefined): Content => {
  if (value === undefined || value === null) return html`<span class="dim">none</span>`;
  if (typeof value === 'string') return isolateText(value);
  if (isObject(value) && typeof value.module === 'string') return stepText(value);
  return isObject(value) || Array.isArray(value)
    ? html`<code class="json">${JSON.stringify(value, null, 1)}</code>`
    : String(value);
};

function showSides({
  how,
  before,
  after,
  secret,
  from,
  sources,
}: PlannedChange): readonly [Content, Content] {
  if (secret)
    return [html`<span class="dim">not shown</span>`, html`set${sources && ` from ${sources.join(', ')}`}`];
  const source = sources && html` <span class="dim">from ${isolateText(sources.join(', '))}</span>`;
  if (how === 'moved') return [html`at ${isolateText(from ?? '')}`, html`moved: ${valueContent(after)}`];
  if (how === 'removed') return [valueContent(before), html`<span class="dim">removed</span>`];
  return [how === 'added' ? '' : valueContent(before), html`${valueContent(after)}${source}`];
}

const changeRow = (change: PlannedChange): Markup => {
  const [before, after] = showSides(change);
  return html`<tr><th scope="row">${isolateText(change.path.replaceAll('%2E', '.'))}${change.drift && html` <span class="chip no">changed by others</span>`}</th><td class="wide" data-side="Before">${before}</td><td class="wide" data-side="After">${after}</td></tr>`;
};

const showFigure = (words: string, picture: Side | undefined): Markup =>
  html`<figure><figcaption>${words}</figcaption>${
    picture?.flow ? showPicture(picture.side.callflow, picture.flow) : html`<p class="dim">None.</p>`
  }</figure>`;

const sideBySide = (pictures: Pictures | undefined): Content =>
  pictures &&
  (pictures.before || pictures.after) &&
  html`<div class="beside">${showFigure('Before', pictures.before)}${showFigure('After', pictures.after)}</div>`;

function stepView(step: PlannedStep, account: AccountOnPage, pictures: Pictures | undefined): Markup {
  const { label, action, changes, notes, id, kind } = step;
  const [sign, tone] = signs[action] ?? [action, 'other'];
  const isLinked = account.isHere && account.id !== undefined && id !== undefined && kindNamed(kind);
  const name = isLinked
    ? html`<a href="${linkTo({ accountId: account.id, kind, id })}">${isolateText(label)}</a>`
    : isolateText(label);
  const isDrawn = pictures?.before !== undefined || pictures?.after !== undefined;
  const rows = changes.filter(({ path, after }) => !(isDrawn && path === 'flow' && isObject(after)));
  return html`<section class="planned"><h3><span class="status ${tone}">${sign}</span> ${name}</h3>${notes.map(
    (note) => html`<p class="dim">${clipText(note)}</p>`,
  )}${sideBySide(pictures)}${
    rows.length > 0 && scrollingTable('Changes', ['Field', 'Before', 'After'], rows.map(changeRow))
  }</section>`;
}

function accountPart(account: AccountOnPage, pictures: ReadonlyMap<string, Pictures>): Markup {
  const { name, origin, isHere, steps, refused } = account;
  const changing = steps.filter(({ action }) => action !== 'unchanged');
  const unchanged = steps.length - changing.length;
  const more = changing.length - stepsAtMost;
  const counts = ['create', 'update', 'delete', 'unverifiable'].flatMap((action) => {
    const count = changing.filter((step) => step.action === action).length;
    return count === 0 ? [] : [`${count} to ${action}`.replace('to unverifiable', 'unverifiable')];
  });
  return html`<h2 class="account">${isolateText(name)} at ${isolateText(origin)}</h2><p class="facts"><span>${[...counts, `${unchanged} unchanged`].join(', ')}</span></p>${
    !isHere &&
    html`<p class="nothing">This account belongs to another service, so its current state is not shown.</p>`
  }${refused !== undefined && html`<p class="note">apply would refuse this: ${isolateText(refused)}</p>`}${changing
    .slice(0, stepsAtMost)
    .map((step) => stepView(step, account, pictures.get(step.key)))}${
    more > 0 && html`<p class="dim">and ${formatCount(more, 'more object')}: <code>telctl plan</code></p>`
  }`;
}

/** Shows a saved plan, with old and new values of each object and pictures of callflows. */
export async function planView(reader: Reader, plan: PlanOnPage): Promise<Markup> {
  const parts: Markup[] = [];
  let left = picturesAtMost;
  for (const account of plan.accounts) {
    const pictures = await picturesOf(reader, account, left);
    left -= pictures.size;
    parts.push(accountPart(account, pictures));
  }
  return html`<h1>Plan <small>${isolateText(plan.name)}</small></h1><p class="facts"><span>Planned changes, before and after.</span><span>Pictures start from the current callflows. Signs: + new, − removed, → moved, ~ changed.</span></p>${parts}`;
}
