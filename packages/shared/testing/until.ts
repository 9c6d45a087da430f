import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for something that happens in another process; the test's own time ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}
