// npm run bench:gateway: what the gateway costs and saves.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

import { reportGateway } from './report.ts'

const lines: string[] = []
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
  lines.push(line)
}

say('# Measured: the gateway')
say('')
say(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}. Written by \`npm run bench:gateway\`.`,
)
say('')
const home = mkdtempSync(join(tmpdir(), 'contextd-bench-'))
await reportGateway(home, say)
writeFileSync('benchmarks/gateway/results.md', `${lines.join('\n')}\n`)
rmSync(home, { recursive: true })
