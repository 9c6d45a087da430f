/** What the user sees of a tool before it is installed or replaced. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { PreparedTool } from '../../../tools/install/installer.ts'
import { counted } from '@contextd/shared/text/counted'
import { describe, describeRights } from './report.ts'

export function describeNew({ name, source, revision, report }: PreparedTool, project: string): string[] {
  const files = report.package?.files.files ?? []
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return [
    `${name}, to be installed in ${project}`,
    `  from ${source}`,
    `  revision ${revision}`,
    ...describe(report),
    `  ${counted(files.length, 'file')}, ${size.toLocaleString('en')} bytes`,
  ]
}

/** New permissions first, marked to stand out. */
export function describeToolChanges(prepared: PreparedTool, was: NonNullable<PreparedTool['was']>): string[] {
  const { name, source, revision, isEdited, rights, files, report } = prepared
  return [
    `${name}, changes`,
    ...(was.source === source ? [`  from ${source}`] : [`  from ${was.source}`, `  NEW: from ${source}`]),
    ...(was.revision === revision
      ? [`  revision ${revision}`]
      : [`  revision ${was.revision}`, `        to ${revision}`]),
    ...(isEdited ? ['  its files were modified since installation; those changes will be lost'] : []),
    ...rights.added.map(({ words }) => `  NEW: may ${words}`),
    ...rights.askable.map(({ words }) => `  NEW: may ask you later to ${words}`),
    ...rights.dropped.map(({ words }) => `  no longer: may ${words}`),
    ...(rights.added.length + rights.askable.length === 0 ? ['  no new permissions'] : []),
    ...(files.length === 0 ? ['  no file changes'] : files.map(describeFile)),
    ...describeRights(report),
  ]
}

function describeFile({ path, kind, lines, executable }: PreparedTool['files'][number]): string {
  const words = { added: 'added', removed: 'removed', changed: 'changed' }[kind]
  const counts =
    lines === undefined
      ? 'binary'
      : [`+${lines.added}`, `-${lines.removed}`].filter((text) => !/^.0$/.test(text)).join(' ')
  const mode = executable === undefined ? '' : executable ? ', now executable' : ', no longer executable'
  return `  ${path} ${words}${counts === '' ? '' : ` (${counts})`}${mode}`
}

export function differencesJson({ files, rights }: PreparedTool): JsonObject {
  const named = (list: PreparedTool['rights']['added']): string[] => list.map(({ capability }) => capability)
  return {
    files: files.map(({ path, kind, lines, executable }) => ({
      path,
      kind,
      ...(lines !== undefined && { lines_added: lines.added, lines_removed: lines.removed }),
      ...(executable !== undefined && { executable }),
    })),
    capabilities: {
      added: named(rights.added),
      optional_added: named(rights.askable),
      dropped: named(rights.dropped),
    },
  }
}

/** Long enough to tell two apart. */
export function shortRevision(revision: string): string {
  if (/^[0-9a-f]{40,}$/.test(revision)) return revision.slice(0, 12)
  return revision.replace(/^(sha256:[0-9a-f]{12}).*$/, '$1').replace(/#.*$/s, '')
}
