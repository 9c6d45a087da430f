import { dirname, sep } from 'node:path'

import type { Confinement, Folder } from './sandbox.ts'

/** What of the machine every sandbox gets to see, found once. */
export interface SystemView {
  /** `/bin` and the like: links into `/usr`, or folders of their own on older systems. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
  readonly folders: readonly string[]
  /** Files of `/etc` that programs need and that hold nothing private. */
  readonly etc: readonly string[]
  /** Files of ours that stand in for the machine's: source and place. */
  readonly own: readonly { readonly source: string; readonly path: string }[]
  /** What leads to granted hosts from inside, beside the socket. */
  readonly bridge: readonly { readonly source: string; readonly path: string }[]
  /** As root: device nodes that belong to nobody, so that nobody inside can change them. */
  readonly devices: readonly { readonly source: string; readonly path: string }[]
}

/** What stands at a guarded path when the sandbox is made. */
export type PathKind = 'absent' | 'file' | 'folder' | 'link'

export interface LineFacts {
  readonly system: SystemView
  readonly kindOf: (path: string) => PathKind
}

const tmpFolder = '/tmp'
export const bridgePlaces = {
  node: '/run/contextd/node',
  script: '/run/contextd/forward.cjs',
  socket: '/run/contextd/net.sock',
} as const

/** Every option of bubblewrap for this confinement, in the order in which it builds the inside. Pure. */
export function bwrapOptions(confinement: Confinement, { system, kindOf }: LineFacts): string[] {
  const { folders, guarded, hidden, limits, programs, network } = confinement
  const path = [...programs, '/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin']
  const steps: string[][] = [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
    ['--cap-drop', 'ALL', '--hostname', 'sandbox', '--clearenv'],
    ['--setenv', 'PATH', path.join(':'), '--setenv', 'HOME', tmpFolder, '--setenv', 'TMPDIR', tmpFolder],
    ['--setenv', 'LANG', 'C.UTF-8'],
    system.folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    system.links.flatMap(({ path: link, target }) => ['--symlink', target, link]),
    // Made by name first: a folder that bubblewrap makes by the way is closed to everyone but its owner.
    ['--dir', '/etc', '--chmod', '0755', '/etc'],
    system.etc.flatMap((file) => ['--ro-bind', file, file]),
    system.own.flatMap(({ source, path: place }) => ['--ro-bind', source, place]),
    // Read-only also for root, to whom the kernel's own files would belong.
    ['--proc', '/proc', '--remount-ro', '/proc'],
    ['--dev', '/dev'],
    system.devices.flatMap(({ source, path: place }) => ['--dev-bind', source, place]),
    // What bubblewrap makes itself would be writable without any limit.
    ['--size', String(Math.ceil(limits.memoryBytes / 8)), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--perms', '1777', '--size', String(Math.ceil(limits.memoryBytes / 2)), '--tmpfs', tmpFolder],
    folders.flatMap(({ path: folder, access }) => [
      access === 'write' ? '--bind' : '--ro-bind',
      folder,
      folder,
    ]),
    guardOptions(folders, guarded, hidden, kindOf),
    hidden.flatMap((place) => hideOptions(place, kindOf(place), system)),
    network === undefined ? [] : bridgeOptions(network, system),
    ['--remount-ro', '/', '--chdir', '/'],
  ]
  return steps.flat()
}

/**
 * Guarded paths become read-only mounts, which cannot be written, removed or renamed. The folders above them become
 * mounts of their own, else moving one aside would take the guard along and leave the name free.
 */
function guardOptions(
  folders: readonly Folder[],
  guarded: readonly string[],
  hidden: readonly string[],
  kindOf: LineFacts['kindOf'],
): string[] {
  const pins = new Set<string>()
  const locks: string[] = []
  for (const path of [...guarded, ...hidden]) {
    const root = folders.findLast((folder) => isBelow(path, folder.path))
    if (root?.access !== 'write') continue
    for (const parent of parentsBetween(root.path, path)) {
      if (kindOf(parent) === 'folder') pins.add(parent)
    }
    const kind = kindOf(path)
    if (guarded.includes(path) && (kind === 'file' || kind === 'folder')) locks.push(path)
  }
  const depth = (path: string): number => path.split(sep).length
  return [
    ...[...pins].sort((a, b) => depth(a) - depth(b)).flatMap((path) => ['--bind', path, path]),
    ...locks.sort((a, b) => depth(a) - depth(b)).flatMap((path) => ['--ro-bind', path, path]),
  ]
}

/** The folders between a root and a path below it, outermost first, without either. */
export function parentsBetween(root: string, path: string): string[] {
  const parents: string[] = []
  for (let parent = dirname(path); parent !== root && isBelow(parent, root); parent = dirname(parent)) {
    parents.unshift(parent)
  }
  return parents
}

/** By their names alone, which are absolute and without `..` here: this is asked very often. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === sep ? sep : folder + sep) && path !== folder
}

function bridgeOptions(socket: string, { bridge }: SystemView): string[] {
  const places = [...bridge, { source: socket, path: bridgePlaces.socket }]
  return places.flatMap(({ source, path }) => ['--ro-bind', source, path])
}

function hideOptions(path: string, kind: PathKind, { devices }: SystemView): string[] {
  if (kind === 'folder') return ['--size', '4096', '--tmpfs', path, '--remount-ro', path]
  // A device on a mount without devices: it cannot even be opened.
  const nothing = devices.find((device) => device.path === '/dev/null')?.source ?? '/dev/null'
  return kind === 'file' ? ['--ro-bind', nothing, path] : []
}
