// What the gateway costs and saves, compared with other routes to the same tool, all within one run.
import { join } from 'node:path'

import { median } from '../support/statistics.ts'
import { countDefinitions, type Definitions, type DefinitionTokens } from './definitions.ts'
import { measureFiltering } from './filtering.ts'
import { measureInTurns, moreThan, slowerThan, type Measured } from './in-turns.ts'
import { measureIdleConnections } from './memory.ts'
import { openPeers, type Absent } from './peers.ts'
import { measureStartWithServers } from './start.ts'
import {
  barePassThrough,
  direct,
  echoBehind,
  everythingAllowed,
  prepareHome,
  throughExecuteTool,
  transparently,
  type Place,
  type Route,
} from './routes.ts'

type Say = (line: string) => void

export async function reportGateway(home: string, say: Say): Promise<void> {
  const placeFor = (name: string): Place =>
    prepareHome(join(home, name), echoBehind, { main: everythingAllowed })
  const place = placeFor('echo')
  const ours = [
    await direct(place),
    await barePassThrough(place),
    await throughExecuteTool(place),
    // Two processes that write to one store alternately would slow each other down.
    await transparently(placeFor('transparent')),
    await barePassThrough(place, 'the bare pass-through again, for the noise'),
  ] as const
  const near = await measureInTurns(ours, { warmUp: 500, rounds: 2000, blocks: 30, callsPerBlock: 200 })
  await closeAll(ours)
  say('| one call of an echo tool on stdio | p50 | to direct | to bare | 16 in flight | to bare | CPU |')
  say('|---|---|---|---|---|---|---|')
  for (const measured of near) say(routeRow(measured, near))
  say('')

  const { routes: peers, absent } = await openPeers(place)
  const comparedRoutes = [
    await direct(place),
    await barePassThrough(place),
    await throughExecuteTool(place),
    ...peers,
  ]
  const far = await measureInTurns(comparedRoutes, { warmUp: 100, rounds: 400, blocks: 8, callsPerBlock: 80 })
  await closeAll(comparedRoutes)
  say(
    '| compared with others from npm, over their HTTP transport | p50 | to direct | to bare | 16 in flight | to bare | CPU |',
  )
  say('|---|---|---|---|---|---|---|')
  for (const measured of far) say(routeRow(measured, far))
  for (const peer of absent) say(absentRow(peer))
  say('')

  say('| what | measured | target |')
  say('|---|---|---|')
  const [, bare, executed] = near as [Measured, Measured, Measured]
  say(
    `| \`execute_tool\`, p50 to the bare pass-through | ${slowerThan(executed, bare).toFixed(2)} | at most 1.0 |`,
  )
  say(
    `| \`execute_tool\`, 16 in flight to the bare pass-through | ${percent(moreThan(executed, bare))} | at least 90 % |`,
  )
  try {
    reportDefinitions(await countDefinitions(join(home, 'real')), say)
  } catch (error) {
    say(`| Definitions of tools | **NOT MEASURED: ${cellText(String(error))}** | at least 97 % |`)
  }
  const { ofOne, ofAll, tools } = await measureFiltering()
  say(`| Filtering ${tools} tools; 50 agents with 100 rules each | ${ofOne.toFixed(2)} ms | under 2 ms |`)
  say(`| The same for a caller not known yet, by the rules of all 50 | ${ofAll.toFixed(1)} ms | – |`)
  const { heapKb, rssKb } = await measureIdleConnections()
  say(
    `| Memory of an idle connection in our process (resident) | ${kb(heapKb)} (${kb(rssKb)}) | under 300 KB |`,
  )
  const start = await measureStartWithServers(home, 11)
  say(`| Cold start with 20 servers configured, to none configured | ${start.ratio.toFixed(2)} | 1.0 |`)
}

function routeRow(measured: Measured, [direct, bare]: readonly Measured[]): string {
  const cells = [
    measured.name,
    `${median(measured.callMs).toFixed(2)} ms`,
    slowerThan(measured, direct!).toFixed(2),
    slowerThan(measured, bare!).toFixed(2),
    `${median(measured.callsPerSecond).toFixed(0)}/s`,
    moreThan(measured, bare!).toFixed(2),
    `${measured.cpuMsPerCall.toFixed(2)} ms`,
  ]
  return `| ${cells.join(' | ')} |`
}

function absentRow({ name, why }: Absent): string {
  return `| ${name} | **NOT MEASURED: ${cellText(why)}** | | | | | |`
}

function reportDefinitions({ servers, gateway }: Definitions, say: Say): void {
  const behind = sumOf(servers)
  const three = sumOf(gateway.filter(({ name }) => name !== 'find_tools'))
  const four = sumOf(gateway)
  const names = servers.map(({ name, tools, tokens }) => `${name} ${tools} (${tokens})`).join(', ')
  const fewer = ({ tokens }: { tokens: number }): string => percent(1 - tokens / behind.tokens)
  say(
    `| Definitions of ${three.tools} gateway tools for ${behind.tools} tools of four servers: ${names} ` +
      `| ${three.tokens} tokens for ${behind.tokens}: ${fewer(three)} fewer | at least 97 % |`,
  )
  say(`| The same with \`find_tools\` | ${four.tokens} tokens: ${fewer(four)} fewer | – |`)
}

function sumOf(counted: readonly DefinitionTokens[]): { tools: number; tokens: number } {
  return {
    tools: counted.reduce((sum, { tools }) => sum + tools, 0),
    tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

async function closeAll(routes: readonly Route[]): Promise<void> {
  await Promise.all(routes.map((route) => route.close()))
}

function cellText(text: string): string {
  return text.split('\n')[0]!.replaceAll('|', '/')
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function kb(size: number): string {
  return `${size.toFixed(0)} KB`
}
