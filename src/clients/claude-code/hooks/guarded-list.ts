/** The list of guarded paths: transcripts, agent files, and files of contextd in the folders of the clients. */

import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { HookPayload, HookPorts } from './hook.ts'
import { bothNames, allNamesOf } from './path-names.ts'
import { startsUnknown, toPattern, type ShellPathPattern } from './path-pattern.ts'

export type Guarded = 'transcript' | 'own' | 'agent-file' | 'private-file'

export interface GuardedPath {
  readonly what: Guarded
  readonly pattern: ShellPathPattern
}

export interface GuardedList {
  readonly paths: readonly GuardedPath[]
  /** Guarded patterns that a command may reach through a folder above them. */
  readonly inFolders: readonly ShellPathPattern[]
  /** Claude Code's folders for settings and transcripts. */
  readonly clientFolders: readonly string[]
  /** All folders of the clients and of contextd. */
  readonly folders: readonly string[]
}

export async function readGuardedList(payload: HookPayload, ports: HookPorts): Promise<GuardedList> {
  const folders = foldersOf(payload, ports)
  const { client, plugin, own, openCodeData, scratch } = folders
  const paths = guardedIn(folders)
  const privateFiles = allNamesOf(await ports.privateFiles())
  return {
    paths: [...paths, ...at('private-file', privateFiles, '')],
    inFolders: [
      ...paths.filter(({ pattern }) => !startsUnknown(pattern)).map(({ pattern }) => pattern),
      ...scratch.map((folder) => `${folder}${toPattern('/claude-*/*/*/tasks')}`),
    ],
    clientFolders: client,
    folders: [...client, ...plugin, ...own, ...openCodeData],
  }
}

interface GuardedFolders {
  readonly client: readonly string[]
  /** The plugin's own folder, as the client names it. */
  readonly plugin: readonly string[]
  /** Of contextd. */
  readonly own: readonly string[]
  readonly openCodeData: readonly string[]
  readonly openCodeConfig: readonly string[]
  readonly scratch: readonly string[]
}

function foldersOf({ transcript_path: transcript }: HookPayload, ports: HookPorts): GuardedFolders {
  const { env, ownFolders } = ports
  const home = env.HOME ?? ''
  return {
    client: allNamesOf([
      join(home, '.claude'),
      ...(env.CLAUDE_CONFIG_DIR ? [env.CLAUDE_CONFIG_DIR] : []),
      // $CFG/projects/<slug>/<session>.jsonl
      ...(transcript === undefined ? [] : [dirname(dirname(dirname(transcript)))]),
    ]),
    plugin: env.CLAUDE_PLUGIN_ROOT ? [env.CLAUDE_PLUGIN_ROOT] : [],
    own: allNamesOf([...ownFolders, ...(env.CLAUDE_PLUGIN_DATA ? [env.CLAUDE_PLUGIN_DATA] : [])]),
    openCodeData: allNamesOf([join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode')]),
    openCodeConfig: allNamesOf([join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')]),
    scratch: allNamesOf([env.CLAUDE_CODE_TMPDIR, env.TMPDIR, tmpdir(), '/tmp'].map((folder) => folder ?? '')),
  }
}

function guardedIn({ client, plugin, own, openCodeData, openCodeConfig }: GuardedFolders): GuardedPath[] {
  return [
    ...at(
      'transcript',
      client,
      '/projects/*/*.jsonl',
      '/projects/*/*/subagents',
      '/projects/*/*/subagents/**',
    ),
    ...at('transcript', client, '/projects/*/*/tool-results', '/projects/*/*/tool-results/**'),
    { what: 'transcript', pattern: toPattern('**/tasks/*.output') },
    ...at('agent-file', client, '/agents', '/agents/**', '/plugins/**/agents', '/plugins/**/agents/**'),
    ...at('agent-file', plugin.flatMap(bothNames), '/agents', '/agents/**'),
    ...at('transcript', openCodeData, '/*.db*', '/storage', '/storage/**'),
    ...at('agent-file', openCodeConfig, '/agent', '/agent/**', '/agents', '/agents/**'),
    // OpenCode runs these files, and they attest its calls.
    ...at('own', openCodeConfig, '/plugin*/contextd.js'),
    { what: 'own', pattern: toPattern('**/.opencode/plugin*/contextd.js') },
    ...at('own', own, '', '/**'),
    // Our hook puts the line that wraps the client's shell here.
    ...at('own', client, '/session-env', '/session-env/**'),
    // The client runs these before that line.
    ...at('own', client, '/shell-snapshots', '/shell-snapshots/**'),
  ]
}

function at(what: Guarded, folders: readonly string[], ...below: readonly string[]): GuardedPath[] {
  return folders.flatMap((folder) => below.map((rest) => ({ what, pattern: `${folder}${toPattern(rest)}` })))
}
