import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { type FlowSet, flowsOfAccount, flowsOfManifest } from '../../manifest/callflows/flow-set.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import type { manifestOptions } from '../manifest/options.ts';
import { readParts } from '../read-account.ts';

/** The callflows of an account, or of each account of a manifest, with what they refer to. */
export interface ReadFlows {
  readonly sets: readonly FlowSet[];
  /** Everything that was asked for was read. */
  readonly isWhole: boolean;
}

/**
 * Reads callflows from the manifests that were named, else from the account. Throws `Failure` of kind `invalid` with
 * the problems of a manifest, and what the service answers.
 */
export async function readFlows(
  context: Context,
  input: InputOf<typeof manifestOptions>,
  whole: readonly 'menus'[] = [],
): Promise<ReadFlows> {
  if (input.file.length > 0) {
    // Flows can be looked at where the secrets of a manifest are not at hand.
    const { desired } = await readManifestInput(context, input, { allowUnset: true });
    return { sets: desired.accounts.map(flowsOfManifest), isWhole: true };
  }
  const { sections, missing } = await readParts(context, {
    whole: ['callflows', 'metaflows', ...whole],
    listed: ['users', 'menus', 'vmboxes', 'groups', 'directories', 'conferences'],
  });
  return { sets: [flowsOfAccount(sections)], isWhole: missing.length === 0 };
}
