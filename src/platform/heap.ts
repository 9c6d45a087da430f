import { setFlagsFromString } from 'node:v8'

/**
 * A server for one client is mostly idle and holds little. Left alone, the young part of the heap grows to tens of
 * megabytes under a burst of calls and stays so; kept at its first size it costs no speed that could be measured.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
