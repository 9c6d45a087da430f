import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonFile } from '../../../files/client-files.ts'
import { placeOf, type FindingDetails, type Place } from '../../../findings/finding.ts'
import { jsonPlace } from '../../read/json-file.ts'

/** A finding without its place. */
export type FindingText = Omit<FindingDetails, keyof Place>

/** A finding at a path in a JSON file. */
export function findingIn(
  { file, document }: JsonFile,
  path: JsonPath,
  part: 'key' | 'value',
  text: FindingText,
): FindingDetails {
  return { file, ...jsonPlace(document, path, part), ...text }
}

/** A finding at a place. */
export function findingAt(place: Place, text: FindingText): FindingDetails {
  return { ...placeOf(place), ...text }
}
