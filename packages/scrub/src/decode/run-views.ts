import type { View } from '../text/span.ts'
import { hexGroupsAround, type ByteList } from './numbers/byte-groups.ts'
import { dressedNumbers } from './numbers/dressed-numbers.ts'
import { dumpAround } from './numbers/hex-dump.ts'
import { inflateLimit, type InflateBudget } from './text/compression.ts'
import { decimalsAround, hexLiteralsAround } from './numbers/number-lists.ts'
import { readRuns } from './runs/runs.ts'
import type { Scan } from './scan.ts'
import { classBits, hexDigitBit, type DecodeSource } from './text/source.ts'

/** So far before the place where a list was noted, its separator stands at the latest. */
const nearby = 16

/**
 * What is encoded in the source as a whole: runs of base64, base32 and hexadecimal characters, bytes written one by
 * one, dumps. Each view stands for the whole run it was read from.
 */
export function runViews(source: DecodeSource, scan: Scan): View[] {
  const views: View[] = []
  const budget: InflateBudget = { left: inflateLimit }
  readLists(source, mergedPlaces(source.text, scan), budget, views)
  readDressed(source, scan.dressed, budget, views)
  readRuns(source, scan.runs, budget, views)
  return views
}

/** Where bytes may be written one by one. Only addresses at zero or near it were noted for themselves. */
function mergedPlaces(text: string, { lists, addresses }: Scan): number[] {
  const starts = addresses.filter((address) => text.startsWith('0000', address))
  return starts.length === 0 ? [...lists] : [...lists, ...starts].sort((a, b) => a - b)
}

function readDressed(
  source: DecodeSource,
  places: readonly number[],
  budget: InflateBudget,
  views: View[],
): void {
  let floor = 0
  for (const place of places) {
    if (place < floor) continue
    const list = dressedNumbers(source, place, budget)
    if (list?.view !== undefined) views.push(list.view)
    floor = list?.end ?? floor
  }
}

function readLists(
  source: DecodeSource,
  places: readonly number[],
  budget: InflateBudget,
  views: View[],
): void {
  // Nothing before `floor` is looked at again.
  let floor = 0
  for (const place of places) {
    if (place < floor) continue
    const list =
      dumpAround(source, place, floor, budget) ??
      literalsAround(source, place, floor, budget) ??
      groupsAround(source, place, floor, budget)
    if (list?.view !== undefined) views.push(list.view)
    floor = Math.max(list?.end ?? floor, decimalsAround(source, place, floor, budget, views))
  }
}

/** `0x67, 0x68, …`, where one of them stands shortly before the place. */
function literalsAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
): ByteList | undefined {
  const limit = Math.max(floor, place - nearby)
  for (let at = place; at >= limit; at--) {
    if (source.bytes[at] === 0x30 && source.bytes[at + 1] === 0x78) {
      return hexLiteralsAround(source, at, floor, budget)
    }
  }
  return undefined
}

/** `67 68 …`, where a separator stands shortly before the place. */
function groupsAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
): ByteList | undefined {
  const limit = Math.max(floor, place - nearby)
  let separator = place - 1
  while (separator > limit && (classBits[source.bytes[separator]!]! & hexDigitBit) !== 0) separator--
  return separator < limit ? undefined : hexGroupsAround(source, separator, floor, budget)
}
