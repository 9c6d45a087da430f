import type { Confinement, SandboxLimits } from '../../src/sandbox/sandbox.ts'

export const roomyLimits: SandboxLimits = {
  timeMs: 30_000,
  cpuSeconds: 30,
  memoryBytes: 512 << 20,
  processes: 128,
  fileBytes: 64 << 20,
  outputBytes: 1 << 20,
  diskBytes: 1 << 30,
  diskFiles: 100_000,
}

/** A workspace that can be written, and nothing else. */
export function confinedTo(workspace: string, more: Partial<Confinement> = {}): Confinement {
  return {
    folders: [{ path: workspace, access: 'write' }],
    hidden: [],
    guarded: [],
    programs: [],
    limits: roomyLimits,
    ...more,
  }
}
