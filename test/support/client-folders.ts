import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { HookPayload, HookPorts, HookSession } from '../../src/clients/claude-code/hooks/hook.ts'
import { protect } from '../../src/clients/claude-code/hooks/protect.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { sessionTexts } from './hook-session.ts'
import { noDoor } from './hook-door.ts'

const session = '0f5a2c1e-1111-4222-8333-444455556666'
const other = '9b7d0000-aaaa-4bbb-8ccc-ddddeeeeffff'
const slug = '-work-app'

/** The id of the agent with a transcript. */
export const scanner = 'a7d4c14f9bb829feb'

export const who = {
  main: {},
  scanner: { agent_id: scanner, agent_type: 'contextd:scanner' },
  helper: { agent_id: 'a000000000000001', agent_type: 'helper' },
  fork: { agent_id: 'a000000000000002', agent_type: 'fork' },
} as const satisfies Record<string, Partial<HookPayload>>

export interface ClientFolders {
  readonly home: string
  /** The folder of the session's files. */
  readonly session: string
  readonly events: JsonObject[]
  holders: ReturnType<HookSession['holders']>
  /** The tokens of the session and their secrets. */
  secrets: ReadonlyMap<string, string>
  /** False if there is no store. */
  hasStore: boolean
  /** As in the configuration. */
  allowProtected: string[]
  /** Runs the hook; in texts, TRANSCRIPT, TASKS, ROOT, SESSION, OTHER and SLUG are replaced with the real values. */
  ask(
    tool: string,
    input: JsonObject,
    caller?: Partial<HookPayload>,
    cwd?: string,
  ): Promise<JsonObject | undefined>
  remove(): void
}

/** A home folder as the client creates it, with transcripts, outputs, agents and plugins, and a project next to it. */
export function clientFolders(): ClientFolders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-protect-')))
  const home = join(root, 'home')
  const project = join(root, 'app')
  const sessions = join(home, '.claude', 'projects', slug)
  const transcripts = join(sessions, session, 'subagents')
  const transcript = join(transcripts, `agent-${scanner}.jsonl`)
  const tasks = join(root, 'tmp', 'claude-0', slug, session, 'tasks')
  for (const folder of [
    transcripts,
    join(sessions, session, 'tool-results'),
    join(sessions, other, 'tool-results'),
    join(sessions, 'memory'),
    join(home, '.claude', 'agents'),
    join(home, '.claude', 'plugins', 'cache', 'mkt', 'contextd', '0.1.0', 'agents'),
    join(home, '.config', 'contextd'),
    join(root, 'plugin', 'agents'),
    tasks,
    join(project, 'src'),
  ]) {
    mkdirSync(folder, { recursive: true })
  }
  writeFileSync(transcript, '{}')
  symlinkSync(transcript, join(tasks, `${scanner}.output`))
  symlinkSync(transcript, join(project, 'innocent.txt'))
  symlinkSync(join(home, '.claude'), join(project, 'vendor'))
  writeFileSync(join(tasks, 'b123abc.output'), 'make')

  const fill = (text: string): string =>
    text
      .replaceAll('TRANSCRIPT', transcript)
      .replaceAll('TASKS', tasks)
      .replaceAll('ROOT', root)
      .replaceAll('SESSION', session)
      .replaceAll('OTHER', other)
      .replaceAll('SLUG', slug)
  const opened: HookSession = {
    ...sessionTexts(),
    valuesOf: (tokens) => {
      const asked = new Set(tokens)
      return new Map([...folders.secrets].filter(([token]) => asked.has(token)))
    },
    holders: () => folders.holders,
    event: (name, details) => folders.events.push({ name, ...details }),
  }
  const ports: HookPorts = {
    mode: 'friendly',
    door: noDoor,
    get allowProtected() {
      return folders.allowProtected
    },
    ownFolders: [join(home, '.config', 'contextd'), join(home, '.local', 'state', 'contextd')],
    privateFiles: async () => [join(project, 'private', 'catalogue.md')],
    program: [],
    env: {
      HOME: home,
      TMPDIR: join(root, 'tmp'),
      CLAUDE_PLUGIN_ROOT: join(root, 'plugin'),
      CLAUDE_PROJECT_DIR: project,
    },
    session: async () => {
      if (!folders.hasStore) throw new Error('no store')
      return opened
    },
    memory: () => Promise.reject(new Error('this hook needs no memory')),
  }
  const folders: ClientFolders = {
    home,
    session: join(sessions, session),
    events: [],
    holders: [],
    secrets: new Map(),
    hasStore: true,
    allowProtected: [],
    ask: (tool, input, caller = {}, cwd = project) =>
      protect(
        {
          hook_event_name: 'PreToolUse',
          session_id: session,
          cwd,
          transcript_path: join(sessions, `${session}.jsonl`),
          tool_name: tool,
          tool_input: JSON.parse(fill(JSON.stringify(input))) as JsonObject,
          ...caller,
        },
        ports,
      ),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
  return folders
}
