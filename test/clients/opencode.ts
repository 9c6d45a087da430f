import { rmSync } from 'node:fs'
import { join } from 'node:path'

import {
  clientProgram,
  makePlace,
  runWithModel,
  type ClientRun,
  type Ended,
  type Place,
} from './client-run.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { follow, type Scripts, type ToolUse } from './scripted-model.ts'

/** What our tools are called there. */
export const opencodeTool = (name: string): string => `contextd_${name}`

/** Nothing goes outside. Beside a plugin the client installs a package that ours does not need: that fails at once. */
export const quiet = {
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_fetch_retries: '0',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

/** The scripted model as a provider, in the user's own configuration: the project's stays as `contextd init` left it. */
export function modelConfig(url: string, npm = '@ai-sdk/anthropic'): JsonObject {
  return {
    model: 'scripted/model',
    small_model: 'scripted/model',
    share: 'disabled',
    autoupdate: false,
    provider: {
      scripted: {
        npm,
        options: { baseURL: `${url}/v1`, apiKey: 'none' },
        models: { model: { name: 'model', tool_call: true, limit: { context: 200_000, output: 8000 } } },
      },
    },
  }
}

/** A project as `contextd init` sets it up for hooks, with two subagents. */
export async function makeOpencodePlace(...args: string[]): Promise<Place> {
  const place = makePlace()
  for (const name of ['scanner', 'helper']) {
    place.write(
      `project/.opencode/agent/${name}.md`,
      `---\ndescription: One of the agents of this project.\nmode: subagent\n---\nYou are ${name}.\n`,
    )
  }
  await setUpOpencode(place, ...args)
  return place
}

export async function setUpOpencode(place: Place, ...args: string[]): Promise<void> {
  const command = ['init', '--platform', 'opencode', '--no-door', ...args]
  const { code, stderr } = await place.ours('contextd', ...command)
  if (code !== 0) throw new Error(stderr)
}

/** Nothing of ours runs in the client then; the server stays. */
export function removePlugin(place: Place): void {
  rmSync(join(place.project, '.opencode/plugin'), { recursive: true })
}

/** One conversation that follows the script `main`; agents it starts follow theirs. */
export function runOpencode(
  place: Place,
  scripts: Scripts,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ClientRun> {
  const write = (model: JsonObject): unknown => {
    // Whatever is refused, the client did not refuse it.
    const permission = { '*': 'allow', external_directory: 'allow' }
    return place.write('home/.config/opencode/opencode.json', { ...model, permission })
  }
  return converse(place, scripts, args, write, env)
}

/** The same, where the client goes by its own rules and those of the place, and goes on after it refused something. */
export function runStrictOpencode(
  place: Place,
  scripts: Scripts,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ClientRun> {
  const experimental = { continue_loop_on_deny: true }
  const write = (model: JsonObject): unknown =>
    place.write('home/.config/opencode/config.json', { ...model, experimental })
  return converse(place, scripts, args, write, env)
}

function converse(
  place: Place,
  scripts: Scripts,
  args: readonly string[],
  configure: (model: JsonObject) => unknown,
  env: NodeJS.ProcessEnv = {},
): Promise<ClientRun> {
  return runWithModel(scripts, (url) => {
    configure(modelConfig(url))
    return startOpencode(place, args, env)
  })
}

/** With the model that the user's configuration names. */
export function startOpencode(
  place: Place,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  prompt = follow('main'),
): Promise<Ended> {
  // An option that accepts several values would take the prompt as one more.
  const command = ['run', '--format', 'json', ...args, '--', prompt]
  return place.start(clientProgram('opencode'), command, { ...quiet, ...env })
}

/** Lets a subagent follow a script of its own, and waits for it. */
export function startTask(id: string, agent: string, script: string): ToolUse {
  const input = { description: 'part of the test', prompt: follow(script), subagent_type: agent }
  return { id, tool: 'task', input }
}

export function opencodeBash(id: string, command: string): ToolUse {
  return { id, tool: 'bash', input: { command, description: 'part of the test' } }
}
