/**
 * The operator is the user at the terminal. Operator prompts use the controlling terminal directly: an agent can write to
 * standard input, but has no terminal.
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
  /** Discards input typed before the question was visible. */
  discardInput(): void
  /** One line without the line break; undefined at the end of input. */
  readLine(): Promise<string | undefined>
  /** Prompts and reads a line without echo; undefined also if the user cancels (Ctrl-C). */
  readHidden(prompt: string): Promise<string | undefined>
  close(): void
}

export interface OperatorQuestion {
  readonly env: NodeJS.ProcessEnv
  /** Without a question mark: `Trust these 2 files`. */
  readonly question: string
  /** Lines shown above the question, to help the user decide. */
  readonly details?: readonly string[]
  /** Returns undefined if the process has no terminal. */
  readonly openTerminal?: () => Terminal | undefined
}

/** For actions that need no prompt but must not be performed by an agent. */
export function refuseInsideAgent(env: NodeJS.ProcessEnv): void {
  const marker = agentVariables.find((name) => env[name])
  if (marker !== undefined) throw refused(`this shell belongs to an agent (${marker} is set)`)
}

/** Returns only after an explicit yes of the user. Throws OPERATOR_REQUIRED if there is no terminal. */
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

/** Reads hidden input from the terminal. Throws OPERATOR_REQUIRED if there is no terminal. */
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
    // Opened twice, because the stream makes its file non-blocking, which could truncate long output.
    const output = open(constants.O_WRONLY)
    const file = open(constants.O_RDWR)
    const input = new ReadStream(file)
    return {
      write: (text) => writeFileSync(output, text),
      discardInput() {
        // Raw mode also returns an incomplete line.
        input.setRawMode(true)
        drain(file)
        input.setRawMode(false)
      },
      readLine: () => readLine(input),
      async readHidden(prompt) {
        // Raw mode disables echo before the prompt appears. Line editing must be handled here.
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
    // EAGAIN: no input left.
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

/** Raw mode passes every key, including those that the terminal usually handles itself. */
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
