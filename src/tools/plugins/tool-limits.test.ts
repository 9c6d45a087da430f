import { expect, test } from 'vitest'

import { limitNames, type LimitName } from '../../sandbox/sandbox.ts'
import { describeHit, limitsOf } from './tool-limits.ts'

const MB = 1_048_576
const most = {
  timeMs: 30_000,
  cpuSeconds: 120,
  memoryBytes: 512 * MB,
  processes: 128,
  fileBytes: 256 * MB,
  outputBytes: MB,
  diskBytes: 2048 * MB,
  diskFiles: 65_536,
}

const hit = (limit: LimitName, declared = {}, maxMs = 60_000): string =>
  describeHit(limit, limitsOf(declared, most, maxMs), declared, most)

test('says how much it was, and which key to raise', () => {
  expect(limitNames.map((limit) => hit(limit, { memoryBytes: 64 * MB, outputBytes: 4096 }))).toEqual([
    'It ran longer than 30 s (`max_execution_time` in capabilities.toml)',
    'It used more processor time than 120 s (`sandbox.cpu_seconds` in the configuration)',
    'It needs more memory than 64 MB (`max_memory` in capabilities.toml)',
    'It started more than 128 processes (`sandbox.processes` in the configuration)',
    'It wrote a file larger than 256 MB (`sandbox.file_mb` in the configuration)',
    'It wrote more than 4 KB (`max_output_size` in capabilities.toml)',
    'It filled the workspace by more than 2 GB (`sandbox.disk_mb` in the configuration)',
    'It made more than 65536 files (`sandbox.disk_files` in the configuration)',
  ])
})

test('names the configuration where the package cannot have more', () => {
  const greedy = { timeMs: 90_000, memoryBytes: 4096 * MB, outputBytes: 64 * MB }
  expect(hit('time', greedy)).toBe('It ran longer than 60 s (`limits.call_timeout_ms` in the configuration)')
  expect(hit('memory', greedy)).toBe(
    'It needs more memory than 512 MB (`sandbox.memory_mb` in the configuration)',
  )
  expect(hit('output', greedy)).toBe('It wrote more than 1 MB (`sandbox.output_kb` in the configuration)')
})
