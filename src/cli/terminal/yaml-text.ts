import { Document, isScalar, visit } from 'yaml';
import type { Json } from '../../base/json.ts';
import { isHarmful, neutraliseJson } from '../../base/neutralise.ts';

/** A value as a YAML document, safe for a terminal: control characters are escaped. */
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
