/** Describes a tool to the user. */

import { formatCapability } from '../../../core/capability.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolReport } from '../../../tools/plugins/tool-report.ts'

/** What the user needs to know, one line each. */
export function describe(report: ToolReport): string[] {
  return [...describeRights(report), ...describeFiles(report)]
}

export function describeRights({ package: pkg, may, mayAsk }: ToolReport): string[] {
  if (pkg === undefined) return []
  return [
    ...pkg.description.split('\n').map((line) => `  "${line}"`),
    ...may.map((what) => `  may ${what}`),
    ...(may.length === 1 ? ['  can access only its own files, and no network'] : []),
    ...mayAsk.map((what) => `  may ask you later to ${what}`),
  ]
}

function describeFiles({ package: pkg }: ToolReport): string[] {
  if (pkg === undefined) return []
  return pkg.files.files.map(
    ({ path, bytes, sha256 }) =>
      `  ${path === pkg.executable ? 'runs ' : ''}${path}  (${bytes.length} bytes, sha256 ${sha256.slice(0, 12)})`,
  )
}

export function reportJson({
  name,
  state,
  why,
  package: pkg,
  granted,
  may,
  mayAsk,
  approvedAt,
}: ToolReport): JsonObject {
  return {
    name,
    state,
    why: [...why],
    ...(approvedAt !== undefined && { approved_at: new Date(approvedAt).toISOString() }),
    ...(pkg !== undefined && {
      sha256: pkg.files.sha256,
      description: pkg.description,
      executable: pkg.executable,
      capabilities: {
        required: pkg.manifest.required.map(formatCapability),
        optional: pkg.manifest.optional.map(formatCapability),
        granted: granted.map(formatCapability),
      },
      may: [...may],
      may_ask_to: [...mayAsk],
      files: pkg.files.files.map(({ path, bytes, executable, sha256 }) => ({
        path,
        size: bytes.length,
        executable,
        sha256,
      })),
    }),
  }
}
