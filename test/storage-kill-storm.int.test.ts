import { expect, test } from 'vitest'

import { killStorm } from './support/kill-storm.ts'

const rounds = 3
const writers = 10

// A sample; `npm run storm` runs the full number of rounds.
test('ten writers killed at any moment lose no record they acknowledged and damage nothing', async () => {
  await killStorm({ writers, rounds, records: 60, seed: 20_260_101 }, (aftermath) => {
    const { store, acknowledged, complaints, integrity, lost, verify } = aftermath
    expect(complaints).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(rounds * writers)
    expect(integrity).toBe('ok')
    expect(lost()).toEqual([])
    const verdict = verify()
    expect(verdict).toMatchObject({ ok: true, first_bad: null })
    // Stored, but killed before it was acknowledged: at most one per writer.
    expect(verdict.records - acknowledged.size).toBeLessThanOrEqual(rounds * writers)

    const oldest = Math.min(...acknowledged.keys())
    store.prepare('DELETE FROM audit WHERE seq = ?').run(oldest)
    expect(lost()).toEqual([oldest])
    expect(verify()).toMatchObject({ ok: false, first_bad: oldest })
  })
})
