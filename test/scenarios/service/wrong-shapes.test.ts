import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../../src/base/failure.ts';
import { isObject, type Json } from '../../../src/base/json.ts';
import { allCommands, createLines } from '../../support/command-lines.ts';
import { commitCount } from '../../support/commit-count.ts';
import { openWorld } from '../../support/world.ts';

/** Returns a value with all leaves changed to another type. */
function changeTypes(value: Json | undefined): Json {
  if (typeof value === 'string') return 7;
  if (typeof value === 'number') return 'seven';
  if (typeof value === 'boolean') return null;
  if (value === null || value === undefined) return [];
  if (Array.isArray(value))
    return Object.fromEntries(value.map((each, index) => [`k${index}`, changeTypes(each)]));
  return Object.values(value).map(changeTypes);
}

/** Returns the expected objects with invalid values. */
function changeValues(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(changeValues);
  if (!isObject(value)) return changeTypes(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changeValues(each)]));
}

/** Returns the same objects without content. */
function emptyObjects(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(emptyObjects);
  if (!isObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptyObjects(each)]));
}

/** Values that a service may send as `data`. */
const shapes: Readonly<Record<string, (data: Json) => Json>> = {
  nothing: () => null,
  'a number': () => 7,
  'a text': () => 'none',
  'an empty array': () => [],
  'an empty object': () => ({}),
  'an array of numbers': () => [1, 2, 3],
  'an object in an array': (data) => [data],
  'records in records': (data) => ({ records: data }),
  'other types': changeTypes,
  'wrong values': changeValues,
  'empty values': emptyObjects,
};

/**
 * `SHAPES=all` tries every shape with every command. Otherwise each command gets one shape, which changes with every
 * commit.
 */
const names = Object.keys(shapes);
const selectShapes = (position: number): readonly string[] =>
  process.env.SHAPES === 'all' ? names : [names[(position + commitCount) % names.length] ?? ''];

const rewriteData = (shape: string) => (body: string) => {
  // Some operations return an empty body, a file or a text instead of an envelope.
  if (body !== '' && !body.startsWith('{')) return body;
  const envelope: unknown = body === '' ? { status: 'success', data: {} } : JSON.parse(body);
  if (!isObject(envelope) || envelope.data === undefined) return body;
  return JSON.stringify({ ...envelope, data: shapes[shape]?.(envelope.data) });
};

const codes = new Set<number>([0, ...Object.values(exitCodes)]);

describe('responses of the wrong shape', () => {
  for (const [position, command] of allCommands.filter(({ path }) => path[0] !== 'sandbox').entries())
    test(`are not reported as bugs by telctl ${command.path.join(' ')}`, async () => {
      const world = await openWorld();
      const lines = await createLines(command, world);
      for (const shape of selectShapes(position))
        for (const { argv, answered, run } of lines) {
          const fault = { kind: 'rewrite', change: rewriteData(shape) } as const;
          const { code, stderr } = await world.telctl([...argv, ...answered], {
            ...run,
            faults: [...(run.faults ?? []), { fault }],
          });
          const where = `${argv.join(' ')} with ${shape}: ${stderr}`;
          expect(stderr, where).not.toMatch(/bug in telctl|TypeError|RangeError/);
          expect(codes, where).toContain(code);
        }
    });
});
