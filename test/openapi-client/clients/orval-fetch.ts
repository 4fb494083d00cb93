/** Origin and token of the service, because the generated client only knows paths. */
export const service = { origin: '', token: '' };

export async function send<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  if (service.token) headers.set('x-auth-token', service.token);
  const reply = await fetch(`${service.origin}/v2${path}`, { ...options, headers });
  // The response is untyped. The generated client declares its type.
  return Object.assign(JSON.parse('{}'), { data: await reply.json(), status: reply.status, headers });
}
