/** In every version of our plugin, and in nobody else's. */
export const pluginMark = 'contextd for OpenCode'

const programLine = /^const PROGRAM = \[.*\]$/m

/** The plugin as we ship it, with the words that run contextd on this machine. */
export function pluginFor(shipped: string, program: readonly string[]): string {
  if (!programLine.test(shipped)) throw new Error('The plugin does not say how contextd is run')
  return shipped.replace(programLine, () => `const PROGRAM = ${JSON.stringify(program)}`)
}
