import { describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '../../testing/cli-io.ts'
import { progressLine, progressText, type ProgressLine } from './progress.ts'

describe('the text', () => {
  test('shows progress, speed and remaining time', () => {
    expect(progressText({ done: 1200, total: 5000 }, 'memory', 4000)).toBe(
      '████░░░░░░░░░░░░░░░░ 1,200 of 5,000 memories (24 %), 300/s, 13 s left',
    )
    expect(progressText({ done: 1, total: 1 }, 'file', 4000)).toBe(
      '████████████████████ 1 of 1 file (100 %), 0.3/s',
    )
    expect(progressText({ done: 10, total: 10_000 }, 'file', 10_000)).toContain('1.0/s, 2 h 46 min left')
    expect(progressText({ done: 100, total: 1000 }, 'file', 10_000)).toContain('10/s, 1 min 30 s left')
  })

  test('omits unknown parts', () => {
    expect(progressText({ done: 1, total: 10_000 }, 'file', 1100)).toBe(
      '░░░░░░░░░░░░░░░░░░░░ 1 of 10,000 files (0 %), 0.9/s',
    )
    expect(progressText({ done: 1, now: 'src/a.ts' }, 'file', 2000)).toBe('1 file, 0.5/s, src/a.ts')
    expect(progressText({ done: 0, total: 0 }, 'file', 2000)).toBe(
      '████████████████████ 0 of 0 files (100 %)',
    )
    expect(progressText({ done: 0, total: 9 }, 'file', 0)).toBe('░░░░░░░░░░░░░░░░░░░░ 0 of 9 files (0 %)')
  })
})

describe('the line', () => {
  const begin = (columns?: number): { fake: FakeIo; line: ProgressLine; clock: { now: number } } => {
    const fake = fakeIo(columns === undefined ? {} : { columns })
    const clock = { now: 5000 }
    return { fake, clock, line: progressLine(fake.io, 'file', () => clock.now) }
  }

  test('appears on a terminal after a delay, and is removed', () => {
    const { fake, line, clock } = begin(80)
    line.show({ done: 1, total: 4 })
    line.clear()
    expect(fake.err()).toBe('')
    clock.now += 1000
    line.show({ done: 2, total: 4 })
    clock.now += 50
    line.show({ done: 3, total: 4 })
    line.clear()
    line.clear()
    expect(fake.err()).toBe('\r██████████░░░░░░░░░░ 2 of 4 files (50 %), 2.0/s, 1 s left\u001B[K\r\u001B[K')
    expect(fake.out()).toBe('')
  })

  test('is not shown without a terminal', () => {
    const { fake, line, clock } = begin()
    clock.now += 9000
    line.show({ done: 2, total: 4 })
    line.clear()
    expect(fake.err()).toBe('')
  })

  test('fits the terminal and cannot control it', () => {
    const { fake, line, clock } = begin(20)
    clock.now += 2000
    line.show({ done: 2, now: 'a\u001B[2Jb'.repeat(9) })
    expect(fake.err()).toBe('\r2 files, 1.0/s, a\\u\u001B[K')
    const unknown = begin(0)
    unknown.clock.now += 2000
    unknown.line.show({ done: 2 })
    expect(unknown.fake.err()).toBe('\r2 files, 1.0/s\u001B[K')
  })
})
