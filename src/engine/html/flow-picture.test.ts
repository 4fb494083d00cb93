import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Box, type DrawnStep, layoutFlow } from './flow-layout.ts';

const words = fc.constantFrom(
  'user',
  'a name that is longer than one line of a box',
  '営業部の長い名前です',
  '',
);
const tree: fc.Memo<DrawnStep> = fc.memo((depth) =>
  fc.record({
    name: words,
    about: words,
    branches: fc.array(
      fc.record({ key: fc.constantFrom('1', '_', 'open hours'), step: depth > 1 ? tree(depth - 1) : leaf }),
      { maxLength: 3 },
    ),
  }),
);
const leaf: fc.Arbitrary<DrawnStep> = fc.record({ name: words, about: words, branches: fc.constant([]) });

const apart = (one: Box, other: Box): boolean =>
  Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
  Math.abs(one.y - other.y) >= (one.height + other.height) / 2;

test.each(['down', 'right'] as const)(
  'boxes of a flow drawn %s do not overlap and stay inside the picture',
  (direction) => {
    fc.assert(
      fc.property(tree(4), (start) => {
        const { boxes, wires, width, height } = layoutFlow(start, direction);
        expect(wires).toHaveLength(boxes.length - 1);
        for (const [index, box] of boxes.entries()) {
          expect(boxes.slice(index + 1).every((other) => apart(box, other))).toBe(true);
          expect(box.x - box.width / 2).toBeGreaterThan(0);
          expect(box.x + box.width / 2).toBeLessThan(width);
          expect(box.y - box.height / 2).toBeGreaterThan(0);
          expect(box.y + box.height / 2).toBeLessThan(height);
        }
      }),
    );
  },
);
