import type { Tool } from '../../core/tool.ts'
import type { LoadContext } from '../broker/load-context.ts'
import type { FileTools } from '../files/file-tools.ts'
import type { BrokerFor } from '../http/host-fetch.ts'
import type { Shell } from '../shell/shell.ts'
import { httpFetch } from './http-fetch.ts'
import { createReadMore } from './read-more.ts'
import { safeBash } from './safe-bash.ts'
import { safeRead } from './safe-read.ts'
import { safeWrite } from './safe-write.ts'

export interface BuiltinParts {
  readonly shell: Shell
  readonly files: FileTools
  readonly brokerFor: BrokerFor
  readonly context: LoadContext
  /** What survives a session: memories, checkpoints, branches, the repository. */
  readonly memory: readonly Tool[]
}

const names = new Set([
  'attest',
  'branch',
  'checkpoint_list',
  'checkpoint_restore',
  'checkpoint_save',
  'execute_tool',
  'find_tools',
  'get_server_tools',
  'http_fetch',
  'list_servers',
  'load_context',
  'memory_feedback',
  'memory_get',
  'memory_search',
  'memory_store',
  'read_more',
  'repo_search',
  'return',
  'safe_bash',
  'safe_read',
  'safe_write',
])

/** Whether a tool of ours has this name, which nobody else's can have then. */
export function isBuiltin(name: string): boolean {
  return names.has(name)
}

/** Every tool that comes with contextd. A new one is a file beside this, a name above and a line here. */
export function builtinTools({ shell, files, brokerFor, context, memory }: BuiltinParts): Tool[] {
  return [
    createReadMore(context.readPrivate),
    context.tool,
    safeBash(shell),
    safeRead(files),
    safeWrite(files),
    httpFetch(brokerFor),
    ...memory,
  ]
}
