import { expect, test } from 'vitest';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { Reply } from './api.ts';
import { type Recorder, recordCall, rememberRead } from './recorder.ts';

const replyOf = (data: JsonObject): Reply => ({
  ...{ status: 200, data, requestId: undefined, envelope: {}, headers: {} },
});

const refusal = (status: number) => new Failure('failed', 'No.', { status });

/** A record that is changed twice, whose reads by the log end so; gives what the log knew before each, and the reads. */
async function changedTwice(ends: readonly (Failure | JsonObject)[], before?: Failure) {
  const known: (JsonObject | undefined)[] = [];
  const seen: Recorder['seen'] = new Map();
  const recorder: Recorder = {
    seen,
    async begin(write) {
      known.push(await write.before());
      return async () => undefined;
    },
  };
  let reads = 0;
  const read = async (): Promise<Reply> => {
    const end = ends[reads] ?? {};
    reads += 1;
    if (end instanceof Failure) throw end;
    return replyOf(end);
  };
  const address = '/v2/accounts/a/users/u';
  if (before) rememberRead(recorder, { operation: operationById('users.get') }, address, { failure: before });
  const recording = { recorder, accountId: 'a', prefix: '/v2', read };
  const change = {
    operation: operationById('users.patch'),
    path: { user_id: 'u' },
    data: { timezone: 'UTC' },
  };
  for (let count = 0; count < 2; count += 1) {
    const ended = recordCall(recording, change, address, () => Promise.reject(refusal(400)));
    await expect(ended).rejects.toThrow('No.');
  }
  return { known, reads };
}

test.each([403, 404, 405])('the log does not repeat a read that was refused with %i', async (status) => {
  expect(await changedTwice([], refusal(status))).toEqual({ known: [undefined, {}], reads: 1 });
});

test.each([429, 500, 503])('the log repeats a read that failed with %i', async (status) => {
  const { known } = await changedTwice([{ id: 'u' }], refusal(status));
  expect(known[0]).toEqual({ id: 'u' });
});
