import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonFile } from '../../../files/client-files.ts'
import { placeOf, type FindingDetails, type Place } from '../../../findings/finding.ts'
import { jsonPlace } from '../../read/json-file.ts'

export type FindingText = Omit<FindingDetails, keyof Place>

/** Something that is wrong at a path of a JSON file. */
export function findingIn(
  { file, document }: JsonFile,
  path: JsonPath,
  part: 'key' | 'value',
  told: FindingText,
): FindingDetails {
  return { file, ...jsonPlace(document, path, part), ...told }
}

/** Something that is wrong with what stands at a place. */
export function findingAt(place: Place, told: FindingText): FindingDetails {
  return { ...placeOf(place), ...told }
}
