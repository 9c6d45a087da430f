/** The tools that `ctxd init --tools` turns into executables. Kept short: an agent reads this before every use. */

import type { JsonObject } from '@contextd/shared/json/value'

import toolParameters from './parameters.json' with { type: 'json' }

export interface LinkedTool {
  readonly name: string
  readonly purpose: string
  readonly use: string
  /** What not to use it for, and the alternative. */
  readonly not: string
  readonly limits: string
  /** The arguments that matter, in this order; contextd accepts all arguments of the tool. */
  readonly arguments: readonly string[]
  /** Arguments that the tool requires without saying so in its schema. */
  readonly required?: readonly string[]
}

export const linkedTools: readonly LinkedTool[] = [
  {
    name: 'safe_bash',
    purpose: 'Runs a bash command in the sandbox',
    use: "`safe_bash --command 'npm test'`",
    not: 'reading a file → safe_read; searching the project → repo_search',
    limits: 'no network unless granted; secrets read `[SECRET_1]`; a long output names a ref → read_more',
    arguments: ['command', 'cwd', 'timeout_ms'],
  },
  {
    name: 'safe_read',
    purpose: 'Reads numbered lines of a text file, pages of a PDF, cells of a notebook',
    use: '`safe_read --path src/a.ts --offset 100 --limit 50`',
    not: 'searching → repo_search',
    limits: 'secrets read `[SECRET_1]`; a negative offset counts from the end',
    arguments: ['path', 'offset', 'limit', 'raw'],
  },
  {
    name: 'safe_write',
    purpose: 'Writes or appends to a file',
    use: '`safe_write < args.json`, or `--path a.txt --content hello`',
    not: 'moving or deleting → safe_bash',
    limits: 'inside the workspace; refused when the file changed since you read it',
    arguments: ['path', 'content', 'append'],
  },
  {
    name: 'safe_edit',
    purpose: 'Replaces texts or lines in a file',
    use: '`safe_edit < args.json`: `{"path":"a.txt","edits":[{"old":"x","new":"y"}]}`',
    not: 'new files → safe_write',
    limits: 'all edits or none; refused when you have not read the file, or it changed since',
    arguments: ['path', 'edits'],
  },
  {
    name: 'http_fetch',
    purpose: 'Fetches a web address',
    use: '`http_fetch --url https://api.example.com/v1`',
    not: 'hosts that were not granted: ask the user',
    limits: 'granted hosts only; a long answer names a ref → read_more',
    arguments: ['url', 'method', 'headers', 'body'],
  },
  {
    name: 'read_more',
    purpose: 'Reads the rest of a truncated result',
    use: '`read_more --ref ref_… --offset 4096`',
    not: 'files → safe_read',
    limits: 'refs of your own session',
    arguments: ['ref', 'offset'],
  },
  {
    name: 'memory_search',
    purpose: 'Finds lessons of earlier sessions',
    use: "`memory_search --query 'flaky test'`, or `--task` for the few that fit a task",
    not: 'code → repo_search',
    limits: 'returns IDs and titles; memory_get returns the text',
    arguments: ['query', 'task', 'limit'],
  },
  {
    name: 'memory_get',
    purpose: 'Reads memories in full',
    use: '`memory_get --ids <id> --ids <id>`',
    not: 'finding them → memory_search',
    limits: 'memories you may read',
    arguments: ['ids'],
  },
  {
    name: 'memory_store',
    purpose: 'Stores a lesson for later sessions',
    use: '`memory_store < lesson.json`: what helped or failed, and when to use it',
    not: 'the state of the work → checkpoint_save',
    limits: 'no secrets: they are masked',
    arguments: ['title', 'description', 'content', 'outcome'],
    required: ['title', 'description', 'content', 'outcome'],
  },
  {
    name: 'memory_feedback',
    purpose: 'Records if a memory helped',
    use: '`memory_feedback --id <id> --helpful`',
    not: 'a new lesson → memory_store',
    limits: 'memories you may read',
    arguments: ['id', 'helpful', 'outcome'],
  },
  {
    name: 'checkpoint_save',
    purpose: "Saves this session's state",
    use: "`checkpoint_save --summary 'tests pass, docs open'`",
    not: 'lessons → memory_store',
    limits: 'secrets are masked',
    arguments: ['summary', 'context', 'name'],
  },
  {
    name: 'checkpoint_list',
    purpose: 'Lists checkpoints, newest first',
    use: '`checkpoint_list < /dev/null`',
    not: 'reading one → checkpoint_restore',
    limits: 'this project',
    arguments: ['before'],
  },
  {
    name: 'checkpoint_restore',
    purpose: 'Reads a checkpoint',
    use: '`checkpoint_restore --id <id> --level context`',
    not: 'finding one → checkpoint_list',
    limits: 'level context stays under 2,000 tokens',
    arguments: ['id', 'level'],
  },
  {
    name: 'branch',
    purpose: 'Opens a subtask that stays out of your context',
    use: "`branch --description 'read the logs' --prompt 'What failed?'`, then work, then return",
    not: 'one short answer: just ask for it',
    limits: 'budget 8192 tokens unless given, at most 32768',
    arguments: ['description', 'prompt', 'budget'],
  },
  {
    name: 'return',
    purpose: 'Ends a branch with a summary',
    use: "`return --message 'Worker 3 ran out of memory'`",
    not: 'saving state → checkpoint_save',
    limits: 'ends the newest branch unless branch_id names one',
    arguments: ['message', 'outcome', 'branch_id'],
  },
  {
    name: 'repo_search',
    purpose: 'Searches the project by words and meaning',
    use: "`repo_search --query 'where sessions end'`",
    not: 'a file you know → safe_read',
    limits: 'indexed files only; under 500 tokens',
    arguments: ['query', 'path', 'limit'],
  },
  {
    name: 'list_servers',
    purpose: 'Lists the MCP servers you may use',
    use: '`list_servers < /dev/null`',
    not: 'a tool by what it does → find_tools',
    limits: 'what your rules allow',
    arguments: ['include_metadata'],
  },
  {
    name: 'get_server_tools',
    purpose: 'Lists tools of a server, with their schemas',
    use: '`get_server_tools --server github`',
    not: 'a search over all servers → find_tools',
    limits: 'what your rules allow',
    arguments: ['server', 'names'],
  },
  {
    name: 'find_tools',
    purpose: 'Searches the tools of all MCP servers',
    use: "`find_tools --query 'create an issue'`",
    not: 'calling one → execute_tool',
    limits: 'under 500 tokens',
    arguments: ['query'],
  },
  {
    name: 'execute_tool',
    purpose: 'Calls a tool of an MCP server',
    use: '`execute_tool --server github --tool list_issues --args \'{"state":"open"}\'`',
    not: 'its schema → get_server_tools',
    limits: 'what your rules allow; secrets are masked',
    arguments: ['server', 'tool', 'args'],
  },
]

