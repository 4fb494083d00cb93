import { flowTargets } from '../../../contract/record-references.ts';
import { type FlowSet, flowsOfAccount, flowsOfManifest } from '../../../engine/callflows/flow-set.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';
import type { Manifest } from '../../../engine/manifest/read-manifest.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import type { manifestOptions } from '../manifest-options.ts';
import { readSections } from '../read-account.ts';

/** The callflows of an account, or of each account of a manifest, with what they refer to. */
export interface ReadFlows {
  readonly sets: readonly FlowSet[];
  /** Everything that was asked for was read. */
  readonly isWhole: boolean;
  /** Problems of the manifests, if those were to be passed over. */
  readonly trouble?: NonNullable<Manifest['trouble']>;
}

export interface ReadOptions {
  /** Kinds beside callflows whose records are needed whole. */
  readonly whole?: readonly KindName[];
  /**
   * True when manifests with problems are read as far as they can be, too; not if nothing of their flows can be read.
   */
  readonly despiteProblems?: boolean;
}

/**
 * Reads callflows from the manifests that were named, else from the account. Throws `Failure` of kind `invalid` with
 * the problems of a manifest, and what the service answers.
 */
export async function readFlows(
  context: Context,
  input: InputOf<typeof manifestOptions>,
  { whole = [], despiteProblems = false }: ReadOptions = {},
): Promise<ReadFlows> {
  if (input.file.length > 0) {
    // Flows can be looked at where the secrets of a manifest are not at hand.
    const { desired, trouble } = await readManifestInput(context, input, {
      allowUnset: true,
      runsPrograms: false,
      despiteProblems,
    });
    const sets = desired.accounts.map(flowsOfManifest);
    if (trouble && sets.every(({ callflows }) => callflows.length === 0)) throw trouble.failure;
    return { sets, isWhole: true, ...(trouble ? { trouble } : {}) };
  }
  const { sections, missing } = await readSections(context, {
    whole: ['callflows', 'metaflows', ...whole],
    listed: [...flowTargets],
  });
  return { sets: [flowsOfAccount(sections)], isWhole: missing.length === 0 };
}
