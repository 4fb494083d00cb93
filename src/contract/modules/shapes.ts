import type { ConventionRules } from '../fields.ts';
import type { SchemaNode } from '../schema-node.ts';

/** Builders for module data, which is plain JSON Schema without documentation. */

type Rules = Omit<ConventionRules, 'required' | 'additionalProperties' | 'keyPattern' | 'alsoType'>;

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

export const dataText = (rules: Rules = {}): SchemaNode => ({ type: 'string', ...rules });

export const dataInteger = (rules: Rules = {}): SchemaNode => ({ type: 'integer', ...rules });

export const dataNumber = (rules: Rules = {}): SchemaNode => ({ type: 'number', ...rules });

export const dataFlag = (rules: Rules = {}): SchemaNode => ({ type: 'boolean', ...rules });

export const dataChoice = (of: readonly string[], standard?: string): SchemaNode =>
  dataText({ enum: of, ...(standard === undefined ? {} : { default: standard }) });

export const dataList = (items: SchemaNode, rules: Rules = {}): SchemaNode => ({
  type: 'array',
  items,
  ...rules,
});

/** Telephone keys that end an input (default: all). */
export const terminators = dataList(dataChoice(keys), { default: keys });

type Fields = Readonly<Record<string, SchemaNode>>;

/** Sorts the fields by name. */
export const dataObject = (fields: Fields, required: readonly string[] = []): SchemaNode => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ...(required.length > 0 ? { required } : {}),
});

/** Fields of one type without rules. */
const fieldsOfType =
  (shape: () => SchemaNode) =>
  (...names: readonly string[]): Fields =>
    Object.fromEntries(names.map((name) => [name, shape()]));
export const dataTexts = fieldsOfType(dataText);
export const flags = fieldsOfType(dataFlag);
export const wholes = fieldsOfType(dataInteger);

export const anyObject: SchemaNode = { type: 'object' };

export const dataEither = (one: SchemaNode, other: SchemaNode): SchemaNode => ({ anyOf: [one, other] });

/** End of a leg, in the words of the switch that compatible services use. */
export const hangupCauses = (
  'NONE UNALLOCATED_NUMBER NO_ROUTE_TRANSIT_NET NO_ROUTE_DESTINATION CHANNEL_UNACCEPTABLE NORMAL_CLEARING ' +
  'CALL_AWARDED_DELIVERED USER_BUSY NO_USER_RESPONSE NO_ANSWER SUBSCRIBER_ABSENT CALL_REJECTED NUMBER_CHANGED ' +
  'REDIRECTION_TO_NEW_DESTINATION EXCHANGE_ROUTING_ERROR DESTINATION_OUT_OF_ORDER INVALID_NUMBER_FORMAT ' +
  'FACILITY_REJECTED RESPONSE_TO_STATUS_ENQUIRY NORMAL_UNSPECIFIED NORMAL_CIRCUIT_CONGESTION ' +
  'NETWORK_OUT_OF_ORDER NORMAL_TEMPORARY_FAILURE SWITCH_CONGESTION ACCESS_INFO_DISCARDED PRE_EMPTED ' +
  'REQUESTED_CHAN_UNAVAIL FACILITY_NOT_SUBSCRIBED OUTGOING_CALL_BARRED INCOMING_CALL_BARRED CRASH ' +
  'BEARERCAPABILITY_NOTAUTH BEARERCAPABILITY_NOTAVAIL SERVICE_UNAVAILABLE BEARERCAPABILITY_NOTIMPL ' +
  'CHAN_NOT_IMPLEMENTED FACILITY_NOT_IMPLEMENTED SERVICE_NOT_IMPLEMENTED INVALID_CALL_REFERENCE ' +
  'INCOMPATIBLE_DESTINATION INVALID_MSG_UNSPECIFIED MANDATORY_IE_MISSING MESSAGE_TYPE_NONEXIST WRONG_MESSAGE ' +
  'IE_NONEXIST INVALID_IE_CONTENTS WRONG_CALL_STATE RECOVERY_ON_TIMER_EXPIRE MANDATORY_IE_LENGTH_ERROR ' +
  'PROTOCOL_ERROR INTERWORKING ORIGINATOR_CANCEL SYSTEM_SHUTDOWN LOSE_RACE MANAGER_REQUEST BLIND_TRANSFER ' +
  'ATTENDED_TRANSFER ALLOTTED_TIMEOUT USER_CHALLENGE MEDIA_TIMEOUT PICKED_OFF USER_NOT_REGISTERED ' +
  'PROGRESS_TIMEOUT GATEWAY_DOWN'
).split(' ');
