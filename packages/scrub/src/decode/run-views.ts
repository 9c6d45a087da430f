import type { View } from '../text/span.ts'
import { hexGroupsAround, type ByteList } from './numbers/byte-groups.ts'
import { readWrappedNumbers } from './numbers/wrapped-numbers.ts'
import { dumpAround } from './numbers/hex-dump.ts'
import { maxInflatedBytes, type InflateBudget } from './text/compression.ts'
import { decimalsAround, hexLiteralsAround } from './numbers/number-lists.ts'
import { readRuns } from './runs/runs.ts'
import type { Scan } from './scan.ts'
import { classBits, hexDigitBit, type DecodeSource } from './text/source.ts'

/** Maximum distance between the offset recorded for a list and one of its separators. */
const maxDistance = 16

/**
 * Views of encoded runs in the source: base64, base32 and hexadecimal runs, lists of bytes, and hex dumps. Every location
 * in a view maps to the complete run.
 */
export function runViews(source: DecodeSource, scan: Scan): View[] {
  const views: View[] = []
  const budget: InflateBudget = { remaining: maxInflatedBytes }
  readLists(source, listPlaces(source.text, scan), budget, views)
  readWrapped(source, scan.wrappedNumbers, budget, views)
  readRuns(source, scan.runs, budget, views)
  return views
}

/** Where lists of bytes may be. Of the possible dump addresses, only those near zero are checked separately. */
function listPlaces(text: string, { lists, addresses }: Scan): number[] {
  const starts = addresses.filter((address) => text.startsWith('0000', address))
  return starts.length === 0 ? [...lists] : [...lists, ...starts].sort((a, b) => a - b)
}

function readWrapped(
  source: DecodeSource,
  places: readonly number[],
  budget: InflateBudget,
  views: View[],
): void {
  let floor = 0
  for (const place of places) {
    if (place < floor) continue
    const list = readWrappedNumbers(source, place, budget)
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
  // Nothing before `floor` is read again.
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

/** `0x67, 0x68, …`, if a literal starts shortly before the offset. */
function literalsAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
): ByteList | undefined {
  const limit = Math.max(floor, place - maxDistance)
  for (let at = place; at >= limit; at--) {
    if (source.bytes[at] === 0x30 && source.bytes[at + 1] === 0x78) {
      return hexLiteralsAround(source, at, floor, budget)
    }
  }
  return undefined
}

/** `67 68 …`, if a separator is shortly before the offset. */
function groupsAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
): ByteList | undefined {
  const limit = Math.max(floor, place - maxDistance)
  let separator = place - 1
  while (separator > limit && (classBits[source.bytes[separator]!]! & hexDigitBit) !== 0) separator--
  return separator < limit ? undefined : hexGroupsAround(source, separator, floor, budget)
}
