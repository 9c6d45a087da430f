/** A search in a branch, with the real client: what the subagent reads never comes into the main conversation. */

import { expect, test } from 'vitest'

import { estimateTokens } from '../../src/stages/budget/estimate.ts'
import { setups, runClaude, startAgent } from './claude-code.ts'
import { makePlace } from './client-run.ts'
import { found, type ToolUse } from './scripted-model.ts'

const files = Array.from({ length: 10 }, (_, at) => `worker-${at}.log`)
const lastRef = found('(ref_[\\w-]{22})')
const secretOfTheLogs = 'gave up on job 4711'

test.each(Object.entries(setups))(
  'ten large files cost the main conversation under 500 tokens (%s)',
  async (_, { tool, prepare }) => {
    const place = makePlace()
    for (const [file, name] of files.entries()) {
      const lines = Array.from({ length: 400 }, (__, line) => `${line} worker ${file}: job ${line * 7} done`)
      lines[30 + file] = `worker ${file}: ${secretOfTheLogs}, try ${file}`
      place.write(`project/${name}`, lines.join('\n'))
    }
    const use = (id: string, name: string, input: ToolUse['input']): ToolUse => ({
      id,
      tool: tool(name),
      input,
    })
    const args = await prepare(place)
    const run = await runClaude(
      place,
      {
        main: [
          [use('open', 'branch', { description: 'read the logs', prompt: 'What happened?', budget: 32_768 })],
          [startAgent('agent', 'general-purpose', 'reader')],
          [use('look', 'safe_read', { path: 'ref.txt' })],
          [use('peek', 'read_more', { ref: lastRef })],
          'done',
        ],
        reader: [
          ...files.map((path, at) => [use(`read-${at}`, 'safe_read', { path, limit: 150 })]),
          [use('count', 'safe_bash', { command: 'seq 1 5000' })],
          [use('again', 'read_more', { ref: lastRef })],
          [use('tell', 'safe_write', { path: 'ref.txt', content: lastRef })],
          [use('return', 'return', { message: 'All ten workers struggled.', outcome: 'failure' })],
          'All ten workers struggled.',
        ],
      },
      args,
    )
    for (const at of files.keys())
      expect(run.saw(`read-${at}`).text).toContain(`${secretOfTheLogs}, try ${at}`)
    expect(run.saw('read-0').text).toContain('You work in branch br_')
    expect(run.saw('again').isError).toBe(false)
    const returned = run.saw('return').text
    expect(Number(/kept_out\W+(\d+)/.exec(returned)?.[1])).toBeGreaterThan(15_000)
    expect(run.told('main')).not.toContain(secretOfTheLogs)
    expect(run.saw('peek').text).toContain('REF_NOT_FOUND')
    const ours = [run.saw('open').text, returned, run.saw('look').text, run.saw('peek').text].join('\n')
    expect(estimateTokens(ours)).toBeLessThan(500)

    const { stdout } = await place.ours('ctxd', 'branch', 'list', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      branches: [
        { state: 'returned', opened_by: 'main', worked_in_by: expect.stringContaining('general-purpose') },
      ],
    })
  },
)
