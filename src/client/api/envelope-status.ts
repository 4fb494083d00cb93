import { isObject } from '../../base/json.ts';

/** Statuses that say little: some services and gateways answer with them whatever the envelope says. */
const isVague = (status: number): boolean => (status >= 200 && status < 300) || status === 400;

/**
 * The status of a reply by HTTP and envelope together. An envelope of `status: error` makes an error of any success,
 * with the code of its `error`; charges (402) are charges with every HTTP error (Errors, error envelope).
 */
export function statusOf(http: number, text: string): number {
  if (!(isVague(http) || http >= 400) || !/"status"\s*:\s*"error"/.test(text)) return http;
  const said = errorCode(text);
  if (said === undefined) return http;
  return isVague(http) || said === 402 ? said : http;
}

/** The code of an error envelope: 400 to 599, or 400 if it names none; `undefined` for anything else. */
function errorCode(text: string): number | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body) || body.status !== 'error') return undefined;
    return /^[45]\d\d$/.test(String(body.error)) ? Number(body.error) : 400;
  } catch {
    // Text that is not JSON has no envelope.
    return undefined;
  }
}
