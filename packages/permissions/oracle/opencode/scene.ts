/** What the oracle asks the real OpenCode, and `explain`: scenes to be read at a glance. */

import type { JsonObject } from '@contextd/shared/json/value'

/** One call that the scripted model wants, and how a person would ask `explain` about it. */
export interface Probe {
  /** `bash(touch x)`, `read(./.env)`, `probe_tool`: also the name of the cell within its scene. */
  readonly asked: string
  readonly tool: string
  readonly input: JsonObject
  /** Below the root: is there afterwards if, and only if, the client let the call through. */
  readonly leaves?: string
  /** So often at once, as the client stops what goes round in circles. */
  readonly times?: number
  readonly undocumented?: string | undefined
}

/** One configuration. The client is started once in it and tries everything; each probe is a cell. */
export interface Scene {
  readonly name: string
  /** Below the root: `project/…`, `home/…`, `managed/opencode.json`. `$ROOT` and the like are filled in. */
  readonly files: Readonly<Record<string, string | JsonObject>>
  /** What the client is started with, beside what every run has. */
  readonly env?: Readonly<Record<string, string>>
  readonly probes: readonly Probe[]
  /** The probes are made by a subagent of this name. */
  readonly agent?: string
  /** The conversation begins with this agent. */
  readonly runAs?: string
  readonly undocumented?: string | undefined
}

export const userFile = 'home/.config/opencode/opencode.json'
export const projectFile = 'project/opencode.json'

export const permit = (permission: string | JsonObject): JsonObject => ({ permission })

/** An agent in a file, with what it says of its permissions as JSON, which is YAML too. */
export const agentFile = (mode: string, permission?: JsonObject): string =>
  `---\ndescription: One of the agents.\nmode: ${mode}\n${
    permission === undefined ? '' : `permission: ${JSON.stringify(permission)}\n`
  }---\nYou help.\n`

/** As little as git takes for a repository. */
export const repository: Scene['files'] = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/.git/objects/keep': '',
  'project/.git/refs/keep': '',
}

export const server = (...tools: string[]): JsonObject => ({
  type: 'local',
  command: ['$NODE', '$SERVER', '$ROOT/calls.txt', ...tools],
})

/** Tools of the server `probe`. */
export const calls = (tool: string): Probe => ({ asked: `probe_${tool}`, tool: `probe_${tool}`, input: {} })

export const runs = (command: string, leaves?: string): Probe => ({
  asked: `bash(${command})`,
  tool: 'bash',
  input: { command, description: 'part of the test' },
  ...(leaves !== undefined && { leaves: `project/${leaves}` }),
})

export const touches = (file: string): Probe => runs(`touch ${file}`, file)

export const reads = (path: string): Probe => ({
  asked: `read(${path})`,
  tool: 'read',
  input: { filePath: wholePath(path) },
})

export const writes = (path: string): Probe => ({
  asked: `write(${path})`,
  tool: 'write',
  input: { filePath: wholePath(path), content: 'written' },
  ...(path.startsWith('./') && { leaves: `project/${path}` }),
})

export const edits = (path: string): Probe => ({
  asked: `edit(${path})`,
  tool: 'edit',
  input: { filePath: wholePath(path), oldString: 'before', newString: 'after' },
})

export const globs = (pattern: string): Probe => ({
  asked: `glob(${pattern})`,
  tool: 'glob',
  input: { pattern },
})

export const greps = (pattern: string): Probe => ({
  asked: `grep(${pattern})`,
  tool: 'grep',
  input: { pattern },
})

/** Nothing listens there: what is let through fails at once. */
export const fetches = (path: string): Probe => {
  const url = `http://127.0.0.1:9/${path}`
  return { asked: `webfetch(${url})`, tool: 'webfetch', input: { url, format: 'text' } }
}

export const starts = (agent: string): Probe => ({
  asked: `task(${agent})`,
  tool: 'task',
  input: { description: 'part of the test', prompt: 'Say ok.', subagent_type: agent },
})

export const loads = (skill: string): Probe => ({
  asked: `skill(${skill})`,
  tool: 'skill',
  input: { name: skill },
})

export const plans: Probe = {
  asked: 'todowrite',
  tool: 'todowrite',
  input: { todos: [{ content: 'one', status: 'pending', priority: 'low' }] },
}

export const circles = (word: string): Probe => ({
  asked: `doom_loop(bash)`,
  tool: 'bash',
  input: { command: `echo ${word}`, description: 'part of the test' },
  times: 3,
})

/** Paths are as `explain` is asked about them: `./a.txt`, `/etc/hosts`, `~/a.txt`. */
function wholePath(path: string): string {
  if (path.startsWith('~/')) return `$HOME/${path.slice(2)}`
  return path.startsWith('./') ? `$PROJECT/${path.slice(2)}` : path
}
