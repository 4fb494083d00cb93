import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, textAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { hexDigits } from '../../../contract/phone-number.ts';
import type { ControlInput } from '../control-operations.ts';
import { publish } from '../events/queue-events.ts';
import { displayName } from '../fields.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import {
  devicesOf,
  phoneOf,
  phonesIn,
  type RegisteredPhone,
  refusalToRegister,
  register,
  registrationItem,
  sipUsername,
  unregister,
} from '../telephony/registrations.ts';
import { type AccountRecords, nearestHint } from './call-account.ts';

/** Finds a device, or all devices of a user. Throws `Failure` (`not_found`). */
async function findPhones(
  services: Services,
  records: AccountRecords,
  word: string,
): Promise<readonly StoredRecord[]> {
  const lower = word.toLowerCase();
  const device =
    (await records.get('devices', word)) ??
    (await records.findByValue('devices', 'sip.username', lower)) ??
    (await records.findByValue('devices', 'mac_address', hexDigits(word))) ??
    (await records.find('devices', (body) => textAt(body, 'name') === word));
  if (device) return [device];
  const user = (await records.get('users', word)) ?? (await records.findByValue('users', 'username', lower));
  if (!user)
    throw new Failure(
      'not_found',
      `Device or user ${JSON.stringify(word)} not found in ${displayName(records.account)}.`,
      { hint: (await nearestHint(records, 'devices', word, ['name'])) ?? nextStep`devices list` },
    );
  const devices = await devicesOf(services.store, user);
  if (devices.length > 0) return devices;
  throw new Failure('not_found', `${displayName(user)} has no device.`, {
    hint: nextStep`devices create --name NAME --owner ${displayName(user)} --generate`,
  });
}

function phoneFacts({ registration, device }: RegisteredPhone, account: StoredRecord): JsonObject {
  const { body } = registration;
  return {
    device_id: device.id,
    device: displayName(device),
    ...registrationItem(registration, device, account),
    until: new Date((Number(body.ends_at) - gregorianOffset) * 1000).toISOString(),
  };
}

/** Registers a device, or all devices of a user. Throws `Failure` (`refused`) if no device can register. */
export async function registerPhone(
  services: Services,
  records: AccountRecords,
  { phone, expires, user_agent: userAgent, dry_run: isDryRun }: ControlInput<'registerPhones'>,
): Promise<JsonObject> {
  const { account } = records;
  const phones: RegisteredPhone[] = [];
  const refused: string[] = [];
  for (const device of await findPhones(services, records, phone)) {
    const why = refusalToRegister(device, account);
    if (why !== undefined) {
      refused.push(`device ${displayName(device)}: ${why}`);
      continue;
    }
    const { changes, events, registration } = await register(services, account, device, {
      expires,
      userAgent,
    });
    if (!isDryRun) await publish(services, events, changes);
    phones.push({ registration, device });
  }
  if (phones.length === 0)
    throw new Failure('refused', `No phone can register: ${refused.join('; ')}.`, {
      hint: createHint`A phone needs a SIP user name and a password. To generate them: ${nextStep`devices create --generate`}`,
    });
  return {
    account_name: displayName(account),
    phones: phones.map((each) => phoneFacts(each, account)),
    refused,
  };
}

export async function unregisterPhone(
  services: Services,
  records: AccountRecords,
  { phone: word, dry_run: isDryRun }: ControlInput<'unregisterPhones'>,
): Promise<JsonObject> {
  const { account } = records;
  const now = gregorianSeconds(services.clock);
  const phones: JsonObject[] = [];
  for (const device of await findPhones(services, records, word)) {
    const phone = await phoneOf(services.store, device, now);
    if (!phone) continue;
    const { changes, events } = unregister(services, account, phone, true);
    if (!isDryRun) await publish(services, events, changes);
    phones.push(phoneFacts(phone, account));
  }
  return { account_name: displayName(account), phones };
}

export async function listPhones(services: Services, { account }: AccountRecords): Promise<JsonObject> {
  const { store, clock } = services;
  const phones = await phonesIn(store, account, gregorianSeconds(clock));
  const registered = new Map(phones.map((phone) => [phone.device.id, phone]));
  const devices = await store.list({ kind: 'devices', scope: account.id });
  return {
    account_name: displayName(account),
    phones: devices.map((device) => {
      const phone = registered.get(device.id);
      if (phone) return { ...phoneFacts(phone, account), registered: true };
      const why = refusalToRegister(device, account);
      return {
        device_id: device.id,
        device: displayName(device),
        username: sipUsername(device) ?? '',
        registered: false,
        ...(why === undefined ? {} : { why }),
      };
    }),
  };
}
