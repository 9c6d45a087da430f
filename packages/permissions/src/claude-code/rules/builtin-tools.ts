/** The tools that Claude Code brings itself. */

/** How a tool's argument is looked at by rules. */
export type BuiltinKind = 'shell' | 'read' | 'write' | 'fetch' | 'agent' | 'skill' | 'other'

interface Builtin {
  readonly kind: BuiltinKind
  /** Whether the client asks nobody before it runs. */
  readonly isFree: boolean
  /** Not offered without a terminal, or only by other builds and versions. */
  readonly isElsewhere?: true
}

const free = (kind: BuiltinKind = 'other'): Builtin => ({ kind, isFree: true })
const asked = (kind: BuiltinKind = 'other'): Builtin => ({ kind, isFree: false })

const elsewhere = (tool: Builtin): Builtin => ({ ...tool, isElsewhere: true })

/** What it names among its tools, but does not offer everywhere. */
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

/** Earlier names that the client still understands in rules. */
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

/** The name under which the client knows a tool; that of any other stays as it is. */
export function canonicalTool(name: string): string {
  return aliases.get(name) ?? name
}

export function isClaudeTool(name: string): boolean {
  return builtins.has(canonicalTool(name))
}

export function builtin(name: string): Builtin | undefined {
  return builtins.get(canonicalTool(name))
}
