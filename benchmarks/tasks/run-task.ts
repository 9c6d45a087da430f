import type { JsonObject } from '@contextd/shared/json/value'
import { projectTool, runClaude, setups, trustProject } from '../../test/clients/claude-code.ts'
import { openPlace, type ClientRun, type Place } from '../../test/clients/client-run.ts'
import { opencodeTool, runOpencode, setUpOpencode } from '../../test/clients/opencode.ts'
import type { Scripts, ToolUse } from '../../test/clients/scripted-model.ts'
import { beginningOf, costOf, type Beginning, type Cost } from './count.ts'
import { createProject, resultIn, type Project } from './project.ts'
import type { Service, Task } from './task.ts'
import { callsFor, claudeTools, opencodeTools, ourTools, searchTools, type ToolSet } from './tool-sets.ts'

export type ClientName = 'claude-code' | 'opencode'
/** Whose tools the model uses. */
export type Side = 'ours' | 'own'

/** A task as it was done with one set of tools. */
export interface Attempt {
  readonly cost: Cost
  readonly wallMs: number
  readonly result: readonly string[]
  /** Everything that the model was sent. */
  readonly told: string
  /** The body of the last request, with everything before. */
  readonly last: JsonObject
}

interface Client {
  readonly tools: Readonly<Record<Side, ToolSet>>
  setUp(place: Place, ...args: string[]): Promise<unknown>
  run(place: Place, scripts: Scripts, side: Side, port: number): Promise<ClientRun>
}

const clients: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    tools: { own: claudeTools, ours: ourTools(projectTool, searchTools) },
    setUp: (place, ...args) => setups['contextd init'].prepare(place, ...args),
    run: (place, scripts, side) => {
      if (side === 'ours') return runClaude(place, scripts)
      trustProject(place)
      return runClaude(place, scripts, ['--allowedTools', 'Bash', 'Read', 'Edit', 'Write', 'TaskStop'])
    },
  },
  opencode: {
    tools: { own: opencodeTools, ours: ourTools(opencodeTool) },
    setUp: setUpOpencode,
    // Its commands would have the registry that nothing answers, in place of that of the project.
    run: (place, scripts, _, port) =>
      runOpencode(place, scripts, [], port === 0 ? {} : { npm_config_registry: `http://127.0.0.1:${port}` }),
  },
}

/** The task, done by the client with one set of tools. Throws if a call fails that should not, or the work is not done. */
export async function runTask(
  task: Task,
  clientName: ClientName,
  side: Side,
  service?: Service,
): Promise<Attempt> {
  const client = clients[clientName]
  const place = openPlace()
  try {
    const port = service?.port ?? 0
    const project = createProject(place.project)
    task.create(project, port)
    if (side === 'ours') {
      if (service !== undefined) place.write('home/.config/contextd/rules.json', rulesFor(port))
      await client.setUp(place)
    }
    const { turns, failing } = scriptOf(task, client.tools[side], project, port)
    const begin = performance.now()
    const run = await client.run(place, { main: [...turns, 'done'] }, side, port)
    const wallMs = performance.now() - begin
    for (const { id, tool, input } of turns.flat()) {
      const { text, isError } = run.saw(id)
      if (isError && !failing.has(id))
        throw new Error(`${task.name}, ${side}: ${tool} ${JSON.stringify(input)} failed: ${text}`)
    }
    task.check(project, port)
    const clean = (text: string): string =>
      withoutFolder(text, place).replace(/\b\d+\.\d{3,}(?=ms|\b)/g, '1.234567')
    const { body: last } = run.requests.findLast(({ script }) => script === 'main')!
    return { cost: costOf(last, clean), wallMs, result: resultIn(project), told: run.told(), last }
  } finally {
    await place.remove()
  }
}

/** What requests begin with in an empty repository. */
export async function beginWith(clientName: ClientName, mode?: 'friendly' | 'strict'): Promise<Beginning> {
  const client = clients[clientName]
  const place = openPlace()
  try {
    createProject(place.project)
    if (mode !== undefined) await client.setUp(place, '--mode', mode)
    const run = await client.run(place, { main: ['done'] }, mode === undefined ? 'own' : 'ours', 0)
    const { body } = run.requests.find(({ script }) => script === 'main')!
    return beginningOf(body, (text) => withoutFolder(text, place))
  } finally {
    await place.remove()
  }
}

const withoutFolder = (text: string, { root }: Place): string => text.replaceAll(root, '/home/anna')

interface Script {
  readonly turns: ToolUse[][]
  /** Ids of calls that are to fail. */
  readonly failing: ReadonlySet<string>
}

/** The calls of steps that are taken at once go into the same answers. */
function scriptOf(task: Task, tools: ToolSet, project: Project, port: number): Script {
  const turns: ToolUse[][] = []
  const failing = new Set<string>()
  let calls = 0
  for (const turn of task.turns(project, port)) {
    const begin = turns.length
    for (const step of 'do' in turn ? [turn] : turn) {
      for (const [index, answer] of callsFor(tools, step, project.folder).entries()) {
        const uses = answer.map(({ tool, input }) => ({ id: `call_${(calls += 1)}`, tool, input }))
        if (step.do === 'run' && step.fails === true) for (const { id } of uses) failing.add(id)
        ;(turns[begin + index] ??= []).push(...uses)
      }
    }
  }
  return { turns, failing }
}

/** What agents have without rules, and the service. OpenCode names its main agent after its own. */
function rulesFor(port: number): JsonObject {
  const capabilities = ['fs:read:**', 'fs:write:**', 'shell:exec', `net:connect:127.0.0.1:${port}`]
  const agent = { allow: { servers: ['contextd'], capabilities } }
  return { agents: { main: agent, default: agent, build: agent } }
}
