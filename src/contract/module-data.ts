import type { ErrorObject, FuncKeywordDefinition, ValidateFunction } from 'ajv';
import { isObject, type Json } from '../base/json.ts';
import { findNearest } from '../base/nearest.ts';
import { coerceValue } from './map-value.ts';
import { callflowModuleData } from './modules/callflow-data.ts';
import {
  anyObject,
  dataChoice,
  dataEither,
  dataFlag,
  dataInteger,
  dataList,
  dataNumber,
  dataObject,
  dataText,
  terminators,
} from './modules/shapes.ts';
import { partialSchema } from './schema.ts';
import { resolveReference, type Schema, type SchemaNode, stepKind } from './schema-node.ts';

const metaflowModuleData: Readonly<Record<string, SchemaNode>> = {
  audio_level: dataObject({
    action: dataChoice(['start', 'stop']),
    level: dataInteger({ minimum: -4, maximum: 4 }),
    mode: dataChoice(['read', 'write']),
  }),
  break: anyObject,
  callflow: dataObject({
    captures: dataText(),
    collected: dataText(),
    flow: { type: 'object', required: ['module'], 'x-modules': 'callflow' },
    id: dataText(),
  }),
  hangup: anyObject,
  hold: dataObject({ moh_aleg: dataText(), moh_bleg: dataText(), unhold_key: dataText({ default: '1' }) }),
  hold_control: dataObject({ action: dataChoice(['hold', 'unhold', 'toggle'], 'toggle') }),
  intercept: dataObject({
    auto_answer: dataFlag({ default: false }),
    can_call_self: dataFlag({ default: true }),
    target_id: dataText(),
    target_type: dataChoice(['device', 'user', 'number']),
    unbridged_only: dataFlag({ default: true }),
  }),
  move: dataObject({
    auto_answer: dataFlag({ default: false }),
    can_call_self: dataFlag({ default: true }),
    device_id: dataText(),
    dial_strategy: dataText({ default: 'simultaneous' }),
    owner_id: dataText(),
  }),
  pivot: dataObject(
    {
      cdr_url: dataText({ pattern: '^https?://' }),
      debug: dataFlag({ default: false }),
      method: dataChoice(['get', 'post', 'GET', 'POST'], 'get'),
      req_format: dataChoice(['kazoo', 'twiml'], 'kazoo'),
      voice_url: dataText({ pattern: '^https?://' }),
    },
    ['voice_url'],
  ),
  play: dataObject({ id: dataText(), leg: dataChoice(['self', 'peer', 'both'], 'both') }),
  record_call: dataObject({
    action: dataChoice(['mask', 'unmask', 'start', 'stop', 'toggle'], 'toggle'),
    format: dataChoice(['mp3', 'wav']),
    label: dataText(),
    media_name: dataText(),
    method: dataChoice(['put', 'post']),
    origin: dataText(),
    record_min_sec: dataInteger(),
    record_on_answer: dataFlag({ default: false }),
    record_on_bridge: dataFlag({ default: false }),
    record_sample_rate: dataInteger(),
    time_limit: dataInteger(),
    url: dataText(),
  }),
  relate: dataObject(
    {
      conference_id: dataText(),
      other_participant: dataEither(dataText(), dataInteger()),
      participant_id: dataEither(dataText(), dataInteger()),
      relationship: dataChoice(['deaf', 'clear', 'mute'], 'clear'),
    },
    ['participant_id', 'other_participant', 'conference_id'],
  ),
  resume: anyObject,
  say: dataObject({
    gender: dataChoice(['feminine', 'masculine', 'neuter']),
    language: dataText(),
    method: dataChoice(['pronounced', 'iterated', 'counted']),
    text: dataText(),
    type: dataChoice([
      'account_number',
      'currency',
      'current_date',
      'current_date_time',
      'current_time',
      'email_address',
      'ip_address',
      'items',
      'messages',
      'name_phonetic',
      'name_spelled',
      'number',
      'persons',
      'postal_address',
      'short_date_time',
      'telephone_extension',
      'telephone_number',
      'time_measurement',
      'url',
    ]),
  }),
  sound_touch: dataObject({
    action: dataChoice(['start', 'stop']),
    adjust_in_octaves: dataNumber({ minimum: -1.0, maximum: 1.0, default: 0 }),
    adjust_in_semitones: dataNumber({ minimum: -14.0, maximum: 14.0, default: 0 }),
    hook_dtmf: dataFlag({ default: false }),
    pitch: dataNumber({ minimum: 1.0, default: 1.0 }),
    rate: dataNumber({ minimum: 1.0, default: 1.0 }),
    sending_leg: dataFlag({ default: false }),
    tempo: dataNumber({ minimum: 1.0, default: 1.0 }),
  }),
  transfer: dataObject({
    captures: dataList(dataText(), { default: ['no_match'] }),
    leg: dataText(),
    target: dataText(),
    timeout: dataInteger(),
    transfer_type: dataChoice(['attended', 'blind'], 'blind'),
  }),
  tts: dataObject({
    engine: dataText({ default: 'flite' }),
    language: dataText(),
    leg: dataText({ default: 'self' }),
    terminators: terminators,
    text: dataText(),
    voice: dataText({ default: 'female' }),
  }),
};

/** Callflows, or flows that callers dial during a call. */
export type ModuleKind = 'callflow' | 'metaflow';

/** Services do not check `skip_module` in these modules of callflows (module data of compatible services). */
const uncheckedSkips: readonly string[] = [
  'audio_macro.prompt',
  'audio_macro.say',
  'audio_macro.tone',
  'notification',
];

