import type { SandboxState } from '../../src/sandbox/sandbox.ts'

export interface Outcome {
  readonly verdict: 'escaped' | 'contained' | 'absent' | 'none'
  /** What was said, for whoever wants to know why. */
  readonly log: string
}

export interface BatteryReport {
  readonly state: SandboxState
  /** What could be done inside. */
  readonly ordinaryWork: readonly string[]
  readonly outcomes: readonly {
    readonly name: string
    readonly inside: Outcome
    /** In a sandbox that reaches granted hosts, for attacks that this could help. */
    readonly withNetwork: Outcome | undefined
    readonly twin: Outcome
  }[]
}
