/** The changes of files that `ctxd init` and its `--undo` make, given what an earlier run did. */

import { canonicalJson } from '@contextd/shared/json/value'
import { parseJson } from '@contextd/shared/json/json-source'
import { readNow, type FileChange } from '@contextd/shared/changes/change'
import { revertFile, type ClientFile, type Remembered } from '../../../clients/init/client-file.ts'

export interface Planned {
  readonly changes: readonly FileChange[]
  /** The undo journal after the changes. */
  readonly remembered: readonly Remembered[]
}

/** New contents of each file. An earlier run is undone first, so that none of its choices remain. */
export function planChanges(
  files: readonly ClientFile[],
  remembered: readonly Remembered[],
  project: string | undefined,
): Planned {
  const memory = new Map(remembered.map((one) => [one.path, one]))
  const changes: FileChange[] = []
  for (const { path, kind, isPrivate, extend } of files) {
    const place = { ...placeFor({ path, kind }), ...(isPrivate && { isPrivate }) }
    const now = readNow(place, project)
    const earlier = memory.get(path)
    const before = earlier === undefined ? now : editableBase(earlier, now)
    const wanted = extend(before)
    // Clients rewrite their files: the order of entries alone is no reason to change one.
    const after = isSameJson(kind, wanted, now) ? now : wanted
    if (after === before && earlier === undefined) continue
    if (after !== now) changes.push({ ...place, from: now, to: after })
    memory.set(path, { path, kind, before: before ?? null, after })
  }
  return { changes, remembered: Array.from(memory.values()) }
}

function isSameJson(kind: ClientFile['kind'], one: string, other: string | undefined): other is string {
  if (other === undefined || (kind !== 'json' && kind !== 'jsonc')) return false
  const [a, b] = [one, other].map((text) => parseJson(text, { comments: true }))
  return a?.ok === true && b?.ok === true && canonicalJson(a.value) === canonicalJson(b.value)
}

/** If our own file was edited, it is rewritten, and undo restores the edited version. */
function editableBase(earlier: Remembered, now: string | undefined): string | undefined {
  const isWhole = earlier.kind === 'own' || earlier.kind === 'link'
  return isWhole && now !== earlier.after ? now : baseOf(earlier, now)
}

/** What the file would be without us. A file that we removed is missed; one that others removed is not. */
function baseOf(earlier: Remembered, now: string | undefined): string | undefined {
  if (now !== undefined) return revertFile(earlier, now)
  return earlier.isRemoved === true ? (earlier.before ?? undefined) : undefined
}

function placeFor({ path, kind }: { readonly path: string; readonly kind: ClientFile['kind'] | undefined }): {
  path: string
  isLink?: true
} {
  return { path, ...(kind === 'link' && { isLink: true as const }) }
}

/** Removes our part from files that are not written any more, so that undo restores what others had put there. */
export function planReplaced(
  files: readonly ClientFile[],
  remembered: readonly Remembered[],
  project: string | undefined,
): Planned {
  const memory = new Map(remembered.map((one) => [one.path, one]))
  const changes: FileChange[] = []
  for (const { path, kind, clear } of files) {
    const now = readNow({ path }, project)
    const earlier = memory.get(path)
    const base = earlier === undefined ? now : baseOf(earlier, now)
    const to = base === undefined ? undefined : clear(base)
    if (to !== now) changes.push({ path, from: now, to })
    memory.delete(path)
    if (base === undefined || to === base) continue
    memory.set(path, {
      path,
      kind,
      before: base,
      after: to ?? '',
      ...(to === undefined && { isRemoved: true }),
    })
  }
  return { changes, remembered: Array.from(memory.values()) }
}

/** Undo: exact for journaled files; from other files only what is unmistakably ours is removed. */
export function planUndo(
  files: readonly ClientFile[],
  remembered: readonly Remembered[],
  project: string | undefined,
  only?: ReadonlySet<string>,
): Planned {
  const [gone, kept] = [new Map<string, Remembered>(), new Array<Remembered>()]
  for (const one of remembered) {
    if (only === undefined || only.has(one.path)) gone.set(one.path, one)
    else kept.push(one)
  }
  const changes: FileChange[] = []
  const paths = new Set([...gone.keys(), ...files.map(({ path }) => path)])
  for (const path of paths) {
    const earlier = gone.get(path)
    const file = files.find((one) => one.path === path)
    const place = placeFor({ path, kind: (earlier ?? file)?.kind })
    const now = readNow(place, project)
    const to = earlier !== undefined ? baseOf(earlier, now) : now === undefined ? undefined : file?.clear(now)
    if (to !== now) changes.push({ ...place, from: now, to })
  }
  return { changes, remembered: kept }
}
