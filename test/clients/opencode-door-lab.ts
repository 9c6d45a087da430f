/** The real OpenCode in front of a scripted model: through contextd's model door, with its hooks only, or without it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { ownPort } from '../support/own-port.ts'
import { makePlace, readRun, type ClientRun, type Place } from './client-run.ts'
import { plantedFiles } from './door/kinds.ts'
import { start, stop } from './door/lab.ts'
import { kindsLeaked } from './door/leaks.ts'
import { modelConfig, startOpencode } from './opencode.ts'
import { follow, startScriptedModel, type ModelRequest, type Scripts } from './scripted-model.ts'

export type OpencodeRoute = 'through the door' | 'with hooks only' | 'without contextd'

/** The packages of OpenCode that speak to the scripted model, one for each wire format. */
export const packages = ['@ai-sdk/anthropic', '@ai-sdk/openai-compatible'] as const

export interface OpencodeLab {
  readonly place: Place
  /** Everything that reached the model so far. */
  readonly requests: readonly ModelRequest[]
  /** Runs the client with one prompt of the user. Later ones continue the same session. */
  say(prompt: string, ...args: readonly string[]): Promise<ClientRun>
  restartDaemon(): Promise<void>
  /** The kinds of secrets that reached the model. */
  leaked(): string[]
  /** A file of the project. */
  file(name: string): string
}

export interface OpencodeLabOptions {
  readonly npm?: (typeof packages)[number]
  /** Of the project, with their planted secrets. */
  readonly files?: readonly string[]
  /** More of the user's configuration of OpenCode. */
  readonly config?: (place: Place) => JsonObject
  /** Runs when contextd is set up, and before its daemon starts. */
  readonly prepare?: (place: Place) => void
  readonly isStopped?: true
  /** OpenCode's own provider, with a key in the environment and nothing about it in a file. */
  readonly isBuiltIn?: true
}

/** `scripts` get the path of the project. */
export async function openOpencodeLab(
  route: OpencodeRoute,
  scripts: (project: string) => Scripts,
  options: OpencodeLabOptions = {},
): Promise<OpencodeLab> {
  const {
    npm = packages[0],
    files = ['settings.env', 'config.yaml'],
    config = () => ({}),
    isBuiltIn,
  } = options
  const place = makePlace()
  for (const name of files) place.write(`project/${name}`, plantedFiles[name]!)
  place.write(
    'project/.opencode/agent/scanner.md',
    '---\ndescription: Scans.\nmode: subagent\n---\nYou scan.\n',
  )
  const model = await startScriptedModel(scripts(place.project))
  onTestFinished(() => model.close())
  const permission = { '*': 'allow', external_directory: 'allow' }
  const builtIn = 'anthropic/claude-haiku-4-5'
  const provider = isBuiltIn
    ? { model: builtIn, small_model: builtIn, share: 'disabled', autoupdate: false }
    : modelConfig(model.url, npm)
  place.write('home/.config/opencode/opencode.json', { ...provider, ...config(place), permission })
  const daemon =
    route === 'without contextd'
      ? undefined
      : await setUp(place, model.url, route === 'through the door', options)
  const env = isBuiltIn ? { ANTHROPIC_API_KEY: 'none' } : {}
  let isFirst = true
  return {
    place,
    requests: model.requests,
    async say(prompt, ...args) {
      const which = isFirst ? [] : ['--continue']
      isFirst = false
      return readRun(await startOpencode(place, [...which, ...args], env, prompt), model)
    },
    restartDaemon: async () => daemon?.(),
    leaked: () => kindsLeaked(model.requests.map(({ text }) => text)),
    file: (name) => readFileSync(join(place.project, name), 'utf8'),
  }
}

/** One conversation that follows the script `main`. */
export async function runOpencodeLab(
  ...open: Parameters<typeof openOpencodeLab>
): Promise<OpencodeLab & { readonly run: ClientRun }> {
  const lab = await openOpencodeLab(...open)
  return { ...lab, run: await lab.say(follow('main')) }
}

/** Answers how to restart the daemon; undefined where none runs. */
async function setUp(
  place: Place,
  modelUrl: string,
  hasDoor: boolean,
  { prepare, isStopped }: OpencodeLabOptions,
): Promise<(() => Promise<void>) | undefined> {
  // A daemon that the client started itself would be waited for.
  const port = await ownPort()
  place.write(
    'home/.config/contextd/config.toml',
    `[http]\nport = ${port}\n\n[control]\nautostart = false\n\n[model]\nanthropic = "${modelUrl}"\n`,
  )
  const args = ['init', '--platform', 'opencode', ...(hasDoor ? [] : ['--no-door'])]
  const { code, stderr } = await place.ours('contextd', ...args)
  if (code !== 0) throw new Error(stderr)
  prepare?.(place)
  if (isStopped) return undefined
  let daemon = await start(place)
  onTestFinished(() => stop(daemon))
  return async () => {
    await stop(daemon)
    daemon = await start(place)
  }
}
