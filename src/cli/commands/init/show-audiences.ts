/** Shows who gets each file: colleagues, this user alone, or all projects of this user. */

import type { FileChange } from '@contextd/shared/changes/change'
import { describeFileChanges, type DescribedChange } from '@contextd/shared/changes/show-changes'
import { printLine, type CliIo } from '@contextd/shared/cli/output'
import type { FileAudience } from '../../../clients/init/layout.ts'
import type { Audiences } from './audience.ts'

export interface DescribedFile extends DescribedChange {
  readonly audience: FileAudience
}

export function describeFor(
  changes: readonly FileChange[],
  audiences: Audiences,
  mask: (text: string) => string,
): DescribedFile[] {
  return describeFileChanges(changes, mask).map(({ path, action, diff }) => ({
    path,
    action,
    audience: audiences.of(path),
    diff,
  }))
}

const titles: Readonly<Record<FileAudience, string>> = {
  committed: 'Part of the project, so others get these once you commit them:',
  personal: 'In the project, for you alone:',
  user: 'Outside the project:',
}

export function printAudiences(files: readonly DescribedFile[], io: CliIo): void {
  for (const [audience, title] of Object.entries(titles)) {
    const paths = files.filter((file) => file.audience === audience).map(({ path }) => path)
    if (paths.length === 0) continue
    for (const line of [title, ...paths.map((path) => `  ${path}`)]) printLine(line, io)
  }
}
