import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { onTestFinished } from 'vitest'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { readPid } from '../../src/servers/local/pid-file.ts'
import { newProcessMark } from '../support/process-mark.ts'
import { until } from '@contextd/shared/testing/until'
import {
  messagesOf,
  startScriptedModel,
  spokenIn,
  type ModelRequest,
  type ScriptedModel,
  type Scripts,
} from './scripted-model.ts'

/** The real programs, installed by scripts/with-clients.mjs. */
export function clientProgram(name: 'claude' | 'opencode'): string {
  const programs = process.env.CONTEXTD_TEST_CLIENTS
  if (programs === undefined) throw new Error('run these tests with: npm run test:clients')
  return (JSON.parse(programs) as Record<string, string>)[name]!
}

/** A home and a project that nobody used before. */
export interface Place {
  readonly root: string
  readonly home: string
  readonly project: string
  /** Below `root`, such as `project/notes.txt` or `home/.claude/settings.json`; answers the whole path. */
  write(file: string, content: string | JsonObject): string
  /** One of our own programs, as a person runs it in a terminal of the project. */
  ours(program: 'contextd' | 'ctxd', ...args: string[]): Promise<Ended>
  /** A program of the client's, in nothing but this place. */
  start(program: string, args: readonly string[], env?: NodeJS.ProcessEnv, talk?: Talk): Promise<Ended>
  /** Every file below `root` that holds the text, named from `root`. */
  filesWith(text: string): string[]
}

/** What is typed into a program, given all that it has printed until now. The end of it is the end of its input. */
export type Talk = (printed: () => string) => AsyncIterable<string>

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where a client finds the programs of the machine. */
export const programFolders = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin']

/** Gone when the test is over. */
export function makePlace(): Place {
  const place = openPlace()
  onTestFinished(() => place.remove())
  return place
}

export function openPlace(): Place & { remove(): Promise<void> } {
  // The clients name the project by its real path.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-client-')))
  const mark = newProcessMark()
  const [home, project, temporary] = ['home', 'project', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [home, project, temporary]) mkdirSync(folder)
  const start: Place['start'] = async (program, args, env = {}, talk) => {
    const ended = await run(program, args, {
      cwd: project,
      env: {
        PATH: programFolders.join(delimiter),
        HOME: home,
        TMPDIR: temporary,
        LANG: 'C.UTF-8',
        ...mark.env,
        ...env,
      },
      ...(talk && { talk }),
    })
    // What the client started ends after it, but for the daemon: only then is everything written.
    await until(() => {
      const daemon = daemonOf({ home })
      return mark.processes().every((pid) => pid === daemon)
    })
    return ended
  }
  return {
    root,
    home,
    project,
    start,
    write(file, content) {
      const path = join(root, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
      return path
    },
    ours: (program, ...args) => start(process.execPath, [resolve('bin', `${program}.js`), ...args]),
    filesWith: (text) =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => readFileSync(file).includes(text))
        .map((file) => file.slice(root.length + 1)),
    async remove() {
      await until(() => endAll(mark.processes()) === 0)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The process of the daemon of this place. */
export function daemonOf({ home }: Pick<Place, 'home'>): number | undefined {
  return readPid(join(home, '.local/state/contextd/run/contextd.pid'))
}

/** Answers how many there were; one that is gone since is no mistake. */
function endAll(pids: readonly number[]): number {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return pids.length
}

/** What the audit says happened, as a person asks for it. */
export async function audited(place: Place, ...query: string[]): Promise<JsonObject[]> {
  const { stdout, stderr, code } = await place.ours('ctxd', 'audit', 'query', '--json', ...query)
  if (code !== 0) throw new Error(stderr)
  return (JSON.parse(stdout) as { entries: JsonObject[] }).entries
}

function run(
  program: string,
  args: readonly string[],
  { talk, ...place }: { cwd: string; env: NodeJS.ProcessEnv; talk?: Talk },
): Promise<Ended> {
  return new Promise((settle, fail) => {
    // A group of its own, so that all of it can be ended at once.
    const child = spawn(program, [...args], { ...place, detached: true, stdio: 'pipe' })
    const output = { stdout: '', stderr: '' }
    if (talk === undefined) child.stdin.end()
    else pipeline(Readable.from(talk(() => output.stdout)), child.stdin).catch(fail)
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text))
    }
    const tooLong = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), maxRunMs)
    child.once('error', (error) => {
      clearTimeout(tooLong)
      fail(error)
    })
    child.once('close', (code) => {
      clearTimeout(tooLong)
      settle({ code, ...output })
    })
  })
}

/** Ends what hangs, before the test's own time is over. */
const maxRunMs = 150_000

/** What the model was told a tool had answered. */
export interface Seen {
  readonly text: string
  readonly isError: boolean
}

export interface ClientRun extends Ended {
  /** What the client printed, line by line. */
  readonly events: readonly JsonObject[]
  readonly requests: readonly ModelRequest[]
  /** By the id of the tool use; throws where the model never got to know. */
  saw(id: string): Seen
  /** Everything that any conversation, or one of them, was ever sent. */
  told(script?: string): string
}

/** Runs a client with a scripted model; `start` gets the model's address. */
export async function runWithModel(
  scripts: Scripts,
  start: (url: string) => Promise<Ended>,
): Promise<ClientRun> {
  const model = await startScriptedModel(scripts)
  try {
    return readRun(await start(model.url), model)
  } finally {
    await model.close()
  }
}

/** What a run said, and what the model has been sent until now. */
export function readRun(
  ended: Ended,
  { requests, unfilled }: Pick<ScriptedModel, 'requests' | 'unfilled'>,
): ClientRun {
  if (ended.code === null)
    throw new Error(`the client was ended by force, after: ${ended.stdout.slice(-2000)}`)
  if (unfilled.length > 0) throw new Error(`the script found nothing for ${unfilled.join(', ')}`)
  const results = new Map(requests.flatMap(({ body }) => messagesOf(body).flatMap(resultsIn)))
  return {
    ...ended,
    requests,
    events: ended.stdout.split('\n').filter(Boolean).map(parseEvent),
    saw(id) {
      const seen = results.get(id)
      if (seen === undefined) throw new Error(`no result of ${id}; the client said: ${ended.stderr}`)
      return seen
    },
    told: (script) =>
      requests
        .filter((request) => script === undefined || request.script === script)
        .map(({ body }) => JSON.stringify(body))
        .join('\n'),
  }
}

function parseEvent(line: string): JsonObject {
  try {
    return JSON.parse(line) as JsonObject
  } catch {
    return { line }
  }
}

function resultsIn({ role, content, tool_call_id: call }: JsonObject): [string, Seen][] {
  if (role === 'tool') return [[call as string, { text: spokenIn(content), isError: false }]]
  if (role !== 'user' || !Array.isArray(content)) return []
  return content
    .filter(isJsonObject)
    .filter(({ type }) => type === 'tool_result')
    .map((block) => [
      block.tool_use_id as string,
      { text: spokenIn(block.content), isError: block.is_error === true },
    ])
}
