import type { ErrorObject, FuncKeywordDefinition, ValidateFunction } from 'ajv';
import { isObject, type Json } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { coerced } from '../map-value.ts';
import { type ModuleKind, moduleData, moduleNames } from '../module-data.ts';
import { partialSchema } from '../schema.ts';
import type { SchemaNode } from '../schema-node.ts';

type StepErrors = Partial<ErrorObject>[];

interface StepCheck {
  (kind: ModuleKind, step: unknown, flow?: SchemaNode, at?: { readonly instancePath: string }): boolean;
  errors?: StepErrors;
}

/** Findings without those inside alternatives that are reported as a whole. */
export function outermost(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const alternatives = errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .map(({ schemaPath }) => `${schemaPath}/`);
  return errors.filter(({ schemaPath }) => !alternatives.some((start) => schemaPath.startsWith(start)));
}

/**
 * The schema word `x-modules`: the `data` of a flow's step has to fit the step's module (Conventions, Callflow
 * modules). The schemas of the modules are compiled when the first step of that module is checked. `fill` puts
 * their defaults into the data and converts text to numbers, as services do, and `rounds` makes whole numbers of fractions. In a part of a record a step may lack
 * its module, and `null` removes a key.
 */
export function moduleKeyword(
  fill: boolean,
  rounds: boolean,
  compile: (schema: SchemaNode) => ValidateFunction,
): FuncKeywordDefinition {
  const compiled = new Map<string, ValidateFunction>();
  const checkOf = (kind: ModuleKind, module: string, schema: SchemaNode, partial: boolean) => {
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
    // What is no object is told of by the schema of the step.
    if (!isObject(data)) return true;
    const filled = fill ? coerced(schema, data, { rounds }) : data;
    const fits = checkOf(kind, step.module, schema, flow?.['x-modules-partial'] === true);
    const isGood = fits(filled);
    if (fill) Object.assign(step, { data: filled });
    if (isGood) return true;
    check.errors = outermost(fits.errors ?? []).map((error) => ({
      ...error,
      instancePath: `${path}/data${error.instancePath}`,
      schemaPath: `#/x-modules/${step.module}/${error.schemaPath}`,
    }));
    return false;
  };
  return { keyword: 'x-modules', type: 'object', errors: 'full', modifying: fill, validate: check };
}

function unknownModule(kind: ModuleKind, module: string, path: string): Partial<ErrorObject> {
  const near = nearest(module, moduleNames(kind));
  return {
    keyword: 'error',
    instancePath: `${path}/module`,
    schemaPath: '#/x-modules',
    params: {},
    message: `is not a module of ${kind}s${near === undefined ? '' : `; did you mean "${near}"?`}`,
    data: module,
  };
}
