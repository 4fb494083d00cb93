import { isObject, type JsonObject } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import { invalid, type Problem } from '../refusal.ts';
import type { Call } from '../requests/call.ts';

/** Refuses (400) numbers that another open request asks for, or that are in service already. */
export async function refuseTakenNumbers(call: Call, body: JsonObject, requestId: string): Promise<void> {
  const { store } = call.services;
  const numbers = isObject(body.numbers) ? Object.keys(body.numbers) : [];
  const problems = await Promise.all(
    numbers.map(async (id): Promise<readonly Problem[]> => {
      const [holder, number] = await Promise.all([
        store.holder({ kind: 'ports', scope: '', field: 'number', value: id }),
        store.get({ kind: 'numbers', scope: '', id }),
      ]);
      if (holder && holder.id !== requestId) {
        return [
          { path: id, rule: 'type', message: 'is in another port request that is still open', cause: id },
        ];
      }
      return number && textAt(number.body, 'state') === 'in_service'
        ? [{ path: id, rule: 'type', message: 'is in service already', cause: id }]
        : [];
    }),
  );
  if (problems.flat().length > 0) throw invalid(problems.flat());
}
