import type { ResourceName } from '../../contract/types.ts';
import { accountRules } from './accounts.ts';
import { callflowRules } from './callflows.ts';
import { conferenceRules } from './conferences.ts';
import { groupRules } from './counts.ts';
import { directoryRules } from './directories.ts';
import { faxRules } from './faxes.ts';
import { messageRules, vmboxRules } from './messages.ts';
import { numberRules } from './numbers.ts';
import { portRules } from './ports.ts';
import type { ResourceRules } from './resource-rules.ts';
import { userRules } from './users.ts';
import { webhookRules } from './webhooks.ts';

const rules = new Map<ResourceName, ResourceRules>([
  ['accounts', accountRules],
  ['callflows', callflowRules],
  ['conferences', conferenceRules],
  ['directories', directoryRules],
  ['faxes', faxRules],
  ['groups', groupRules],
  ['messages', messageRules],
  ['numbers', numberRules],
  ['ports', portRules],
  ['users', userRules],
  ['vmboxes', vmboxRules],
  ['webhooks', webhookRules],
]);

/** What a resource has beyond the generic behaviour. */
export const rulesOf = (name: ResourceName): ResourceRules => rules.get(name) ?? {};
