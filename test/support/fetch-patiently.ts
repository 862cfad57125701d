import { setTimeout as sleep } from 'node:timers/promises';

/** Far more than a service that is not flooded takes to have time again. */
const TRIES = 20;

/**
 * Asks again, for as long as Retry-After says, where the service sheds the request. A machine that is busy with something else makes its event loop late, and to shed is right
 * then: only tests of shedding take that for their answer.
 */
export async function fetchPatiently(url: string, init: RequestInit = {}): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, init);
    if (tries === TRIES || !(await isShed(response))) return response;
    await sleep(1000 * Number(response.headers.get('retry-after')));
  }
}

async function isShed(response: Response): Promise<boolean> {
  if (response.status !== 503 || !response.headers.has('retry-after')) return false;
  return ((await response.clone().json()) as { readonly code?: unknown }).code === 'overloaded';
}
