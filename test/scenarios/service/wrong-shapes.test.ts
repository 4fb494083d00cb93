import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../../src/base/failure.ts';
import { isObject, type Json } from '../../../src/base/json.ts';
import { allCommands, linesFor } from '../../support/command-lines.ts';
import { commitCount } from '../../support/commit-count.ts';
import { openWorld } from '../../support/world.ts';

/** Every value as another type, however deep. */
function twisted(value: Json | undefined): Json {
  if (typeof value === 'string') return 7;
  if (typeof value === 'number') return 'seven';
  if (typeof value === 'boolean') return null;
  if (value === null || value === undefined) return [];
  if (Array.isArray(value))
    return Object.fromEntries(value.map((each, index) => [`k${index}`, twisted(each)]));
  return Object.values(value).map(twisted);
}

/** The right objects with wrong values in them. */
function misfit(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(misfit);
  if (!isObject(value)) return twisted(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, misfit(each)]));
}

/** The same objects with nothing in them. */
function hollow(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(hollow);
  if (!isObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hollow(each)]));
}

/** Values that a service may put where `data` belongs. */
const shapes: Readonly<Record<string, (data: Json) => Json>> = {
  nothing: () => null,
  'a number': () => 7,
  'a text': () => 'none',
  'an empty array': () => [],
  'an empty object': () => ({}),
  'an array of numbers': () => [1, 2, 3],
  'an object in an array': (data) => [data],
  'records in records': (data) => ({ records: data }),
  'other types': twisted,
  'wrong values': misfit,
  'empty values': hollow,
};

/** `SHAPES=all` tries every shape with every command; otherwise each command meets one, and the next one in the next commit. */
const names = Object.keys(shapes);
const chosenFor = (position: number): readonly string[] =>
  process.env.SHAPES === 'all' ? names : [names[(position + commitCount) % names.length] ?? ''];

const rewritten = (shape: string) => (body: string) => {
  // Some operations answer with an empty body, others with a file or a text in place of an envelope.
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
      const lines = await linesFor(command, world);
      for (const shape of chosenFor(position))
        for (const { argv, answered, run } of lines) {
          const fault = { kind: 'rewrite', change: rewritten(shape) } as const;
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
