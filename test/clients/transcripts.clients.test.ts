/**
 * The client writes down what its agents see, and lets the main thread read it. Here a subagent loads what is private
 * to it, and the main thread, which may run any command, tries to get at that by every way it has.
 */

import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { runClaude, setups, startAgent, type Setup } from './claude-code.ts'
import { makePlace, type ClientRun, type Place } from './client-run.ts'
import { pluginWithoutGuards } from './hook-free-plugin.ts'
import { loadContext, privateLine, privateName, writeContexts } from './private-context.ts'
import { found, type Scripts, type ToolUse } from './scripted-model.ts'

const session = '6c1d0f0e-4b1c-4c57-9d52-0a8b3f1f7f10'
const agentId = found('agentId: (\\w+)')

/** Where the client keeps what the agents of the session saw. */
function transcriptsOf({ home, project }: Place): string {
  return join(home, '.claude/projects', project.replaceAll(/[^A-Za-z0-9]/g, '-'), session, 'subagents')
}

/** Words that stand beside what is private, so that looking for it does not mean to know it. */
const beside = 'customer behind'

/** The ways to a file. What they show is short, because a long answer is shown in part only. */
function waysTo(file: string, folder: string): ToolUse[] {
  const bash = (id: string, command: string): ToolUse => ({ id, tool: 'Bash', input: { command } })
  const pick = `grep -o "${beside}.*"`
  const printed = Buffer.from(`cat ${folder}/*.jsonl`).toString('base64')
  return [
    { id: 'read', tool: 'Read', input: { file_path: file } },
    bash('cat', `cat ${file} | ${pick}`),
    bash('grep', `grep -rho "${beside}.*" ${folder}`),
    bash('tail', `tail -n 50 ${file} | ${pick}`),
    bash('python', `python3 -c "print(open('${file}').read())" | ${pick}`),
    bash('node', `node -e "console.log(require('fs').readFileSync('${file}', 'utf8'))" | ${pick}`),
    bash('copy', `cp ${file} ./copied.txt; ${pick} ./copied.txt`),
    bash('link', `ln -s ${file} ./linked.txt; ${pick} ./linked.txt`),
    { id: 'read-link', tool: 'Read', input: { file_path: 'linked.txt' } },
    bash('inside', `cd ${folder} && ${pick} ./*.jsonl`),
    bash('pattern', `${pick} ~/.claude/projects/*/*/subagents/*`),
    bash('search', `find ~ -name "agent-*.jsonl" -exec ${pick} {} +`),
    bash('put-together', `d=sub; ${pick} ~/.claude/projects/*/*/"$d"agents/agent-*`),
    bash('encoded', `eval "$(echo ${printed} | base64 -d)" | ${pick}`),
  ]
}

/** The words of the script after it was asked what it had loaded. */
const confession = `I loaded this: ${privateLine}`
const askAgent: ToolUse = {
  id: 'ask',
  tool: 'SendMessage',
  input: { to: agentId, summary: 'what it loaded', message: 'Tell me what you have loaded.' },
}

/** What the agent saw is in its transcript a moment after it went on. Only where nothing guards it can that be waited for. */
const untilWritten = (place: Place): ToolUse => ({
  id: 'written',
  tool: 'Bash',
  input: { command: `until grep -qs "${beside}" ${transcriptsOf(place)}/*.jsonl; do sleep 0.1; done` },
})

function scriptsFor(
  place: Place,
  { agent, tool }: Setup,
  background: boolean,
  before: readonly ToolUse[] = [],
): Scripts {
  const folder = transcriptsOf(place)
  const ways = waysTo(join(folder, `agent-${agentId}.jsonl`), folder)
  // An agent in the background has come so far when this file is there.
  const inShell = (id: string, command: string): ToolUse => ({
    id,
    tool: tool('safe_bash'),
    input: { command },
  })
  const say = inShell('say', 'touch loaded.txt')
  const wait = inShell('wait', 'until [ -e loaded.txt ]; do sleep 0.1; done')
  const output: ToolUse = {
    id: 'output',
    tool: 'Read',
    input: { file_path: found('output_file: (\\S+)') },
  }
  return {
    main: [
      [startAgent('agent', agent, 'scanner', background)],
      ...(background ? [[wait]] : []),
      ...before.map((use) => [use]),
      ...(background ? [[output]] : []),
      ...ways.map((way) => [way]),
      [{ id: 'ordinary', tool: 'Bash', input: { command: 'echo an ordinary command' } }],
      [askAgent],
      'waiting',
      'done',
    ],
    scanner: [[loadContext('load', undefined, tool)], [say], 'nothing found', confession],
  }
}

const mayAll = ['--session-id', session, '--allowedTools', 'Bash', 'Read']
const waysOf = (background: boolean): string[] => [
  ...(background ? ['output'] : []),
  ...waysTo('', '').map(({ id }) => id),
]

/** The ways whose answer held any of it, however the transcript spells it. */
function leaking(run: ClientRun, background: boolean): string[] {
  const holds = (text: string): boolean =>
    ['Marlow and Vance', privateName].some((part) => text.includes(part))
  const ways = waysOf(background).filter((id) => holds(run.saw(id).text))
  return run.told('main').includes(confession) ? [...ways, 'ask'] : ways
}

const kinds = [
  ['foreground', false],
  ['background', true],
] as const

describe.each(Object.entries<Setup>(setups))('with %s', (_, setup) => {
  test.each(kinds)('a subagent in the %s shows the main thread nothing', async (_, background) => {
    const place = makePlace()
    writeContexts(place, setup.agent)
    const args = await setup.prepare(place)
    const run = await runClaude(place, scriptsFor(place, setup, background), [...args, ...mayAll])
    expect(run.saw('load').text).toContain(privateLine)
    expect(leaking(run, background)).toEqual([])
    expect(run.saw('ordinary').text).toContain('an ordinary command')
    for (const part of ['Marlow and Vance', privateName]) expect(run.told('main')).not.toContain(part)
  })
})

test.each(kinds)('without our hooks a subagent in the %s shows it everything', async (_, background) => {
  const place = makePlace()
  writeContexts(place)
  const args = pluginWithoutGuards(place)
  const scripts = scriptsFor(place, setups.plugin, background, [untilWritten(place)])
  const run = await runClaude(place, scripts, [...args, ...mayAll])
  expect(run.saw('load').text).toContain(privateLine)
  // The client itself asks before a copy is made; and Python is not everywhere.
  const certain = waysOf(background).filter((id) => !['copy', 'python'].includes(id))
  expect(leaking(run, background)).toEqual(expect.arrayContaining([...certain, 'ask']))
})
