/** The hooks that save a session's state and offer it to the next one, with a complete runtime. */

import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { onTestFinished, expect, test } from 'vitest'

import { sampleSecrets } from '../../../test/support/registry.ts'
import { makeTempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, type Runtime } from '../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { answerHook } from './hook-calls.ts'

interface Place {
  readonly runtime: Runtime
  /** What the model receives. */
  ask(name: string, event: string, fields?: JsonObject): Promise<string | undefined>
  /** A transcript with these prompts and answers. */
  transcript(...texts: string[]): string
  events(name: string): JsonObject[]
  /** The id of the saved checkpoint. */
  saved(): string
}

async function place(config = '', rules?: object): Promise<Place> {
  const home = makeTempHome()
  const project = realpathSync(home.project)
  home.write('config/config.toml', `[log]\nlevel = "error"\n${config}`)
  if (rules !== undefined) home.write('config/rules.json', rules)
  const runtime = await composeRuntime({ env: home.env, cwd: project })
  onTestFinished(async () => {
    await runtime.close()
    home.remove()
  })
  const events: Place['events'] = (event) =>
    runtime.store
      .rows('audit', { tenant: 'local' })
      .all({ event })
      .map(({ details }) => JSON.parse(String(details)) as JsonObject)
  return {
    runtime,
    events,
    saved: () => events('checkpoint-saved')[0]?.id as string,
    async ask(name, hook_event_name, fields = {}) {
      const payload = JSON.stringify({ hook_event_name, session_id: 'client-1', cwd: project, ...fields })
      const { paths, config } = runtime
      const hookPlace = { paths, env: {}, program: [], settings: () => config, open: async () => runtime }
      const output = await answerHook(hookPlace, name, payload)
      return (output?.hookSpecificOutput as JsonObject | undefined)?.additionalContext as string | undefined
    },
    transcript(...texts) {
      const roles = ['user', 'assistant'] as const
      const lines = texts.map((content, n) => {
        const role = roles[n % 2]
        return JSON.stringify({ type: role, message: { role, content } })
      })
      const file = join(home.path, 'transcript.jsonl')
      writeFileSync(file, lines.join('\n'))
      return file
    },
  }
}

const start = (source: string, session_id = 'client-1'): JsonObject => ({ source, session_id })

test('offers what was saved before a compaction after it, and to the next session once', async () => {
  const { ask, transcript, saved } = await place()
  const transcript_path = transcript('fix the cache', 'The key of the cache is fixed.')
  expect(await ask('pre-compact', 'PreCompact', { transcript_path, trigger: 'auto' })).toBeUndefined()
  const id = saved()
  const offered = await ask('session-start', 'SessionStart', start('compact'))
  expect(offered).toContain(`${id}, saved 0 s ago before the context was compacted`)
  expect(offered).toContain('> Asked last: fix the cache')
  expect(await ask('session-start', 'SessionStart', start('resume', 'client-2'))).toBeUndefined()
  expect(await ask('session-start', 'SessionStart', start('startup', 'client-2'))).toContain(id)
  expect(await ask('session-start', 'SessionStart', start('startup', 'client-3'))).toBeUndefined()
})

test('saves nothing secret or private of a conversation', async () => {
  const { ask, transcript, runtime, saved } = await place()
  const client = { name: 'claude-code', version: '', door: 'stdio' } as const
  const session = runtime.sessions.join(client, 'client-1')
  const { signal } = new AbortController()
  const attested = { agent: 'scanner', instance: 'a1' }
  const call = runtime.newCall({
    method: 'tool',
    session,
    client,
    claims: { attested },
    tool: 'load_context',
    signal,
  })
  const said = 'The catalogue of forbidden words begins with Aurelia.'
  runtime.privacy.remember(call, { text: said })
  const [secret = ''] = sampleSecrets(1)
  const transcript_path = transcript(`deploy with ${secret}`, `I was told: ${said} And so on.`)
  await ask('pre-compact', 'PreCompact', { transcript_path })
  const checkpoints = await runtime.memory.checkpoints()
  const user = runtime.memory.operatorIn('operator')
  const text = checkpoints.fullText(user, saved())
  expect(text).toMatch(/deploy with \[SECRET_1\]/)
  expect(text).toContain('[PRIVATE]')
  for (const hidden of [secret, 'Aurelia']) expect(text).not.toContain(hidden)
})

test.each([
  ['it is switched off', '[checkpoint]\nbefore_compact = false\n', undefined],
  [
    'the rules do not let the agent',
    '',
    {
      agents: {
        main: {
          allow: { servers: ['contextd'], capabilities: ['memory:read'] },
          memory: { read: ['project'] },
        },
      },
    },
  ],
])('saves nothing if %s', async (_, config, rules) => {
  const { ask, transcript, events } = await place(config, rules)
  await ask('pre-compact', 'PreCompact', { transcript_path: transcript('fix the cache') })
  expect([...events('checkpoint-saved'), ...events('checkpoint-not-saved')]).toEqual([])
})

const memory = {
  title: 'The cache of the build server needs the lock file in its key',
  description: 'Use it when a build fails on the build server only; not when it fails everywhere.',
  content: 'Put the hash of the lock file into the key of the cache.',
  outcome: 'success',
  task: 'find out why the build fails on the build server only',
} as const
const prompt = 'The build fails on the build server, but not here. Find out why.'

async function learned({ runtime }: Place): Promise<void> {
  const bank = await runtime.memory.bank()
  const user = runtime.memory.agentIn({ project: runtime.project, session: 'earlier' }, 'main')
  await bank.store(user, memory)
}

test('adds memories for the task to the first prompt of a session only', async () => {
  const here = await place()
  await learned(here)
  const first = await here.ask('session-start', 'UserPromptSubmit', { prompt })
  expect(first).toContain(memory.content)
  expect(estimateTokens(String(first))).toBeLessThan(540)
  expect(await here.ask('session-start', 'UserPromptSubmit', { prompt })).toBeUndefined()
  expect(await here.ask('session-start', 'UserPromptSubmit', { prompt, session_id: 'client-2' })).toContain(
    memory.title,
  )
  expect(here.events('memories-given')).toEqual([{ given: true }, { given: true }])
})

const may = (capability: string, read: string): object => ({
  allow: { servers: ['contextd'], capabilities: [capability] },
  memory: { read: [read], write: ['project'] },
})

test.each([
  ['switched off', '[memory]\nat_start = 0\n', undefined, {}],
  ['not for the agent', '', { agents: { main: may('fs:read:**', 'project') } }, {}],
  ['not for the agent to read here', '', { agents: { main: may('memory:read', 'user') } }, {}],
  [
    'for another agent than the main thread runs as',
    '',
    { agents: { main: may('memory:read', 'project'), lead: may('memory:read', 'user') } },
    { agent_type: 'lead' },
  ],
])('adds nothing if it is %s', async (_, config, rules, fields) => {
  const here = await place(config, rules)
  await learned(here)
  expect(await here.ask('session-start', 'UserPromptSubmit', { prompt, ...fields })).toBeUndefined()
})

test('adds it for an agent of another name that the rules allow', async () => {
  const here = await place('', {
    agents: { main: may('fs:read:**', 'user'), lead: may('memory:read', 'project') },
  })
  await learned(here)
  const told = await here.ask('session-start', 'UserPromptSubmit', { prompt, agent_type: 'lead' })
  expect(told).toContain(memory.title)
})
