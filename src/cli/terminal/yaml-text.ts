import { Document, isScalar, visit } from 'yaml';
import type { Json } from '../../base/json.ts';
import { isHarmful, neutraliseJson } from '../../base/neutralise.ts';

/** Formats a value as a YAML document. Control characters are escaped, so it is safe for a terminal. */
export function yamlText(value: Json): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && isHarmful(node.value.replaceAll('\n', ''))) {
        // Only this style has escapes.
        node.type = 'QUOTE_DOUBLE';
      }
    },
  });
  return neutraliseJson(
    document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY }),
  );
}
