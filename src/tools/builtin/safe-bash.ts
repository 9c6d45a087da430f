import { resolve } from 'node:path'

import * as z from 'zod'

import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../../core/result.ts'
import { maxBackgroundSeconds, type Tool } from '../../core/tool.ts'
import type { SandboxLimits } from '../../sandbox/sandbox.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import type { BackgroundCommands } from '../shell/background/background-commands.ts'
import { isCommandGranted } from '../shell/command-patterns.ts'
import type { Shell, ShellEnded } from '../shell/shell.ts'
import { timeLeft } from '../time-left.ts'
import { commandText } from './answer-texts.ts'
import { confinementNote, describeEnd, leftoverNote } from './command-end.ts'

const maxCommandLength = 131_072
/** How long a background command may run if the call requests no time. */
const backgroundMs = maxBackgroundSeconds * 1000
/** bash fails on these before it runs the command. */
const ownNames = new Set(
  'BASHOPTS BASH_VERSINFO EUID PPID SHELLOPTS UID POSIXLY_CORRECT __left __args'.split(' '),
)
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

// Explained in errors, not in the schema, which costs every model tokens in every session.
const plain = z.string().refine((text) => !text.includes('\0'), 'text without NUL characters')
const command = plain.refine(
  ({ length }) => length > 0 && length <= maxCommandLength,
  `1 to ${maxCommandLength} characters`,
)
const variables = z
  .record(z.string(), plain)
  .refine(
    (env) => Object.keys(env).every((name) => variableName.test(name)),
    'names with letters, digits and "_"',
  )
  .refine((env) => !Object.keys(env).some((name) => ownNames.has(name)), 'no name that bash reserves')

export function safeBash(shell: Shell, commands: BackgroundCommands): Tool {
  return defineTool({
    name: 'safe_bash',
    description: 'Runs a bash command sandboxed in the workspace: no network unless granted, secrets masked.',
    input: z.object({
      command,
      cwd: plain.optional(),
      timeout_ms: z
        .int()
        .refine((time) => time > 0, 'more than 0')
        .optional(),
      env: variables.optional(),
      stdin: z.string().optional(),
      background: z.boolean().optional(),
    }),
    needs: ['shell:exec'],
    keep: 'head-and-tail',
    renderText: commandText,
    annotations: { destructiveHint: true, openWorldHint: false },
    _meta: alwaysLoad,
    commandTime: ({ timeout_ms: requested, background }) => ({
      ms:
        typeof requested === 'number' ? requested : background === true ? backgroundMs : shell.limits.timeMs,
      isRequested: typeof requested === 'number' || background === true,
      isBackground: background === true,
    }),
    async run({ command: text, cwd = '.', timeout_ms, env = {}, stdin, background = false }, host) {
      const { call } = host
      if (!isCommandGranted(text, call.grants)) {
        throw new ContextdError('CAPABILITY_NOT_GRANTED', {
          agent: call.principal?.agent,
          capability: 'shell:exec for this command',
          hint: 'Use a command that matches a granted pattern, without substitutions or groups.',
        })
      }
      const workspace = shell.workspaceOf(call.project)
      const run = { run: text, cwd: resolve(workspace, cwd), env, ...(stdin !== undefined && { stdin }) }
      if (background) {
        const timeMs = timeout_ms ?? backgroundMs
        const shown = await host.scrub(text)
        // Nobody would know the id of a command that started after its call was cancelled.
        call.signal.throwIfAborted()
        const started = commands.start(call, shown, (parts) =>
          shell.run(run, { host, workspace, timeMs, background: parts }),
        )
        return answer({
          id: started.id,
          note: `Running for up to ${inWords(timeMs)}. Call safe_output with the id to read its output, and safe_stop to end it.${shell.isConfined ? portsNote : ''}`,
        })
      }
      const left = timeLeft(call, Date.now())
      const asked = timeout_ms ?? shell.limits.timeMs
      const ended = await shell.run(run, { host, workspace, timeMs: Math.max(1, Math.min(asked, left)) })
      return answer(describe(ended, { text, workspace, limits: shell.limits, isCut: asked > left }))
    },
  })
}

function inWords(ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} minutes`
}

interface Described {
  readonly text: string
  readonly workspace: string
  readonly limits: SandboxLimits
  /** It got less time than requested. */
  readonly isCut: boolean
}

function describe(ended: ShellEnded, { text, workspace, limits, isCut }: Described): JsonObject {
  const note = ended.limit === undefined ? (leftoverNote(text) ?? confinementNote(ended)) : undefined
  return {
    ...describeEnd(ended, workspace, limits, isCut ? callTimeNote : undefined),
    ...(note !== undefined && { note }),
    stdout: ended.stdout.toString(),
    stderr: ended.stderr.toString(),
  }
}

const portsNote =
  ' Other commands cannot connect to its ports: start a server and send it requests in one command.'

const callTimeNote =
  "Killed at the call timeout: do less at once, or ask the user to raise the agent's `limits.timeout_ms` in the rules."
