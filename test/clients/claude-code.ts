import { resolve } from 'node:path'

import { ownPort } from '../support/own-port.ts'
import {
  clientProgram,
  runWithModel,
  type ClientRun,
  type Ended,
  type Place,
  type Talk,
} from './client-run.ts'
import { follow, type Scripts, type ToolUse } from './scripted-model.ts'

/** What our tools are called where the plugin brings them, and where `contextd init` wrote them down. */
export const pluginTool = (name: string): string => `mcp__plugin_contextd_contextd__${name}`
export const projectTool = (name: string): string => `mcp__contextd__${name}`

/** The folder of the plugin, as it is shipped. */
export const pluginFolder = resolve('integrations', 'claude-code')
export const withPlugin = ['--plugin-dir', pluginFolder]

/** One of the ways to have contextd in the client, with an agent that private context is for. */
export interface Setup {
  readonly tool: (name: string) => string
  readonly agent: string
  /** Answers what the client is to be started with. */
  prepare(place: Place): Promise<readonly string[]>
}

export const setups = {
  plugin: { tool: pluginTool, agent: 'contextd:scanner', prepare: async () => withPlugin },
  'contextd init': {
    tool: projectTool,
    agent: 'scanner',
    async prepare(place: Place, ...args: string[]) {
      trustProject(place)
      place.write(
        'project/.claude/agents/scanner.md',
        '---\nname: scanner\ndescription: Looks for what must not be there.\n---\nYou scan.\n',
      )
      // The hooks scrub: what the door does is tested elsewhere.
      const command = ['init', '--platform', 'claude-code', '--no-door', ...args]
      const { code, stderr } = await place.ours('contextd', ...command)
      if (code !== 0) throw new Error(stderr)
      return []
    },
  },
} as const satisfies Record<string, Setup>

/** The client begins without a server that takes more than some seconds to start, as on a busy machine. */
const patience = { MCP_CONNECTION_NONBLOCKING: '0', MCP_CONNECT_TIMEOUT_MS: '60000' }
/** As people have it. */
export const noPatience: Record<keyof typeof patience, undefined> = {
  MCP_CONNECTION_NONBLOCKING: undefined,
  MCP_CONNECT_TIMEOUT_MS: undefined,
}

/** Nothing listens there: what would ask a model fails at once. */
const nobody = 'http://127.0.0.1:9'

/** The environment is empty but for this: no account, nothing outside, the model on loopback. */
function environment(modelUrl: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    ...patience,
  }
}

/** One conversation that follows the script `main`; agents it starts follow theirs. */
export function runClaude(
  place: Place,
  scripts: Scripts,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ClientRun> {
  return promptClaude(place, follow('main'), scripts, args, env)
}

/** What the person says, in a conversation of its own or, with `--continue`, in the last one. */
export function promptClaude(
  place: Place,
  prompt: string,
  scripts: Scripts,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ClientRun> {
  return runWithModel(scripts, (url) => startClaude(place, url, prompt, args, env))
}

/** The same with a model that somebody else started, at this address. */
export function startClaude(
  place: Place,
  modelUrl: string,
  prompt: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return place.start(
    clientProgram('claude'),
    ['-p', prompt, '--output-format', 'stream-json', '--verbose', ...args],
    { ...environment(modelUrl), ...env },
  )
}

/** Where the daemon of this place listens: tests run at the same time. */
export async function takePort(place: Place): Promise<number> {
  const port = await ownPort()
  place.write('home/.config/contextd/config.toml', `[http]\nport = ${port}\n`)
  return port
}

/** One conversation behind the model door, as `contextd init` sets it up where the scripted model is the base URL. */
export function runBehindDoor(
  place: Place,
  scripts: Scripts,
  { initArgs = [], args = [], env = {}, prepare, talk }: DoorRun = {},
): Promise<ClientRun> {
  return runWithModel(scripts, async (url) => {
    const words = [resolve('bin', 'contextd.js'), 'init', '--platform', 'claude-code', ...initArgs]
    const { code, stderr } = await place.start(process.execPath, words, { ANTHROPIC_BASE_URL: url })
    if (code !== 0) throw new Error(stderr)
    prepare?.(url)
    // Settings win over this. Without any, the client looks for settings of its maker on the internet first.
    const rest = environment(nobody)
    const asked = talk === undefined ? [follow('main')] : ['--input-format', 'stream-json']
    return place.start(
      clientProgram('claude'),
      ['-p', ...asked, '--output-format', 'stream-json', '--verbose', ...args],
      { ...rest, CLAUDE_CODE_MAX_RETRIES: '1', ...env },
      talk,
    )
  })
}

export interface DoorRun {
  readonly initArgs?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** Between `contextd init` and the client; gets the address of the model. */
  readonly prepare?: (url: string) => void
  /** Several prompts of one conversation, as `prompt` writes them, in place of one. */
  readonly talk?: Talk
}

/** A prompt as the client reads it from its input. */
export function prompt(text: string): string {
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`
}

/** A command of the client that asks no model, such as `plugin install`. */
export function claudeCommand(place: Place, ...args: string[]): Promise<Ended> {
  return place.start(clientProgram('claude'), args, environment(nobody))
}

/** Lets a subagent of that type follow a script of its own, and waits for it. */
export function startAgent(id: string, type: string, script: string, background = false): ToolUse {
  const input = {
    description: 'part of the test',
    prompt: follow(script),
    subagent_type: type,
    run_in_background: background,
  }
  return { id, tool: 'Agent', input }
}

/** Without this the client ignores what a project's settings allow. */
export function trustProject(place: Place): void {
  place.write('home/.claude.json', {
    hasCompletedOnboarding: true,
    projects: { [place.project]: { hasTrustDialogAccepted: true } },
  })
}
