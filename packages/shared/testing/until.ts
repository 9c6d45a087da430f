import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for an event in another process, limited by the timeout of the test. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}
