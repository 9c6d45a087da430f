/** Determines the tool and the project from the name and location of the link that was run. Pure. */

import { basename, dirname, join } from 'node:path'

export interface Invocation {
  /** Undefined if no tool is named. */
  readonly tool: string | undefined
  readonly argv: readonly string[]
  /** The folder of the link, with the tool's schema and description; undefined for `contextd-proxy <tool>`. */
  readonly folder?: string
  /** The project of the call. */
  readonly workspace: string
}

/** `program` is the path as it was run, before links are resolved. */
export function readInvocation(
  program: string,
  argv: readonly string[],
  { cwd, home }: { cwd: string; home: string },
): Invocation {
  const name = basename(program)
  if (name === 'contextd-proxy' || name === 'contextd-proxy.js') {
    const [tool, ...rest] = argv
    const isTool = tool !== undefined && !tool.startsWith('-')
    return { tool: isTool ? tool : undefined, argv: isTool ? rest : argv, workspace: cwd }
  }
  const folder = dirname(program)
  return { tool: name, argv, folder, workspace: projectOf(folder, home) ?? cwd }
}

/** Links in the user's home folder apply to the current directory's project. */
function projectOf(folder: string, home: string): string | undefined {
  const tools = dirname(folder)
  const project = dirname(dirname(tools))
  return tools === join(project, '.claude', 'tools') && project !== home ? project : undefined
}