/** The parameters of a link, from the schema of its tool: the arguments named, without limits and defaults. */
export function linkParameters(tool: LinkedTool, { properties, required }: JsonObject): JsonObject {
  const schemas = properties as Readonly<Record<string, JsonObject>>
  const isRequired = new Set([...((required ?? []) as readonly string[]), ...(tool.required ?? [])])
  const names = tool.arguments.filter((name) => isRequired.has(name))
  return {
    type: 'object',
    properties: Object.fromEntries(tool.arguments.map((name) => [name, shortSchema(schemas[name]!)])),
    ...(names.length > 0 && { required: names }),
  }
}

function shortSchema({ type, items, enum: choices }: JsonObject): JsonObject {
  if (choices !== undefined) return { enum: choices }
  return { ...(type !== undefined && { type }), ...(items !== undefined && { items }) }
}

/** One line, about 50 tokens. */
export function schemaText({ name, purpose }: LinkedTool): string {
  const parameters = (toolParameters as Readonly<Record<string, JsonObject>>)[name]!
  return `${JSON.stringify({ name, description: purpose, parameters })}\n`
}

/** Under 100 tokens. */
export function aboutText({ name, purpose, use, not, limits }: LinkedTool): string {
  return `# ${name}\n> ${purpose}\n\n**Use**: ${use}\n**Not**: ${not}\n**Limits**: ${limits}\n`
}
