import type { Limits } from '../../sandbox/sandbox.ts'
import type { DeclaredLimits } from './manifest.ts'
import { formatSize, formatTime } from './quantities.ts'

/** Enough for tools that read, ask and answer; more is asked for. */
const usualMemory = 67_108_864

/** What a package asks for, never more than is configured; `longestMs` is what a call may take in all. */
export function limitsOf(
  { timeMs, memoryBytes = usualMemory, outputBytes }: DeclaredLimits,
  most: Limits,
  longestMs: number,
): Limits {
  return {
    ...most,
    timeMs: Math.max(1, Math.min(timeMs ?? most.timeMs, longestMs)),
    memoryBytes: Math.min(memoryBytes, most.memoryBytes),
    outputBytes: Math.min(outputBytes ?? most.outputBytes, most.outputBytes),
  }
}

/** To stand behind “may”. */
export function describeLimits({ timeMs, memoryBytes, outputBytes }: Limits): string {
  return `run for at most ${formatTime(timeMs)} with ${formatSize(memoryBytes)}, and answer at most ${formatSize(outputBytes)}`
}
