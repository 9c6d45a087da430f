/** What survives a conversation: where it stood when it was compacted, and what was learned in it. */

import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { promptClaude, runClaude, setups, type Setup } from './claude-code.ts'
import { audited, makePlace, type Place } from './client-run.ts'
import { follow, found, messagesOf, spokenIn, type Scripts } from './scripted-model.ts'

const secret = makeSample('ghp_{alnum:36}', seededRandom(71)).text
const ways = Object.entries<Setup>(setups)
const plugin: Setup = setups.plugin

/** What the model is told in the first request of a run, and in no conversation before it. */
const firstRequest = (run: { requests: readonly { body: JsonObject }[] }): string =>
  run.requests[0] === undefined
    ? ''
    : messagesOf(run.requests[0].body)
        .map(({ content }) => spokenIn(content))
        .join('\n')

const scripts = ({ tool }: Setup): Scripts => ({
  main: [
    [{ id: 'write', tool: 'Write', input: { file_path: 'cache.ts', content: 'fixed' } }],
    'The key is fixed.',
  ],
  on: [
    [{ id: 'restore', tool: tool('checkpoint_restore'), input: { id: found('(cp_[0-9a-f]{12})') } }],
    'done',
  ],
  other: ['done'],
})

/** A conversation about a cache that the person then has compacted. */
async function compacted(place: Place, setup: Setup): Promise<readonly string[]> {
  const args = [...(await setup.prepare(place)), '--allowedTools', 'Write']
  await promptClaude(place, `${follow('main')} Fix the cache with ${secret}.`, scripts(setup), args)
  const run = await promptClaude(place, '/compact', scripts(setup), [...args, '--continue'])
  expect(run.events).toContainEqual(expect.objectContaining({ subtype: 'compact_boundary' }))
  return args
}

test.each(ways)('%s: a conversation that was compacted can be gone on with', async (_, setup) => {
  const place = makePlace()
  const args = await compacted(place, setup)
  const [saved] = await audited(place, '--event', 'checkpoint-saved')
  const { id } = saved!.details as { id: string }

  const on = await promptClaude(place, follow('on'), scripts(setup), [...args, '--continue'])
  expect(firstRequest(on)).toContain(`contextd has a checkpoint of this conversation, ${id}`)
  expect(on.saw('restore').text).toMatch(/Fix the cache with \[SECRET_\d+\][\s\S]*The key is fixed/)
  expect(on.saw('restore').text).toMatch(/files_written:\n- cache\.ts/)

  const other = await promptClaude(place, follow('other'), scripts(setup), args)
  expect(firstRequest(other)).toContain(`a checkpoint of an earlier session in this project, ${id}`)
  const third = await promptClaude(place, follow('other'), scripts(setup), args)
  expect(firstRequest(third)).not.toContain(id)

  const { stdout } = await place.ours('ctxd', 'checkpoint', 'restore', id, '--level', 'full')
  expect(stdout).toContain('The key is fixed.')
  expect(stdout).not.toContain(secret)
  expect(place.filesWith(secret).filter((file) => !file.startsWith('home/.claude/'))).toEqual([])
})

test('nothing is kept or offered where the person does not want it', async () => {
  const place = makePlace()
  place.write('home/.config/contextd/config.toml', '[checkpoint]\nbefore_compact = false\n')
  const args = await compacted(place, plugin)
  const on = await promptClaude(place, follow('other'), scripts(plugin), [...args, '--continue'])
  expect(on.told()).not.toContain('checkpoint of')
  expect(await audited(place, '--event', 'checkpoint-saved')).toEqual([])
})

test('a hook that fails keeps nobody from compacting, and says so', async () => {
  const place = makePlace()
  // No store can be opened where its file is a folder.
  place.write('home/.local/state/contextd/contextd.db/occupied', 'x')
  const args = await plugin.prepare(place)
  await runClaude(place, scripts(plugin), args)
  const run = await promptClaude(place, '/compact', scripts(plugin), [...args, '--continue'])
  expect(run.events).toContainEqual(expect.objectContaining({ subtype: 'compact_boundary' }))
  expect(run.stdout).toMatch(/PreCompact[^\n]*failed: contextd hook/)
})

test.each(ways)('%s: what one session learned is told to the next that has such a task', async (_, setup) => {
  const place = makePlace()
  const args = await setup.prepare(place)
  const lesson = {
    title: 'The cache of the build server needs the lock file in its key',
    description: 'Use it when a build fails on the build server only; not when it fails everywhere.',
    content: 'Put the hash of the lock file into the key of the cache.',
    outcome: 'success',
    task: 'find out why the build fails on the build server only',
  }
  const first = await runClaude(
    place,
    { main: [[{ id: 'store', tool: setup.tool('memory_store'), input: lesson }], 'done'] },
    args,
  )
  expect(first.saw('store')).toMatchObject({ isError: false })

  const told = async (prompt: string, ...more: string[]): Promise<string> =>
    firstRequest(
      await promptClaude(place, `${follow('other')} ${prompt}`, scripts(setup), [...args, ...more]),
    )
  const fitting = await told('The build fails on the build server only. Find out why.')
  expect(fitting).toContain(lesson.content)
  expect(fitting).toContain('not instructions')
  const second = await told('And the build fails on the build server again.', '--continue')
  expect(second.split(lesson.content)).toHaveLength(2)
  expect(await told('Translate the greeting to French.')).not.toContain(lesson.content)
})
