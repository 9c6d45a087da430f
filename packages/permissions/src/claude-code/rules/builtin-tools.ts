/** The built-in tools of Claude Code. */

/** How rules match a tool's argument. */
export type BuiltinKind = 'shell' | 'read' | 'write' | 'fetch' | 'agent' | 'skill' | 'other'

interface Builtin {
  readonly kind: BuiltinKind
  /** Whether the client runs it without asking. */
  readonly isFree: boolean
  /** Not offered without a terminal, or only by other builds and versions. */
  readonly isElsewhere?: true
}

const free = (kind: BuiltinKind = 'other'): Builtin => ({ kind, isFree: true })
const asked = (kind: BuiltinKind = 'other'): Builtin => ({ kind, isFree: false })

const elsewhere = (tool: Builtin): Builtin => ({ ...tool, isElsewhere: true })

/** Built-in tools that are not available everywhere. */
const rare = (
  'Artifact ClaudeDesign EndConversation LSP OfferChromeSetup Projects propose_skills ProposeGoal ' +
  'PushNotification ReadMcpResourceDirTool ReadNotifications RemoteTrigger SendFeedback SendUserFile SendUserMessage ShareOnboardingGuide ' +
  'ShowOnboardingRolePicker SubagentHandback TaskCreate TaskGet TaskList TaskUpdate WaitForMcpServers'
).split(' ')

const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['Agent', free('agent')],
  ['AskUserQuestion', free()],
  ['Bash', asked('shell')],
  ['CronCreate', free()],
  ['CronDelete', free()],
  ['CronList', free()],
  ['Edit', asked('write')],
  ['EnterPlanMode', free()],
  ['EnterWorktree', free()],
  ['ExitPlanMode', asked()],
  ['ExitWorktree', free()],
  ['Glob', elsewhere(free('read'))],
  ['Grep', elsewhere(free('read'))],
  ['ListAgents', free()],
  ['ListMcpResourcesTool', free()],
  ['Monitor', asked('shell')],
  ['NotebookEdit', asked('write')],
  ['PowerShell', elsewhere(asked())],
  ['Read', free('read')],
  ['ReadMcpResourceTool', free()],
  ['ReportFindings', free()],
  ['ScheduleWakeup', free()],
  ['SendMessage', free()],
  ['Skill', free('skill')],
  ['TaskStop', free()],
  ['TodoWrite', elsewhere(free())],
  ['ToolSearch', free()],
  ['WebFetch', asked('fetch')],
  ['WebSearch', asked()],
  ['Workflow', free()],
  ['Write', asked('write')],
  ...rare.map((name): [string, Builtin] => [name, elsewhere(free())]),
])

/** Former names that the client still accepts in rules. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['Brief', 'SendUserMessage'],
  ['KillBash', 'TaskStop'],
  ['KillShell', 'TaskStop'],
  ['ListMcpResources', 'ListMcpResourcesTool'],
  ['ListPeers', 'ListAgents'],
  ['ReadMcpResource', 'ReadMcpResourceTool'],
  ['ReadMcpResourceDir', 'ReadMcpResourceDirTool'],
])

export const claudeTools: readonly string[] = [...builtins.keys()]

/** The current name of a tool; unknown names are returned unchanged. */
export function canonicalTool(name: string): string {
  return aliases.get(name) ?? name
}

export function isClaudeTool(name: string): boolean {
  return builtins.has(canonicalTool(name))
}

export function builtin(name: string): Builtin | undefined {
  return builtins.get(canonicalTool(name))
}
