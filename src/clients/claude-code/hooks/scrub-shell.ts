/**
 * Puts the shell of the client behind ours. The client runs each command as `<shell> -c '<what hooks left> && eval
 * <command>'`; what we leave there starts the same shell again as a child of contextd, which passes on its output without
 * secrets. The command itself stays as it is, and with it whatever the person's permission rules say of it.
 */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { replaceFile } from '@contextd/shared/files/small-file'
import type { HookPayload, HookPorts } from './hook.ts'

/** In the environment of a shell that is already behind ours: the process that reads its output. */
export const readerVariable = 'CONTEXTD_SHELL'

/** What the line ends with, and the client process it was written for. */
const mark = '# contextd shell'

/**
 * Works in bash and zsh, the shells that the client knows. Where contextd cannot be started the shell ends, and with it
 * the command.
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

/** Strict mode: skills and the person's own `!` run commands in this shell too, and no hook is asked about those. */
function closedLine(client: string): string {
  const why = "contextd: the client's shell is disabled in strict mode; agents use safe_bash"
  return `echo ${quoted(why)} >&2; exit 126 ${mark} off ${client}`
}

type Place = Pick<HookPorts, 'env' | 'mode' | 'program'>

/** SessionStart: from now on commands of this session run behind us, or not at all. */
export function placeShell({ session_id, cwd }: HookPayload, { env, mode, program }: Place): void {
  const named = env.CLAUDE_ENV_FILE
  if (named === undefined || named === '') return
  const client = env.CLAUDE_PID ?? ''
  const project = env.CLAUDE_PROJECT_DIR || cwd
  const line =
    mode === 'strict'
      ? closedLine(client)
      : scrubbedShellLine(program, { session: session_id, project, client })
  // A session that goes on is given the folder of another, but reads its own.
  const own = join(dirname(dirname(named)), session_id, basename(named))
  for (const file of new Set([named, own])) {
    const folder = dirname(file)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const old of scriptsIn(folder)) {
      const kept = withoutOurs(old.text)
      if (kept !== old.text && old.file !== file) replaceFile(old.file, kept)
    }
    const others = withoutOurs(textOf(file))
    // The client puts `… &&` before the first line: ours must not depend on it.
    replaceFile(file, `${others === '' ? ':\n' : others}${line}\n`)
  }
}

/** PreToolUse: whether the client that asks has read our line for this session. */
export function isShellPlaced({ session_id }: HookPayload, { env }: Pick<HookPorts, 'env'>): boolean {
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
 * Tells the shell who runs the command, where that decides what of its output may be seen. A comment in a line of its own
 * changes nothing of what the client's permission rules say.
 */
export function withCaller(command: string, caller: string): string {
  return `${callerMark} ${Buffer.from(caller).toString('base64url')}\n${command}`
}

/** Only we write it. */
export function claimsCaller(command: string): boolean {
  return command.includes(callerMark)
}

/** The one that runs what the shell was started with; undefined where nobody was named. */
export function callerIn(shellCommand: string): string | undefined {
  const [, name] = new RegExp(`${callerMark} ([\\w-]+)\\n`).exec(shellCommand) ?? []
  return name === undefined ? undefined : Buffer.from(name, 'base64url').toString()
}
