import { test } from 'vitest'
import { apiRuntime, person } from './support/api-runtime.ts'
import { perform } from '../src/servers/control/perform.ts'
import { Session } from 'node:inspector/promises'
import { writeFileSync } from 'node:fs'
test('x', async () => {
  const api = await apiRuntime()
  const signal = new AbortController().signal
  const once = () => perform(api.runtime, 'Policy/List', {}, person, { signal })
  for (let i = 0; i < 300; i++) await once()
  const s = new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.start')
  const c0 = process.cpuUsage(); const t = performance.now(); const n = 1000
  for (let i = 0; i < n; i++) await once()
  const c = process.cpuUsage(c0)
  console.log('wall', ((performance.now() - t) / n).toFixed(3), 'cpu', ((c.user + c.system) / 1000 / n).toFixed(3), 'ms')
  const { profile } = await s.post('Profiler.stop')
  writeFileSync('/tmp/api.cpuprofile', JSON.stringify(profile))
  await api.close()
}, 60000)
