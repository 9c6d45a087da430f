/**
 * Runs as a separate process: issues tokens for one session from the store in the given folder, and prints them. Every
 * process uses the same values in a different order.
 */

import { join } from 'node:path'

import { openStore } from '../../src/platform/storage/store.ts'
import { createSecretRegistry } from '../../src/stages/scrub/registry.ts'
import { seededRandom } from '@contextd/shared/testing/secret-samples'

const [folder = '', seed = '', count = ''] = process.argv.slice(2)
const store = openStore(join(folder, 'contextd.db'))
const registry = createSecretRegistry({
  store,
  tenant: 'local',
  keysDir: join(folder, 'keys'),
  clock: Date.now,
  keepMs: 86_400_000,
  report: (_, message) => process.stderr.write(`${message}\n`),
})
const random = seededRandom(Number(seed))
const values = Array.from({ length: Number(count) }, (_, n) => ({ at: random(), value: `value number ${n}` }))
values.sort((a, b) => a.at - b.at)
const tokens = values.map(({ value }) => [value, registry.tokensFor('shared', [{ value, rule: 'test' }])[0]])
store.close()
process.stdout.write(JSON.stringify(tokens))
