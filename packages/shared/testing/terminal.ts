import { spawn } from 'node:child_process'

/** A reaction to output on the terminal: text to type, or a callback. */
export type TerminalStep = readonly [shown: RegExp, react: string | ((match: RegExpExecArray) => void)]

/**
 * Runs a shell command on a pseudo-terminal (created by `script`) and returns its output. The program discards input typed
 * before a question, so each step waits for its prompt.
 */
export function runOnTerminal(
  shell: string,
  steps: readonly TerminalStep[],
  options: { env: NodeJS.ProcessEnv; cwd?: string },
): Promise<{ status: number | null; output: string }> {
  const child = spawn('script', ['-qec', shell, '/dev/null'], { ...options, stdio: 'pipe' })
  const waiting = [...steps]
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    for (let match; waiting[0] !== undefined && (match = waiting[0][0].exec(output)); waiting.shift()) {
      const react = waiting[0][1]
      if (typeof react === 'string') child.stdin.write(react)
      else react(match)
    }
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}
