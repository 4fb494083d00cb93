import type { ExportAccount } from './exported.ts';
import { commented, valueText } from './manifest-text.ts';

/** Path where editors look for the schema: a hidden file, which folders of manifests pass over. */
const schema = '.manifest.schema.json';

/**
 * First lines of a manifest: where editors find its schema, whose it is. No time stands there, so that the same
 * account gives the same file. `depth`: how many folders lie between the file and the one that was named.
 */
export function manifestHead(
  { name, origin }: ExportAccount,
  { withAccount, depth = 0 }: { readonly withAccount: boolean; readonly depth?: number },
): readonly string[] {
  return [
    `# yaml-language-server: $schema=${'../'.repeat(depth)}${schema}`,
    ...(depth === 0 ? [`# The schema, for completion in editors: telctl schema manifest > ${schema}`] : []),
    `# Account ${commented(name)} at ${commented(origin)}`,
    '',
    ...(withAccount ? [`account: ${valueText(name)}`, ''] : []),
  ];
}
