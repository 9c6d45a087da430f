// What controlling contextd from outside costs, compared with the same work without it, all within one run.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

import type { Comparison } from '../support/statistics.ts'
import { makePlace, startBareEcho, startDaemon, type Place } from './daemons.ts'
import { endureClients } from './many-clients.ts'
import { measureRun } from './start-up.ts'
import { measureUnary } from './unary.ts'

type Say = (line: string) => void

export async function reportControl(home: string, say: Say): Promise<void> {
  const place = makePlace(join(home, 'control'))
  const row = (title: string, { ours, theirs, ratio }: Comparison, target: number): void =>
    say(`| ${title} | ${ours.toFixed(2)} ms | ${theirs.toFixed(2)} ms | ${ratio.toFixed(2)} | ${target} |`)
  say('| controlling it | contextd | compared with | ratio | target: at most |')
  say('|---|---|---|---|---|')
  const ctxd = (...words: string[]): Promise<Comparison> =>
    measureRun([resolve('bin/ctxd.js'), ...words], place.env, 41)
  row('`ctxd --help`; `node -e 0`', await ctxd('--help'), 1.5)
  row('`ctxd config get http.port`; `node -e 0`', await ctxd('config', 'get', 'http.port'), 1.5)

  const [daemon, echo] = [await startDaemon(place), await startBareEcho(place)]
  const proxied = await measureRun([linkTo('hello', place)], place.env, 41)
  row('`contextd-proxy`, one call of an empty tool; `node -e 0`', proxied, 1.6)
  const unary = await measureUnary({ ours: daemon.socket, theirs: echo.socket }, 3000)
  row('A gRPC call of it on the socket, through every stage, p50; a bare connect echo', unary, 1.3)
  await echo.stop()

  const [clients, seconds] = [200, 30]
  const { calls, errors, rss } = await endureClients(daemon, clients, seconds)
  await daemon.stop()
  say('')
  say(`| ${clients} clients at once for ${seconds} s | measured | target |`)
  say('|---|---|---|')
  say(`| Calls | ${calls.toLocaleString('en')} (${Math.round(calls / seconds)}/s) | – |`)
  const first = errors[0] === undefined ? '' : ` (${errors[0].replaceAll('|', '\\|')})`
  say(`| Errors | ${errors.length}${first} | 0 |`)
  say(
    `| Memory (RSS) after 5 s and at the end | ${rss.map((mb) => `${mb.toFixed(0)} MB`).join(', ')} | flat |`,
  )
}

/** As `ctxd init --tools` makes it, in the project of the daemon. */
function linkTo(tool: string, { project }: Place): string {
  const folder = join(project, '.claude', 'tools', tool)
  mkdirSync(folder, { recursive: true })
  const link = join(folder, tool)
  symlinkSync(resolve('bin/contextd-proxy.js'), link)
  return link
}
