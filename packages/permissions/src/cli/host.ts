import type { CliIo } from '@contextd/shared/cli/output'
import type { ClaudeSetup } from '../claude-code/setup/setup.ts'
import type { SecretsIn } from '../findings/masked.ts'
import type { QueriedTools } from './queried-tools.ts'

/** What the commands need from the program they are part of. */
export interface PermissionsHost {
  /** How the commands are called: `ctxd permissions`. */
  readonly program: string
  /** Locates secrets, with the user's own rules for this folder. */
  secretsIn(env: NodeJS.ProcessEnv, cwd: string): Promise<SecretsIn>
  /** Replaces secrets in text that is about to be printed. */
  openMask(io: CliIo): Promise<(text: string) => string>
  /** The folder for copies of files that `--fix` changes. */
  backups(env: NodeJS.ProcessEnv): string
  /** Starts the MCP servers of the client and queries their tools; without it there is no `--connect`. */
  readonly queryTools?: (setup: ClaudeSetup, io: CliIo) => Promise<QueriedTools>
  /** Records that files were changed. */
  readonly record?: (event: { files: string[]; backup: string }, io: CliIo) => Promise<void>
  /** The page about a rule, where pages are installed. */
  readonly rulePage?: (id: string) => string | undefined
}
