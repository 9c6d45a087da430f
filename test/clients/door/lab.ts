/** The real client in front of a scripted model, through contextd's model door or, to show what leaks then, without it. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

import { onTestFinished } from 'vitest'

import { ownPort } from '../../support/own-port.ts'
import { startClaude, trustProject } from '../claude-code.ts'
import { makePlace, programFolders, readRun, type ClientRun, type Place } from '../client-run.ts'
import { startScriptedModel, type ModelRequest, type Scripts } from '../scripted-model.ts'
import { plantedFiles } from './kinds.ts'
import { kindsLeaked } from './leaks.ts'

export const routes = ['through the door', 'without contextd'] as const
export type Route = (typeof routes)[number]

export interface Lab {
  readonly place: Place
  readonly hasDoor: boolean
  /** Everything that reached the model so far. */
  readonly requests: readonly ModelRequest[]
  /** Runs the client with one prompt of the user. Later ones continue the same session. */
  say(prompt: string): Promise<ClientRun>
  /** Without the door there is nothing to restart or to stop. */
  restartDaemon(): Promise<void>
  stopDaemon(): Promise<void>
  /** The kinds of secrets that reached the model. */
  leaked(): string[]
  /** A file of the project. */
  file(name: string): string
}

export interface LabOptions {
  /** Other arguments of the client. */
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** With the door: also the tools, rules and hooks that `contextd init` writes, not only the address of the door. */
  readonly hooks?: boolean
  /** Runs when the place and, with the door, the configuration are there. */
  readonly prepare?: (place: Place) => void | Promise<void>
}

const session = '6c1d0f0e-4b1c-4c57-9d52-0a8b3f1f7f10'
const mayAll = ['--allowedTools', 'Bash', 'Read', 'Write', 'Edit', 'NotebookEdit']

/** A project with the planted files, and a client that may use all its tools. `scripts` get the path of the project. */
export async function openLab(
  route: Route,
  scripts: (project: string) => Scripts,
  { args = [], env = {}, hooks = false, prepare }: LabOptions = {},
): Promise<Lab> {
  const hasDoor = route === 'through the door'
  const place = makePlace()
  for (const [name, text] of Object.entries(plantedFiles)) place.write(`project/${name}`, text)
  const model = await startScriptedModel(scripts(place.project))
  onTestFinished(() => model.close())
  const daemon = hasDoor ? await startDaemonFor(place, model.url) : undefined
  await prepare?.(place)
  if (hasDoor) await setUp(place, hooks)
  // With the door, the settings of the project decide: what ignores them reaches nothing.
  const url = hasDoor ? 'http://127.0.0.1:9' : model.url
  let isFirst = true
  return {
    place,
    hasDoor,
    requests: model.requests,
    async say(prompt) {
      const which = isFirst ? ['--session-id', session] : ['--resume', session]
      isFirst = false
      return readRun(await startClaude(place, url, prompt, [...which, ...args, ...mayAll], env), model)
    },
    restartDaemon: async () => daemon?.restart(),
    stopDaemon: async () => daemon?.stop(),
    leaked: () => kindsLeaked(model.requests.map(({ text }) => text)),
    file: (name) => readFileSync(join(place.project, name), 'utf8'),
  }
}

/** As a user does it. */
async function setUp(place: Place, hooks: boolean): Promise<void> {
  trustProject(place)
  const which = hooks ? [] : ['--door']
  const { stderr, code } = await place.ours('contextd', 'init', '--platform', 'claude-code', ...which)
  if (code !== 0) throw new Error(`contextd init failed: ${stderr}`)
}

interface LabDaemon {
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Not one of the processes that a run of the client waits for. */
async function startDaemonFor(place: Place, modelUrl: string): Promise<LabDaemon> {
  place.write(
    'home/.config/contextd/config.toml',
    `[http]\nport = ${await ownPort()}\n\n[model]\nanthropic = "${modelUrl}"\n`,
  )
  let running = await start(place)
  onTestFinished(() => stop(running))
  return {
    async restart() {
      await stop(running)
      running = await start(place)
    },
    stop: () => stop(running),
  }
}

export async function start({ home, project }: Place): Promise<ChildProcess> {
  const child = spawn(process.execPath, [resolve('bin', 'contextd.js'), 'serve', '--json'], {
    cwd: project,
    env: { PATH: programFolders.join(delimiter), HOME: home, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const ended = once(child, 'exit')
  // Its first line says that it answers.
  const first = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)])
  if (first === undefined) throw new Error(`the daemon did not start: ${complaint}`)
  child.stdout.resume()
  return child
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
