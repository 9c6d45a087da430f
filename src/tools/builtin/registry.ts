import type { Tool } from '../../core/tool.ts'
import type { LoadContext } from '../broker/load-context.ts'
import type { FileTools } from '../files/file-tools.ts'
import type { ReadPdf } from '../files/read/pdf.ts'
import type { EgressFor } from '../http/host-fetch.ts'
import type { BackgroundCommands } from '../shell/background/background-commands.ts'
import type { FileSearch } from '../search/file-search.ts'
import type { Shell } from '../shell/shell.ts'
import { httpFetch } from './http-fetch.ts'
import { builtinNames } from './names.ts'
import { createReadMore } from './read-more.ts'
import { safeBash } from './safe-bash.ts'
import { safeEdit } from './safe-edit.ts'
import { safeOutput, safeStop } from './safe-output.ts'
import { safeGlob } from './safe-glob.ts'
import { safeGrep } from './safe-grep.ts'
import { safeRead } from './safe-read.ts'
import { safeWrite } from './safe-write.ts'

export interface BuiltinParts {
  readonly shell: Shell
  readonly commands: BackgroundCommands
  readonly files: FileTools
  readonly pdf: ReadPdf
  readonly search: FileSearch
  readonly egressFor: EgressFor
  readonly context: LoadContext
  /** Tools for memories, checkpoints, branches and the repository. */
  readonly memory: readonly Tool[]
}

/** Whether a built-in tool has this name, which is then reserved. */
export function isBuiltin(name: string): boolean {
  return builtinNames.has(name)
}

/** Every built-in tool. To add one: a file in this folder, a name in `names.ts` and a line here. */
export function builtinTools(parts: BuiltinParts): Tool[] {
  const { shell, commands, files, pdf, search, egressFor, context, memory } = parts
  return [
    createReadMore(context.readPrivate),
    context.tool,
    safeBash(shell, commands),
    safeOutput(commands, shell),
    safeStop(commands),
    safeRead(files, pdf),
    safeWrite(files),
    safeEdit(files),
    safeGlob(search),
    safeGrep(search),
    httpFetch(egressFor),
    ...memory,
  ]
}
