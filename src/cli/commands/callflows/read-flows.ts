import { flowTargets } from '../../../contract/record-references.ts';
import { flowsOfAccount, flowsOfManifest, type NumberFacts } from '../../../engine/callflows/flow-set.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import type { manifestOptions } from '../manifest-options.ts';
import { readAccountSections } from '../records/read-account.ts';
import { accountEmergencyNumbers } from '../records/service-numbers.ts';

/**
 * Reads the callflows of manifests or of the account, with the records that they refer to, and all records of the
 * kinds in `whole`. Throws `invalid` with the problems of a manifest. With `despiteProblems`, only throws if the
 * flows cannot be read. Reads the emergency numbers of the account if the caller looks for problems.
 */
export async function readFlows(
  context: Context,
  input: InputOf<typeof manifestOptions>,
  whole: readonly KindName[],
  despiteProblems = false,
) {
  if (input.file.length > 0) {
    // Flows can be checked without the secrets of a manifest.
    const { desired, trouble } = await readManifestInput(context, input, {
      allowUnset: true,
      runsPrograms: false,
      despiteProblems,
    });
    const sets = desired.accounts.map(flowsOfManifest);
    if (trouble && sets.every(({ callflows }) => callflows.length === 0)) throw trouble.failure;
    return { sets, isWhole: true, trouble };
  }
  const { sections, missing } = await readAccountSections(context, {
    whole: ['callflows', 'metaflows', ...whole],
    // Problems of caller ids depend on the numbers of the account.
    listed: [...flowTargets, ...(despiteProblems ? (['numbers'] as const) : [])],
  });
  const facts = despiteProblems ? await numberFacts(context) : {};
  return {
    sets: [flowsOfAccount(sections, facts)],
    isWhole: missing.length === 0,
    trouble: undefined,
  };
}

async function numberFacts(context: Context): Promise<NumberFacts> {
  const [api, id] = await Promise.all([context.api(), context.accountId()]);
  const [country, emergency] = await Promise.all([api.country(), accountEmergencyNumbers(api, id)]);
  return { country, emergency };
}
