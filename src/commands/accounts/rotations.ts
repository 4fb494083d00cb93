import { operationById } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';
import type { FactKeeper } from '../../session/learned-facts.ts';

/** Replaces an API key, as the specification has it. */
export const rotation: Operation = operationById('accounts.rotate-api-key');

/** The same as compatible services offer it (Conventions, API keys). */
export const otherRotation: Operation = { ...rotation, method: 'PUT', source: 'convention' };

/** Both, that one first which the service is known to take. */
export const rotationsFor = (facts: FactKeeper): readonly [Operation, Operation] =>
  facts.learned().rotatesKeysByPut ? [otherRotation, rotation] : [rotation, otherRotation];
