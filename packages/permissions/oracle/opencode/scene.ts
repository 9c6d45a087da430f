/** Building blocks of scenes: configurations and calls that the oracle tries with the real OpenCode and with `explain`. */

import type { JsonObject } from '@contextd/shared/json/value'

/** A call of the scripted model, and the equivalent question for `explain`. */
export interface Probe {
  /** `bash(touch x)`, `read(./.env)`, `probe_tool`: also the name of the cell within its scene. */
  readonly asked: string
  readonly tool: string
  readonly input: JsonObject
  /** A file, relative to the root, that exists afterwards if and only if the client allowed the call. */
  readonly leaves?: string
  /** Number of identical calls, as the client stops repeated calls. */
  readonly times?: number
  readonly undocumented?: string | undefined
}

/** A configuration, in which the client is started once and tries all probes; each probe is a cell. */
export interface Scene {
  readonly name: string
  /** Relative to the root: `project/…`, `home/…`, `managed/opencode.json`. `$ROOT` and other placeholders are replaced. */
  readonly files: Readonly<Record<string, string | JsonObject>>
  /** Additional environment variables of the client. */
  readonly env?: Readonly<Record<string, string>>
  readonly probes: readonly Probe[]
  /** A subagent of this name runs the probes. */
  readonly agent?: string
  /** The main agent. */
  readonly runAs?: string
  readonly undocumented?: string | undefined
}

export const userFile = 'home/.config/opencode/opencode.json'
export const projectFile = 'project/opencode.json'

export const permit = (permission: string | JsonObject): JsonObject => ({ permission })

/** An agent file with its permissions as JSON, which is valid YAML. */
export const agentFile = (mode: string, permission?: JsonObject): string =>
  `---\ndescription: One of the agents.\nmode: ${mode}\n${
    permission === undefined ? '' : `permission: ${JSON.stringify(permission)}\n`
  }---\nYou help.\n`

/** The minimum that git recognizes as a repository. */
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
  input: { filePath: absolutePathOf(path) },
})

export const writes = (path: string): Probe => ({
  asked: `write(${path})`,
  tool: 'write',
  input: { filePath: absolutePathOf(path), content: 'written' },
  ...(path.startsWith('./') && { leaves: `project/${path}` }),
})

export const edits = (path: string): Probe => ({
  asked: `edit(${path})`,
  tool: 'edit',
  input: { filePath: absolutePathOf(path), oldString: 'before', newString: 'after' },
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

/** Nothing listens there: allowed calls fail immediately. */
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

/** Paths are in the form of questions: `./a.txt`, `/etc/hosts`, `~/a.txt`. */
function absolutePathOf(path: string): string {
  if (path.startsWith('~/')) return `$HOME/${path.slice(2)}`
  return path.startsWith('./') ? `$PROJECT/${path.slice(2)}` : path
}
