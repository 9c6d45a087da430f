/**
 * Wraps the client's shell. The client runs each command as `<shell> -c '<hook lines> && eval <command>'`; our hook
 * line starts the same shell again as a child of contextd, which scrubs its output. The command itself is unchanged,
 * so the user's permission rules match as before.
 */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { replaceFile } from '@contextd/shared/files/small-file'
import type { HookPayload, HookPorts } from './hook.ts'

/** Set in the environment of a wrapped shell to the process that reads its output. */
export const readerVariable = 'CONTEXTD_SHELL'

/** Marks the end of our line, followed by the client process it was written for. */
const mark = '# contextd shell'

/**
 * Works in bash and zsh, the shells that the client supports. If contextd cannot be started, the shell exits without
 * running the command.
 */
export function scrubbedShellLine(
  program: readonly string[],
  { session, project, client }: { session: string; project: string; client: string },
): string {
  const words = [...program, 'hook', 'shell', session, project].map(quoted).join(' ')
  const login = '$({ shopt -q login_shell || [[ -o login ]]; } 2>/dev/null && echo -l)'
  const command = '"${BASH_EXECUTION_STRING-$ZSH_EXECUTION_STRING}"'
  const again = `exec ${words} "\${BASH:-$0}" ${login} -c ${command}`
  return `[ "\${${readerVariable}-}" = "$PPID" ] || ${again} || exit 126 ${mark} ${client}`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** In strict mode, skills and the user's own `!` run commands in this shell without any hook being called. */
function disabledShellLine(client: string): string {
  const why = "contextd: the client's shell is disabled in strict mode; agents use safe_bash"
  return `echo ${quoted(why)} >&2; exit 126 ${mark} off ${client}`
}

type Place = Pick<HookPorts, 'env' | 'mode' | 'program'>

/** SessionStart: from now on, commands of this session run wrapped, or not at all. */
export function wrapShell({ session_id, cwd }: HookPayload, { env, mode, program }: Place): void {
  const named = env.CLAUDE_ENV_FILE
  if (named === undefined || named === '') return
  const client = env.CLAUDE_PID ?? ''
  const project = env.CLAUDE_PROJECT_DIR || cwd
  const line =
    mode === 'strict'
      ? disabledShellLine(client)
      : scrubbedShellLine(program, { session: session_id, project, client })
  // A resumed session receives the folder of another session, but reads its own.
  const own = join(dirname(dirname(named)), session_id, basename(named))
  for (const file of new Set([named, own])) {
    const folder = dirname(file)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const old of scriptsIn(folder)) {
      const kept = withoutOurs(old.text)
      if (kept !== old.text && old.file !== file) replaceFile(old.file, kept)
    }
    const others = withoutOurs(textOf(file))
    // The client puts `… &&` before the first line, which must not be ours.
    replaceFile(file, `${others === '' ? ':\n' : others}${line}\n`)
  }
}

/** PreToolUse: whether the calling client has read our line for this session. */
export function isShellWrapped({ session_id }: HookPayload, { env }: Pick<HookPorts, 'env'>): boolean {
  const settings = env.CLAUDE_CONFIG_DIR || join(env.HOME ?? '', '.claude')
  const ending = `${mark} ${env.CLAUDE_PID ?? ''}`
  return scriptsIn(join(settings, 'session-env', session_id)).some(({ text }) =>
    text.split('\n').some((line) => line.endsWith(ending)),
  )
}

function withoutOurs(text: string): string {
  return text.replace(new RegExp(`^(?::\\n)?.*${mark}.*\\n?`, 'gm'), '')
}

function scriptsIn(folder: string): { file: string; text: string }[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.sh'))
      .map((name) => ({ file: join(folder, name), text: textOf(join(folder, name)) }))
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const callerMark = '# contextd caller'

/**
 * Passes the caller to the shell, if that determines which output may be seen. A comment on its own line does not
 * affect the client's permission rules.
 */
export function withCaller(command: string, caller: string): string {
  return `${callerMark} ${Buffer.from(caller).toString('base64url')}\n${command}`
}

/** Only contextd writes this comment. */
export function claimsCaller(command: string): boolean {
  return command.includes(callerMark)
}

/** The caller of the command that the shell was started with; undefined if not named. */
export function callerIn(shellCommand: string): string | undefined {
  const [, name] = new RegExp(`${callerMark} ([\\w-]+)\\n`).exec(shellCommand) ?? []
  return name === undefined ? undefined : Buffer.from(name, 'base64url').toString()
}
