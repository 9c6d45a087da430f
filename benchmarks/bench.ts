// npm run bench: the numbers of the README, each as a ratio to something run in the same minute on the same machine.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

import { measurePipelineCpu } from './pipeline-cpu.ts'
import { median, timed } from './support/statistics.ts'
import { openPeer, startPeer } from './support/stdio-peer.ts'

const home = mkdtempSync(join(tmpdir(), 'contextd-bench-'))
const env = { PATH: process.env.PATH, HOME: home, CONTEXTD_HOME: home }
const hello = ['benchmarks/hello-server.mjs']
const lines: string[] = []
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
  lines.push(line)
}

async function coldStart(rounds: number): Promise<void> {
  const start = async (args: readonly string[]): Promise<number> => {
    const before = performance.now()
    const peer = startPeer(args, env)
    await openPeer(peer)
    const took = performance.now() - before
    await peer.stop()
    return took
  }
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await start(hello))
    ours.push(await start(['bin/contextd.js', 'mcp', 'serve']))
  }
  report('Cold start to an answered `tools/list`', median(ours), median(theirs), 'ms', 0.9)
}

async function callOverStdio(server: string, rounds: number, batch: number): Promise<void> {
  const ours = startPeer([server], env)
  const theirs = startPeer(hello, env)
  await Promise.all([openPeer(ours), openPeer(theirs)])
  const call = (peer: typeof ours): Promise<unknown> =>
    peer.request('tools/call', { name: 'hello', arguments: {} })
  const samples = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < batch; index += 1) {
      // Interleaved call by call, so that noise hits both alike; the first round only warms up.
      const [a, b] = [await timed(() => call(theirs)), await timed(() => call(ours))]
      if (round > 0) {
        samples.theirs.push(a)
        samples.ours.push(b)
      }
    }
  }
  report('`tools/call` over stdio, p50', median(samples.ours), median(samples.theirs), 'ms', 1.6)
  const early = ours.rss()
  for (let index = rounds * batch; index < 10_000; index += 1) await call(ours)
  say(
    `| Memory after 10,000 calls | ${ours.rss().toFixed(0)} MB (${early.toFixed(0)} MB at ${rounds * batch}) | – | – | 130 MB |`,
  )
  await Promise.all([ours.stop(), theirs.stop()])
}

function report(what: string, ours: number, theirs: number, unit: string, target: number): void {
  const ratio = (ours / theirs).toFixed(2)
  say(`| ${what} | ${ours.toFixed(2)} ${unit} | ${theirs.toFixed(2)} ${unit} | ${ratio} | ${target} |`)
}

const server = 'node_modules/.cache/contextd/bench/empty-tool-server.js'

say('# Measured')
say('')
say(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}. Written by \`npm run bench\`.`,
)
say('')
say('| what | contextd | hello-world server on the same SDK | ratio | at most |')
say('|---|---|---|---|---|')
await coldStart(15)
await callOverStdio(server, 4, 500)
const cpu = await measurePipelineCpu(home, 5000)
say(`| CPU time of all stages around an empty tool, in process | ${cpu.toFixed(3)} ms | – | – | 0.2 ms |`)
const size = spawnSync('du', ['-sm', 'dist'], { encoding: 'utf8' }).stdout.split('\t')[0]
say('')
say(`The bundle is ${size} MB.`)
writeFileSync('benchmarks/results.md', `${lines.join('\n')}\n`)
rmSync(home, { recursive: true })
