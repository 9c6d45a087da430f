/**
 * The local operator is the person at the terminal. What only they may do is asked on the controlling terminal
 * itself: an agent can feed standard input, but has no terminal of its own.
 */

import { closeSync, constants, openSync, readSync, writeFileSync } from 'node:fs'
import { ReadStream } from 'node:tty'

import { CommonError } from './errors/common-error.ts'
import { visibleText } from './text/visible-text.ts'

/** Set by agent clients for the commands and hooks they run. */
export const agentVariables = [
  'AI_AGENT',
  'AUGMENT_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLINE_ACTIVE',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'COPILOT_AGENT',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GOOSE_TERMINAL',
  'OPENCODE',
] as const

export interface Terminal {
  write(text: string): void
  /** Throws away what was typed before the question could be read. */
  discardInput(): void
  /** One line without its end; undefined at the end of input. */
  readLine(): Promise<string | undefined>
  /** The same after a prompt, without showing what is typed; undefined also where the person gives up (Ctrl-C). */
  readHidden(prompt: string): Promise<string | undefined>
  close(): void
}

export interface OperatorQuestion {
  readonly env: NodeJS.ProcessEnv
  /** Ends without a question mark of its own: `Trust these 2 files`. */
  readonly question: string
  /** What the person needs to see to decide; shown above the question, one line each. */
  readonly details?: readonly string[]
  /** Undefined where the process has no terminal. */
  readonly openTerminal?: () => Terminal | undefined
}

/** For what needs no question, but must not be done by an agent on its own. */
export function refuseInsideAgent(env: NodeJS.ProcessEnv): void {
  const marker = agentVariables.find((name) => env[name])
  if (marker !== undefined) throw refused(`this shell belongs to an agent (${marker} is set)`)
}

/** Returns only after an explicit yes of the person. Throws OPERATOR_REQUIRED where nobody can be asked. */
export async function requireOperator({
  env,
  question,
  details = [],
  openTerminal = openControllingTerminal,
}: OperatorQuestion): Promise<void> {
  refuseInsideAgent(env)
  const terminal = openTerminal()
  if (terminal === undefined) throw refused('there is no terminal to ask on')
  try {
    for (const line of details) terminal.write(`${visibleText(line)}\n`)
    terminal.discardInput()
    terminal.write(`${visibleText(question)}? [y/N] `)
    const answer = await terminal.readLine()
    if (answer === undefined) terminal.write('\n')
    if (!/^(?:y|yes)$/i.test(answer?.trim() ?? '')) {
      throw new CommonError('APPROVAL_REQUIRED', { hint: 'Nothing was changed.' })
    }
  } finally {
    terminal.close()
  }
}

export interface HiddenQuestion extends Pick<OperatorQuestion, 'env' | 'openTerminal'> {
  /** What to type: `Value of deploy-key`. */
  readonly prompt: string
}

/** What the person at the terminal types, without showing it. Throws OPERATOR_REQUIRED where nobody can be asked. */
export async function askHidden({
  env,
  prompt,
  openTerminal = openControllingTerminal,
}: HiddenQuestion): Promise<string> {
  refuseInsideAgent(env)
  const terminal = openTerminal()
  if (terminal === undefined) throw refused('there is no terminal to ask on')
  try {
    terminal.discardInput()
    const typed = await terminal.readHidden(`${visibleText(prompt)}: `)
    terminal.write('\n')
    if (typed === undefined || typed === '') {
      throw new CommonError('APPROVAL_REQUIRED', { hint: 'Nothing was changed.' })
    }
    return typed
  } finally {
    terminal.close()
  }
}

function refused(why: string): CommonError {
  return new CommonError('OPERATOR_REQUIRED', { why })
}

function openControllingTerminal(): Terminal | undefined {
  const opened: number[] = []
  const open = (flags: number): number => {
    const file = openSync('/dev/tty', flags | constants.O_NOCTTY)
    opened.push(file)
    return file
  }
  try {
    // Opened twice, because the stream makes its own non-blocking, and a long list must not be cut off.
    const output = open(constants.O_WRONLY)
    const file = open(constants.O_RDWR)
    const input = new ReadStream(file)
    return {
      write: (text) => writeFileSync(output, text),
      discardInput() {
        // Raw mode also hands out a line that was begun and not yet ended.
        input.setRawMode(true)
        drain(file)
        input.setRawMode(false)
      },
      readLine: () => readLine(input),
      async readHidden(prompt) {
        // A terminal in raw mode shows nothing, from before it asks; and it leaves the editing to us.
        input.setRawMode(true)
        try {
          writeFileSync(output, prompt)
          return await readHidden(input)
        } finally {
          input.setRawMode(false)
        }
      },
      close() {
        input.destroy()
        closeSync(output)
      },
    }
  } catch {
    for (const file of opened) closeSync(file)
    return undefined
  }
}

function drain(file: number): void {
  const waste = Buffer.alloc(4096)
  try {
    while (readSync(file, waste) > 0) continue
  } catch {
    // EAGAIN: nothing is left.
  }
}

function readLine(input: ReadStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = ''
    input.setEncoding('utf8')
    input.on('data', (chunk: string) => {
      typed += chunk
      const end = typed.indexOf('\n')
      if (end !== -1) resolve(typed.slice(0, end))
    })
    input.on('end', () => resolve(undefined))
    input.on('error', () => resolve(undefined))
  })
}

/** Raw mode hands over every key, also those that a terminal otherwise acts on itself. */
function readHidden(input: ReadStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    const typed: string[] = []
    input.setEncoding('utf8')
    input.on('data', (chunk: string) => {
      for (const key of chunk) {
        if (key === '\r' || key === '\n') resolve(typed.join(''))
        else if (key === '\u0003' || key === '\u0004') resolve(undefined)
        else if (key === '\u0008' || key === '\u007F') typed.pop()
        else typed.push(key)
      }
    })
    input.on('end', () => resolve(undefined))
    input.on('error', () => resolve(undefined))
  })
}
