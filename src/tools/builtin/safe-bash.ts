import { resolve } from 'node:path'

import * as z from 'zod'

import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import type { LimitName, SandboxLimits } from '../../sandbox/sandbox.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import { whyProtected } from '../files/protected-paths.ts'
import { realPathOf } from '../real-path.ts'
import { isCommandGranted } from '../shell/command-patterns.ts'
import type { RefusedHosts, Shell, ShellEnded } from '../shell/shell.ts'
import { timeLeft } from '../time-left.ts'

const maxCommandLength = 131_072
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

export function safeBash(shell: Shell): Tool {
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
    }),
    needs: ['shell:exec'],
    keep: 'head-and-tail',
    annotations: { destructiveHint: true, openWorldHint: false },
    _meta: alwaysLoad,
    async run({ command: text, cwd = '.', timeout_ms, env = {}, stdin }, host) {
      const { call } = host
      if (!isCommandGranted(text, call.grants)) {
        throw new ContextdError('CAPABILITY_NOT_GRANTED', {
          agent: call.principal?.agent,
          capability: 'shell:exec for this command',
          hint: 'Use a command that matches a granted pattern, without substitutions or groups.',
        })
      }
      const workspace = shell.workspaceOf(call.project)
      const left = timeLeft(call, Date.now())
      const asked = timeout_ms ?? shell.limits.timeMs
      const ended = await shell.run(
        { run: text, cwd: resolve(workspace, cwd), env, ...(stdin !== undefined && { stdin }) },
        { host, workspace, timeMs: Math.max(1, Math.min(asked, left)) },
      )
      const notes = limitNotes(shell.limits)
      return answer(describe(ended, workspace, { ...notes, ...(asked > left && { time: callTimeNote }) }))
    },
  })
}

type LimitNotes = Readonly<Record<LimitName, string>>

function describe(
  { exitCode, limit, stdout, stderr, movedAside, refusedHosts }: ShellEnded,
  workspace: string,
  notes: LimitNotes,
): JsonObject {
  const shown = (path: string): string =>
    path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path
  return {
    exit_code: exitCode,
    ...(limit !== undefined && { limit, note: notes[limit] }),
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    ...(refusedHosts.size > 0 && {
      refused_hosts: [...refusedHosts.keys()],
      refused_because: refusedBecause(refusedHosts),
    }),
    ...(movedAside.length > 0 && {
      moved_aside: movedAside.map(({ path, to }) => ({ path: shown(path), to: shown(to) })),
      moved_aside_because: movedBecause(movedAside, workspace),
    }),
  }
}

function refusedBecause(hosts: RefusedHosts): string {
  const reasons = [...hosts].map(([host, { reason }]) => `${host}: ${reason}.`)
  const grants = new Set([...hosts.values()].flatMap(({ grant }) => grant ?? []))
  const next =
    grants.size === 0
      ? []
      : [`The user can add to allow.capabilities of the agent: ${[...grants].join(', ')}`]
  return [...reasons, ...next].join(' ')
}

function movedBecause(movedAside: ShellEnded['movedAside'], workspace: string): string {
  const places = { workspace, home: realPathOf(homeFolder()) }
  const reasons = new Set(movedAside.map(({ path }) => whyProtected(path, places)))
  return `Only the user may write these. ${[...reasons].join('; ')}.`
}

/** The command got less time than requested. */
const callTimeNote =
  "Killed at the call timeout: do less at once, or ask the user to raise `limits.call_timeout_ms`, or the agent's `timeout_ms` in the rules."

function limitNotes(limits: SandboxLimits): LimitNotes {
  const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
  return {
    time: 'Killed at its timeout: pass a larger timeout_ms, or do less at once.',
    cpu: `Killed after ${limits.cpuSeconds} s of CPU time (sandbox.cpu_seconds).`,
    memory: `Ran out of memory: ${megabytes(limits.memoryBytes)} MB (sandbox.memory_mb).`,
    processes: `Reached its limit of ${limits.processes} processes and threads (sandbox.processes).`,
    file_size: `Killed because a file exceeded ${megabytes(limits.fileBytes)} MB (sandbox.file_mb).`,
    output: 'Killed because of too much output: redirect it to a file and read parts of that.',
    disk: `Killed because it added over ${megabytes(limits.diskBytes)} MB to the workspace (sandbox.disk_mb).`,
    files: `Killed because it created over ${limits.diskFiles} files (sandbox.disk_files).`,
  }
}