/** All steps can have `skip_module`. */
const addSkipField = (
  data: Readonly<Record<string, SchemaNode>>,
  isChecked: (module: string) => boolean,
): ReadonlyMap<string, SchemaNode> =>
  new Map(
    Object.entries(data).map(([name, node]) => [
      name,
      { ...node, properties: { ...node.properties, skip_module: isChecked(name) ? dataFlag() : {} } },
    ]),
  );

const schemas: Readonly<Record<ModuleKind, ReadonlyMap<string, SchemaNode>>> = {
  callflow: addSkipField(callflowModuleData, (module) => !uncheckedSkips.includes(module)),
  metaflow: addSkipField(metaflowModuleData, () => false),
};

export const moduleData = (kind: ModuleKind, module: string): SchemaNode | undefined =>
  schemas[kind].get(module);

/** Omits parts of modules, whose names contain a dot. */
export const moduleNames = (kind: ModuleKind): readonly string[] =>
  [...schemas[kind].keys()].filter((name) => !name.includes('.'));

const known = new WeakMap<SchemaNode, Map<string, SchemaNode>>();

/**
 * Returns the node of a step with the data of its module. Returns other nodes, and steps with an unknown module,
 * unchanged.
 */
export function stepNode(root: Schema, node: SchemaNode, module: unknown): SchemaNode {
  const kind = stepKind(node);
  const taken = kind === undefined || typeof module !== 'string' ? undefined : moduleData(kind, module);
  if (taken === undefined) return node;
  const byModule = known.get(node) ?? new Map<string, SchemaNode>();
  known.set(node, byModule);
  const before = byModule.get(String(module));
  if (before !== undefined) return before;
  const open = resolveReference(root, node.properties?.data ?? {});
  const data = { ...open, properties: { ...taken.properties, ...open.properties } };
  const made = { ...node, properties: { ...node.properties, data } };
  byModule.set(String(module), made);
  return made;
}

const isRule = (word: string): boolean =>
  !['type', 'properties', 'items', 'anyOf', 'description'].includes(word);

function markAsConvention(node: SchemaNode): SchemaNode {
  const entries = Object.entries(node);
  const { properties, items, anyOf } = node;
  return {
    ...Object.fromEntries(entries.filter(([word]) => !isRule(word))),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, each]) => [key, markAsConvention(each)]),
          ),
        }
      : {}),
    ...(items ? { items: markAsConvention(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(markAsConvention) } : {}),
    'x-source': 'convention',
    'x-convention': Object.fromEntries(entries.filter(([word]) => isRule(word))),
  };
}

export function explainedModule(kind: ModuleKind, module: string): SchemaNode | undefined {
  const schema = moduleData(kind, module);
  return schema && { ...markAsConvention(schema), description: `Data of the module ${module}` };
}

type StepErrors = Partial<ErrorObject>[];

interface StepCheck {
  (kind: ModuleKind, step: unknown, flow?: SchemaNode, at?: { readonly instancePath: string }): boolean;
  errors?: StepErrors;
}

/** Removes errors inside alternatives, which are reported as a whole. */
export function outermostErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const alternatives = errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .map(({ schemaPath }) => `${schemaPath}/`);
  return errors.filter(({ schemaPath }) => !alternatives.some((start) => schemaPath.startsWith(start)));
}

/**
 * Creates the schema word `x-modules`: the `data` of a flow's step must match its module (Conventions, Callflow
 * modules). Compiles the schema of a module when its first step is checked. `fill` adds defaults and converts text to
 * numbers, like services, and `rounds` rounds fractions. In a part of a record, a step can omit its module, and
 * `null` removes a key.
 */
export function moduleKeyword(
  fill: boolean,
  rounds: boolean,
  compile: (schema: SchemaNode) => ValidateFunction,
): FuncKeywordDefinition {
  const compiled = new Map<string, ValidateFunction>();
  const compileCheck = (kind: ModuleKind, module: string, schema: SchemaNode, partial: boolean) => {
    const key = `${kind} ${module} ${partial}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = compile(partial ? { ...partialSchema(schema), required: schema.required ?? [] } : schema);
    compiled.set(key, made);
    return made;
  };

  const check: StepCheck = (kind, step, flow, at) => {
    if (!isObject(step) || typeof step.module !== 'string' || step.module === '') return true;
    const path = at?.instancePath ?? '';
    const schema = moduleData(kind, step.module);
    if (schema === undefined) {
      check.errors = [unknownModule(kind, step.module, path)];
      return false;
    }
    const data: Json = step.data ?? {};
    // The schema of the step reports other types.
    if (!isObject(data)) return true;
    const filled = fill ? coerceValue(schema, data, { rounds }) : data;
    const fits = compileCheck(kind, step.module, schema, flow?.['x-modules-partial'] === true);
    const isGood = fits(filled);
    if (fill) Object.assign(step, { data: filled });
    if (isGood) return true;
    check.errors = outermostErrors(fits.errors ?? []).map((error) => ({
      ...error,
      instancePath: `${path}/data${error.instancePath}`,
      schemaPath: `#/x-modules/${step.module}/${error.schemaPath}`,
    }));
    return false;
  };
  return { keyword: 'x-modules', type: 'object', errors: 'full', modifying: fill, validate: check };
}

function unknownModule(kind: ModuleKind, module: string, path: string): Partial<ErrorObject> {
  const near = findNearest(module, moduleNames(kind));
  return {
    keyword: 'error',
    instancePath: `${path}/module`,
    schemaPath: '#/x-modules',
    params: {},
    message: `is not a module of ${kind}s${near === undefined ? '' : `; did you mean "${near}"?`}`,
    data: module,
  };
}
