/** The tools that `contextd init --tools` turns into executables. Kept short: an agent reads this before every use. */

import type { JsonObject } from '@contextd/shared/json/value'

export interface LinkedTool {
  readonly name: string
  readonly purpose: string
  readonly use: string
  /** What not to use it for, and the alternative. */
  readonly not: string
  readonly limits: string
  /** JSON Schema of the most useful arguments; contextd accepts all of them. */
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly required?: readonly string[]
}

const text = { type: 'string' }
const integer = { type: 'integer' }
const texts = { type: 'array', items: text }
const outcome = { enum: ['success', 'failure'] }

export const linkedTools: readonly LinkedTool[] = [
  {
    name: 'safe_bash',
    purpose: 'Runs a bash command in the sandbox',
    use: "`safe_bash --command 'npm test'`",
    not: 'reading a file → safe_read; searching the project → repo_search',
    limits: 'no network unless granted; secrets read `[SECRET_1]`; a long output names a ref → read_more',
    properties: { command: text, cwd: text, timeout_ms: integer },
    required: ['command'],
  },
  {
    name: 'safe_read',
    purpose: 'Reads lines of a text file',
    use: '`safe_read --path src/a.ts --offset 100 --limit 50`',
    not: 'searching → repo_search',
    limits: 'secrets read `[SECRET_1]`; a negative offset counts from the end',
    properties: { path: text, offset: integer, limit: integer },
    required: ['path'],
  },
  {
    name: 'safe_write',
    purpose: 'Writes or appends to a file',
    use: '`safe_write < args.json`, or `--path a.txt --content hello`',
    not: 'moving or deleting → safe_bash',
    limits: 'inside the workspace; refused when the file changed since you read it',
    properties: { path: text, content: text, append: { type: 'boolean' } },
    required: ['path', 'content'],
  },
  {
    name: 'http_fetch',
    purpose: 'Fetches a web address',
    use: '`http_fetch --url https://api.example.com/v1`',
    not: 'hosts that were not granted: ask the user',
    limits: 'granted hosts only; a long answer names a ref → read_more',
    properties: { url: text, method: text, headers: { type: 'object' }, body: text },
    required: ['url'],
  },
  {
    name: 'read_more',
    purpose: 'Reads the rest of a truncated result',
    use: '`read_more --ref ref_… --offset 4096`',
    not: 'files → safe_read',
    limits: 'refs of your own session',
    properties: { ref: text, offset: integer },
    required: ['ref'],
  },
  {
    name: 'memory_search',
    purpose: 'Finds lessons of earlier sessions',
    use: "`memory_search --query 'flaky test'`, or `--task` for the few that fit a task",
    not: 'code → repo_search',
    limits: 'returns IDs and titles; memory_get returns the text',
    properties: { query: text, task: text, limit: integer },
  },
  {
    name: 'memory_get',
    purpose: 'Reads memories in full',
    use: '`memory_get --ids <id> --ids <id>`',
    not: 'finding them → memory_search',
    limits: 'memories you may read',
    properties: { ids: texts },
    required: ['ids'],
  },
  {
    name: 'memory_store',
    purpose: 'Stores a lesson for later sessions',
    use: '`memory_store < lesson.json`: what helped or failed, and when to use it',
    not: 'the state of the work → checkpoint_save',
    limits: 'no secrets: they are masked',
    properties: { title: text, description: text, content: text, outcome },
    required: ['title', 'description', 'content', 'outcome'],
  },
  {
    name: 'memory_feedback',
    purpose: 'Records if a memory helped',
    use: '`memory_feedback --id <id> --helpful`',
    not: 'a new lesson → memory_store',
    limits: 'memories you may read',
    properties: { id: text, helpful: { type: 'boolean' }, outcome },
    required: ['id', 'helpful'],
  },
  {
    name: 'checkpoint_save',
    purpose: "Saves this session's state",
    use: "`checkpoint_save --summary 'tests pass, docs open'`",
    not: 'lessons → memory_store',
    limits: 'secrets are masked',
    properties: { summary: text, context: text, name: text },
    required: ['summary'],
  },
  {
    name: 'checkpoint_list',
    purpose: 'Lists checkpoints, newest first',
    use: '`checkpoint_list < /dev/null`',
    not: 'reading one → checkpoint_restore',
    limits: 'this project',
    properties: { before: text },
  },
  {
    name: 'checkpoint_restore',
    purpose: 'Reads a checkpoint',
    use: '`checkpoint_restore --id <id> --level context`',
    not: 'finding one → checkpoint_list',
    limits: 'level context stays under 2,000 tokens',
    properties: { id: text, level: { enum: ['summary', 'context', 'full'] } },
    required: ['id'],
  },
  {
    name: 'branch',
    purpose: 'Opens a subtask that stays out of your context',
    use: "`branch --description 'read the logs' --prompt 'What failed?'`, then work, then return",
    not: 'one short answer: just ask for it',
    limits: 'budget 8192 tokens unless given, at most 32768',
    properties: { description: text, prompt: text, budget: integer },
    required: ['description', 'prompt'],
  },
  {
    name: 'return',
    purpose: 'Ends a branch with a summary',
    use: "`return --message 'Worker 3 ran out of memory'`",
    not: 'saving state → checkpoint_save',
    limits: 'ends the newest branch unless branch_id names one',
    properties: { message: text, outcome, branch_id: text },
    required: ['message'],
  },
  {
    name: 'repo_search',
    purpose: 'Searches the project by words and meaning',
    use: "`repo_search --query 'where sessions end'`",
    not: 'a file you know → safe_read',
    limits: 'indexed files only; under 500 tokens',
    properties: { query: text, path: text, limit: integer },
    required: ['query'],
  },
  {
    name: 'list_servers',
    purpose: 'Lists the MCP servers you may use',
    use: '`list_servers < /dev/null`',
    not: 'a tool by what it does → find_tools',
    limits: 'what your rules allow',
    properties: { include_metadata: { type: 'boolean' } },
  },
  {
    name: 'get_server_tools',
    purpose: 'Lists tools of a server, with their schemas',
    use: '`get_server_tools --server github`',
    not: 'a search over all servers → find_tools',
    limits: 'what your rules allow',
    properties: { server: text, names: texts },
    required: ['server'],
  },
  {
    name: 'find_tools',
    purpose: 'Searches the tools of all MCP servers',
    use: "`find_tools --query 'create an issue'`",
    not: 'calling one → execute_tool',
    limits: 'under 500 tokens',
    properties: { query: text },
    required: ['query'],
  },
  {
    name: 'execute_tool',
    purpose: 'Calls a tool of an MCP server',
    use: '`execute_tool --server github --tool list_issues --args \'{"state":"open"}\'`',
    not: 'its schema → get_server_tools',
    limits: 'what your rules allow; secrets are masked',
    properties: { server: text, tool: text, args: { type: 'object' } },
    required: ['server', 'tool'],
  },
]

/** One line, about 50 tokens. */
export function schemaText({ name, purpose, properties, required }: LinkedTool): string {
  const parameters = { type: 'object', properties, ...(required !== undefined && { required }) }
  return `${JSON.stringify({ name, description: purpose, parameters })}\n`
}

/** Under 100 tokens. */
export function aboutText({ name, purpose, use, not, limits }: LinkedTool): string {
  return `# ${name}\n> ${purpose}\n\n**Use**: ${use}\n**Not**: ${not}\n**Limits**: ${limits}\n`
}
