// What one use of a built-in tool of Claude Code costs in hooks: with scrubbing hooks, and behind the model door.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { ownPort } from '../../test/support/own-port.ts'
import { hookConfig, type HookConfig } from '../../src/clients/claude-code/hook-config.ts'
import { serve } from '../support/served.ts'
import { compare, type Comparison } from '../support/statistics.ts'

export interface ToolUse {
  readonly what: string
  readonly time: Comparison
  /** CPU time of all processes except the daemon, per use. */
  readonly cpu: { readonly hooks: number; readonly door: number }
}

const session = 'bench'
const text = 'export const answer = 42\n'.repeat(200)

interface Use {
  readonly tool_name: string
  readonly tool_input: object
  readonly tool_response: object
}

const read: Use = {
  tool_name: 'Read',
  tool_input: { file_path: 'answer.ts' },
  tool_response: {
    type: 'text',
    file: { filePath: 'answer.ts', content: text, numLines: 200, startLine: 1, totalLines: 200 },
  },
}
const bash: Use = {
  tool_name: 'Bash',
  tool_input: { command: 'true' },
  tool_response: { stdout: text, stderr: '', interrupted: false, isImage: false },
}

export async function measureToolUse(home: string, rounds: number): Promise<ToolUse[]> {
  const project = join(home, 'project')
  for (const folder of [project, join(home, 'config')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, 'config', 'config.toml'), `[http]\nport = ${await ownPort()}\n`)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    CONTEXTD_HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: String(process.pid),
  }
  const daemon = await serve([resolve('bin/contextd.js'), 'serve', '--json'], env, project)
  try {
    const askUrl = [resolve('bin/ctxd.js'), 'model', 'url', 'claude-code']
    const url = execFileSync(process.execPath, askUrl, { env, cwd: project, encoding: 'utf8' }).trim()
    const behind = { ...env, ANTHROPIC_BASE_URL: url }
    const [withHooks, withDoor] = [hooksOf(false), hooksOf(true)]
    const line = await placedShell(withHooks, env)
    const doorRead = () => useTool(withDoor, read, behind)
    const shell = (script: string) => start('bash', ['-c', script], env)
    const hookedBash = () => useTool(withHooks, bash, env, () => shell(`${line}eval true`))
    const doorBash = () => useTool(withDoor, bash, behind, () => shell('eval true'))
    return [
      await inTurns('`Bash`, with the shell that runs `true`', hookedBash, doorBash, rounds),
      await inTurns('`Read`', () => useTool(withHooks, read, env), doorRead, rounds),
      await inTurns(
        '`Read`, the hooks of the plugin behind the door',
        () => useTool(withHooks, read, behind),
        doorRead,
        rounds,
      ),
    ]
  } finally {
    await daemon.stop()
  }
}

function hooksOf(door: boolean): HookConfig {
  return hookConfig({
    server: 'contextd',
    matcherPrefix: 'mcp__contextd__',
    command: [process.execPath, resolve('bin/contextd.js'), 'hook'],
    door,
  })
}

/** The text that session start hooks put before each shell command. */
async function placedShell(hooks: HookConfig, env: Record<string, string>): Promise<string> {
  const folder = join(env.CLAUDE_CONFIG_DIR ?? '', 'session-env', session)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'hook-1.sh')
  await runHooks(hooks, 'SessionStart', { source: 'startup' }, { ...env, CLAUDE_ENV_FILE: file })
  return readFileSync(file, 'utf8')
}

/** Like the client: runs the hooks of an event in parallel, with the tool in between. */
async function useTool(
  hooks: HookConfig,
  { tool_response, ...use }: Use,
  env: Record<string, string>,
  run = async (): Promise<void> => {},
): Promise<void> {
  await runHooks(hooks, 'PreToolUse', use, env)
  await run()
  await runHooks(hooks, 'PostToolUse', { ...use, tool_response }, env)
}

async function runHooks(
  hooks: HookConfig,
  event: string,
  about: object,
  env: Record<string, string>,
): Promise<void> {
  const { tool_name: tool = '' } = about as Partial<Use>
  const payload = { hook_event_name: event, session_id: session, cwd: env.CLAUDE_PROJECT_DIR, ...about }
  const commands = (hooks[event] ?? [])
    .filter(({ matcher = '' }) => new RegExp(matcher).test(tool))
    .flatMap((group) => group.hooks)
    .filter(({ type }) => type === 'command')
  await Promise.all(
    commands.map(({ command, args }) => start(command as string, args as string[], env, payload)),
  )
}

async function start(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  payload: object = {},
): Promise<void> {
  const child = spawn(program, args, { env, cwd: env.CLAUDE_PROJECT_DIR, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(payload))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  const [code] = (await once(child, 'close')) as [number]
  // Otherwise a denying hook would be measured instead of one that allows the tool.
  if (code !== 0 || output.includes('deny'))
    throw new Error(`${args.join(' ')} ended with ${code}: ${output}`)
}

async function inTurns(
  what: string,
  hooks: () => Promise<void>,
  door: () => Promise<void>,
  rounds: number,
): Promise<ToolUse> {
  const cpu = { hooks: 0, door: 0 }
  const time = async (name: 'hooks' | 'door', use: () => Promise<void>): Promise<number> => {
    const [begin, used] = [performance.now(), childrenCpuMs()]
    await use()
    cpu[name] += (childrenCpuMs() - used) / rounds
    return performance.now() - begin
  }
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ ours: await time('door', door), theirs: await time('hooks', hooks) })
  }
  return { what, time: compare(pairs), cpu }
}

/** CPU time of exited child processes. */
function childrenCpuMs(): number {
  // The name of the program, in brackets, may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')
  const ticks = Number(fields[13]) + Number(fields[14])
  return ticks * 10
}
