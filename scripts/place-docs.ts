import type { PlaceGroup } from '../src/platform/place-table.ts'
import { privatePlaces } from '../src/tools/files/private-places.ts'

/** The generated part of docs/reference/places.md. */
export function placeDocs(): string {
  return [
    '## Not shown: keys, logins and histories',
    '',
    'Paths are relative to the home folder. A folder stands for everything below it.',
    '',
    ...privatePlaces.flatMap((group) => tableOf(group, 'why it is hidden')),
  ].join('\n')
}

function tableOf({ title, rows }: PlaceGroup, why: string): string[] {
  return [
    `### ${title}`,
    '',
    `| path | ${why} |`,
    '|---|---|',
    ...rows.map(({ paths, reason }) => `| ${paths.map((path) => `\`${path}\``).join(', ')} | ${reason} |`),
    '',
  ]
}
