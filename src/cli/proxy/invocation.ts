/** Which tool is meant, and in which folder: by the name and the place of the link that was run. Pure. */

import { basename, dirname, join } from 'node:path'

export interface Invocation {
  /** Undefined where nothing names one. */
  readonly tool: string | undefined
  readonly argv: readonly string[]
  /** The folder of the link, with the schema and the words about the tool; undefined for `contextd-proxy <tool>`. */
  readonly folder?: string
  /** The project that the call is about. */
  readonly workspace: string
}

/** `program` is the path as it was run, before any link was followed. */
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

/** Links in the person's own folder are for the project they are run in. */
function projectOf(folder: string, home: string): string | undefined {
  const tools = dirname(folder)
  const project = dirname(dirname(tools))
  return tools === join(project, '.claude', 'tools') && project !== home ? project : undefined
}
