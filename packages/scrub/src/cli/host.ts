import type { Scrubber } from '../engine/scrubber.ts'
import type { UserRules } from '../gitleaks/user-rules.ts'

/** What the commands need from the program that includes them. */
export interface ScrubHost {
  /** The command as the user types it: `ctxd scrub`. */
  readonly program: string
  /** Opens a scrubber with the rules that apply; `rulesFile` adds to them. */
  openScrubber(options: OpenOptions): Promise<OpenedScrubber>
}

export interface OpenOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly rulesFile?: string
  readonly decode?: boolean
}

export interface OpenedScrubber {
  readonly scrubber: Scrubber
  readonly rules?: UserRules
  /** A project's rules file that does not apply, and why. */
  readonly ignored?: { readonly file: string; readonly why: string }
  readonly warnings: readonly string[]
}
