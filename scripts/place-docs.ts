import type { PlaceGroup } from '../src/platform/places/place-table.ts'
import { protectedPlaces } from '../src/platform/places/protected-places.ts'
import { privatePlaces } from '../src/tools/files/private-places.ts'

/** Generates the tables of docs/reference/places.md. */
export function placeDocs(): string {
  return [
    '## Not written: what other programs run',
    '',
    'Paths are relative to any folder of the workspace, unless a heading says otherwise. A folder includes everything below it.',
    '',
    ...protectedPlaces.flatMap((group) => tableOf(group, 'why it is not written')),
    '## Not shown: keys, logins and histories',
    '',
    'Paths are relative to the home folder. A folder includes everything below it.',
    '',
    ...privatePlaces.flatMap((group) => tableOf(group, 'what it contains')),
  ].join('\n')
}

function tableOf({ title, rows }: PlaceGroup, why: string): string[] {
  return [
    `### ${title}`,
    '',
    `| path | ${why} |`,
    '|---|---|',
    ...rows.map(({ paths, reason, except }) => {
      const exception = except === undefined ? '' : ` (not ${code(except)})`
      return `| ${code(paths)}${exception} | ${reason} |`
    }),
    '',
  ]
}

function code(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(', ')
}
