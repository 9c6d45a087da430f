import { setFlagsFromString } from 'node:v8'

/**
 * A server for one client is mostly idle and uses little memory. By default, the young generation of the heap grows
 * to tens of megabytes under a burst of calls and never shrinks; fixing its initial size had no measurable cost.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
