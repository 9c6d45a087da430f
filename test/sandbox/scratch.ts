import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test file, links resolved as sandboxes want it. */
export function tempFolder(): { path: string; remove: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-sandbox-')))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
