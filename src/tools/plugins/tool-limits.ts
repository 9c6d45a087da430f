import type { LimitName, SandboxLimits } from '../../sandbox/sandbox.ts'
import { MANIFEST, type DeclaredLimits } from './manifest.ts'
import { formatSize, formatTime } from './quantities.ts'

/** Enough for simple tools; others ask for more. */
const usualMemory = 67_108_864

/** The limits a package asks for, capped by the configuration; `maxMs` is the max duration of a call. */
export function limitsOf(
  { timeMs, memoryBytes = usualMemory, outputBytes }: DeclaredLimits,
  maxLimits: SandboxLimits,
  maxMs: number,
): SandboxLimits {
  return {
    ...maxLimits,
    timeMs: Math.max(1, Math.min(timeMs ?? maxLimits.timeMs, maxMs)),
    memoryBytes: Math.min(memoryBytes, maxLimits.memoryBytes),
    outputBytes: Math.min(outputBytes ?? maxLimits.outputBytes, maxLimits.outputBytes),
  }
}

/** In words that follow “may”. */
export function describeLimits({ timeMs, memoryBytes, outputBytes }: SandboxLimits): string {
  return `run for at most ${formatTime(timeMs)} with ${formatSize(memoryBytes)}, and answer at most ${formatSize(outputBytes)}`
}

/** Which limit a tool hit, its value, and where to raise it. */
export function describeHit(
  hit: LimitName,
  limits: SandboxLimits,
  declared: DeclaredLimits,
  maxLimits: SandboxLimits,
): string {
  const inPackage = (key: string): string => `(\`${key}\` in ${MANIFEST})`
  const inConfig = (key: string): string => `(\`${key}\` in the configuration)`
  switch (hit) {
    case 'time': {
      const isCut = limits.timeMs < (declared.timeMs ?? maxLimits.timeMs)
      const place = isCut ? inConfig('limits.call_timeout_ms') : inPackage('max_execution_time')
      return `It ran longer than ${formatTime(limits.timeMs)} ${place}`
    }
    case 'memory': {
      const isAtMax = limits.memoryBytes === maxLimits.memoryBytes
      const place = isAtMax ? inConfig('sandbox.memory_mb') : inPackage('max_memory')
      return `It needs more memory than ${formatSize(limits.memoryBytes)} ${place}`
    }
    case 'output': {
      const isAtMax = limits.outputBytes === maxLimits.outputBytes
      const place = isAtMax ? inConfig('sandbox.output_kb') : inPackage('max_output_size')
      return `It wrote more than ${formatSize(limits.outputBytes)} ${place}`
    }
    case 'cpu':
      return `It used more processor time than ${limits.cpuSeconds} s ${inConfig('sandbox.cpu_seconds')}`
    case 'processes':
      return `It started more than ${limits.processes} processes ${inConfig('sandbox.processes')}`
    case 'file_size':
      return `It wrote a file larger than ${formatSize(limits.fileBytes)} ${inConfig('sandbox.file_mb')}`
    case 'disk':
      return `It filled the workspace by more than ${formatSize(limits.diskBytes)} ${inConfig('sandbox.disk_mb')}`
    case 'files':
      return `It made more than ${limits.diskFiles} files ${inConfig('sandbox.disk_files')}`
  }
}
