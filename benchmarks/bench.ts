// npm run bench: the numbers of docs/reference/benchmarks.md, each as a ratio to something run in the same minute on the same machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

import { measureCallOverStdio } from './call-over-stdio.ts'
import { measureColdStart } from './cold-start.ts'
import { reportControl } from './control/report.ts'
import { reportGateway } from './gateway/report.ts'
import { measureHook, measureHookWithDaemon } from './hooks.ts'
import { measureMemory } from './memory.ts'
import { reportMemory } from './memory-report.ts'
import { reportIsolation } from './isolation/report.ts'
import { measureLint } from './permissions.ts'
import { reportModelDoor } from './model-door/report.ts'
import { measurePipelineCpu } from './pipeline-cpu.ts'
import { measureSafeBash, measureSafeRead, measureWarmSandbox } from './sandbox.ts'
import { measureSearch } from './search.ts'
import type { Comparison } from './support/statistics.ts'

const home = mkdtempSync(join(tmpdir(), 'contextd-bench-'))
const env = { PATH: process.env.PATH ?? '', HOME: home, CONTEXTD_HOME: home }
const hello = 'benchmarks/hello-server.mjs'
const emptyTool = 'node_modules/.cache/contextd/bench/empty-tool-server.js'

const lines: string[] = []
const addLine = (line: string): void => {
  process.stdout.write(`${line}\n`)
  lines.push(line)
}
const row = (title: string, { ours, theirs, ratio }: Comparison, target: number): void =>
  addLine(`| ${title} | ${ours.toFixed(2)} ms | ${theirs.toFixed(2)} ms | ${ratio.toFixed(2)} | ${target} |`)

addLine('# Measured')
addLine('')
addLine(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}. Written by \`npm run bench\`.`,
)
addLine('')
addLine('| what | contextd | hello-world server on the same SDK | ratio | target: at most |')
addLine('|---|---|---|---|---|')
const start = await measureColdStart({ ours: ['bin/contextd.js', 'mcp', 'serve'], theirs: [hello] }, env, 21)
row('Cold start to an answered `tools/list`', start, 0.9)
const call = await measureCallOverStdio({ ours: emptyTool, theirs: hello }, env, 2000)
row('`tools/call` over stdio through every stage, official client, p50', call, 1.6)
const cpu = await measurePipelineCpu(home, 5000)
addLine(`| CPU time of all stages around an empty tool, in process | ${cpu.toFixed(3)} ms | – | – | 0.2 ms |`)
const memory = await measureMemory([emptyTool], env)
const growth = memory.map(({ calls, rss }) => `${rss.toFixed(0)} MB after ${calls.toLocaleString('en')}`)
addLine(`| Memory (RSS) after calls | ${growth.join(', ')} | – | – | 130 MB |`)
addLine('')
addLine('| what | contextd | compared with | ratio | target: at most |')
addLine('|---|---|---|---|---|')
const bash = await measureSafeBash(home, env)
row('`safe_bash true` by the official client over stdio; the same line of bubblewrap, bare', bash, 1.3)
const warm = await measureWarmSandbox(home)
row("A command in a sandbox that waits, in process; `spawn('true')`", warm, 2)
const read = await measureSafeRead(home)
row('`safe_read` of 10 KB without scrubbing, in process; `fs.readFile`', read, 2)
for (const [mode, target] of [
  ['count', 2],
  ['content', 5],
] as const) {
  const search = await measureSearch(home, mode)
  if (search !== undefined)
    row(
      `\`safe_grep\` of 10,000 files, mode \`${mode}\`, 200 matches in 200 files; a bare \`rg\``,
      search,
      target,
    )
}
row('A hook (`protect`) while contextd runs; `node -e 0`', await measureHookWithDaemon(env, 41), 1.5)
const alone = await measureHook(env, 21)
addLine(
  `| The same while none runs | ${alone.ours.toFixed(2)} ms | ${alone.theirs.toFixed(2)} ms | ${alone.ratio.toFixed(2)} | – |`,
)
const lint = measureLint(home, env, 11)
addLine(
  `| \`ctxd permissions lint\` of 1,000 agents, 200 rules and 50 servers; of an empty folder | ${lint.ours.toFixed(0)} ms | ${lint.theirs.toFixed(0)} ms | ${lint.ratio.toFixed(2)} | 1 s more |`,
)
addLine('')
await reportControl(home, addLine)
addLine('')
await reportGateway(home, addLine)
addLine('')
await reportIsolation(home, addLine)
addLine('')
await reportModelDoor(home, addLine)
addLine('')
await reportMemory(home, addLine)
writeFileSync('benchmarks/results.md', `${lines.join('\n')}\n`)
rmSync(home, { recursive: true })
