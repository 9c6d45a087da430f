// Routes are measured alternately, so that the load of the machine affects all of them equally.
import { compare, median } from '../support/statistics.ts'
import type { Route } from './routes.ts'

export interface Measured {
  readonly name: string
  /** One value per round. */
  readonly callMs: readonly number[]
  readonly callsPerSecond: readonly number[]
  readonly cpuMsPerCall: number
}

export interface Effort {
  readonly warmUp: number
  readonly rounds: number
  /** Blocks with 16 calls in flight. */
  readonly blocks: number
  readonly callsPerBlock: number
}

export async function measureInTurns(routes: readonly Route[], effort: Effort): Promise<Measured[]> {
  const random = randomNumbers(1)
  const callMs = routes.map((): number[] => [])
  const callsPerSecond = routes.map((): number[] => [])

  for (let round = 0; round < effort.warmUp; round += 1) for (const route of routes) await route.call()
  const cpuBefore = routes.map((route) => route.cpuMs())
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const index of shuffled(routes.length, random)) {
      const start = performance.now()
      await routes[index]!.call()
      callMs[index]!.push(performance.now() - start)
    }
  }
  const cpuAfter = routes.map((route) => route.cpuMs())

  for (const route of routes) await callMany(route, effort.callsPerBlock)
  for (let block = 0; block < effort.blocks; block += 1) {
    for (const index of shuffled(routes.length, random)) {
      const start = performance.now()
      await callMany(routes[index]!, effort.callsPerBlock)
      callsPerSecond[index]!.push((effort.callsPerBlock * 1000) / (performance.now() - start))
    }
  }
  return routes.map(({ name }, index) => ({
    name,
    callMs: callMs[index]!,
    callsPerSecond: callsPerSecond[index]!,
    cpuMsPerCall: (cpuAfter[index]! - cpuBefore[index]!) / effort.rounds,
  }))
}

/** Ratio of the call times of two routes, each call compared with its neighbour in the same round. */
export function slowerThan(measured: Measured, other: Measured): number {
  return compare(measured.callMs.map((ours, round) => ({ ours, theirs: other.callMs[round]! }))).ratio
}

/** Ratio of the calls per second of two routes. */
export function moreThan(measured: Measured, other: Measured): number {
  return median(measured.callsPerSecond.map((rate, block) => rate / other.callsPerSecond[block]!))
}

/** Makes calls with 16 in flight. */
export async function callMany(route: Route, calls: number): Promise<void> {
  let left = calls
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await route.call()
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

/** A different order each round: a server that is still busy after its response slows down the next one. */
function shuffled(length: number, random: () => number): number[] {
  const order = Array.from({ length }, (_, index) => index)
  for (let last = length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    ;[order[last], order[other]] = [order[other]!, order[last]!]
  }
  return order
}

/** Returns the same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
