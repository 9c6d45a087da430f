/** In every version of our plugin, and in nobody else's. */
export const pluginMark = 'contextd for OpenCode'

const programLine = /^const PROGRAM = \[.*\]$/m
const doorLine = /^const DOOR = (?:true|false)$/m

/** The shipped plugin, with this machine's command line for contextd and whether the model door is used. */
export function pluginFor(shipped: string, program: readonly string[], door: boolean): string {
  if (!programLine.test(shipped) || !doorLine.test(shipped)) {
    throw new Error('The plugin lacks the line that sets PROGRAM or DOOR')
  }
  return shipped
    .replace(programLine, () => `const PROGRAM = ${JSON.stringify(program)}`)
    .replace(doorLine, `const DOOR = ${door}`)
}
