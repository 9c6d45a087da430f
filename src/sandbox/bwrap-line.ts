import { dirname, sep } from 'node:path'

import type { ServiceAddress } from '../core/service-address.ts'
import type { Confinement, Folder } from './sandbox.ts'

/** The part of the machine that is visible in every sandbox, determined once. */
export interface SystemView {
  /** `/bin` and the like: links into `/usr`, or folders on older systems. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
  readonly folders: readonly string[]
  /** Files of `/etc` that programs need and that contain nothing private. */
  readonly etc: readonly string[]
  /** Our files that replace the machine's. */
  readonly own: readonly { readonly source: string; readonly path: string }[]
  /** Programs that connect to granted hosts from inside, apart from the socket. */
  readonly bridge: readonly { readonly source: string; readonly path: string }[]
  /** The same for the proxy that refuses all hosts. */
  readonly refusal: readonly { readonly source: string; readonly path: string }[]
  /** As root: device nodes owned by nobody, so that nobody inside can change them. */
  readonly devices: readonly { readonly source: string; readonly path: string }[]
}

/** The type of a guarded path when the sandbox is created. */
export type PathKind = 'absent' | 'file' | 'folder' | 'link'

export interface OptionFacts {
  readonly system: SystemView
  readonly kindOf: (path: string) => PathKind
}

const tmpFolder = '/tmp'
export const bridgePlaces = {
  node: '/run/contextd/node',
  script: '/run/contextd/forward.cjs',
  refusal: '/run/contextd/refuse.cjs',
  socket: '/run/contextd/net.sock',
} as const

/** Without characters that mean something to a shell. */
export function servicePlace({ host, port }: ServiceAddress): string {
  return `/run/contextd/${host === '::1' ? 'six' : 'four'}-${port}.sock`
}

/** All bubblewrap options for this confinement, in the order in which it builds the sandbox. Pure. */
export function bwrapOptions(confinement: Confinement, { system, kindOf }: OptionFacts): string[] {
  const {
    folders,
    guarded,
    hidden,
    limits,
    programs,
    network,
    services = [],
    refusesHosts = false,
    caches = [],
  } = confinement
  const path = [...programs, '/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin']
  const steps: string[][] = [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
    ['--cap-drop', 'ALL', '--hostname', 'sandbox', '--clearenv'],
    ['--setenv', 'PATH', path.join(':'), '--setenv', 'HOME', tmpFolder, '--setenv', 'TMPDIR', tmpFolder],
    ['--setenv', 'LANG', 'C.UTF-8'],
    system.folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    system.links.flatMap(({ path: link, target }) => ['--symlink', target, link]),
    // Created explicitly: a folder that bubblewrap creates implicitly is accessible to its owner only.
    ['--dir', '/etc', '--chmod', '0755', '/etc'],
    system.etc.flatMap((file) => ['--ro-bind', file, file]),
    system.own.flatMap(({ source, path: place }) => ['--ro-bind', source, place]),
    // Read-only also for root, who would own the kernel's files.
    ['--proc', '/proc', '--remount-ro', '/proc'],
    ['--dev', '/dev'],
    system.devices.flatMap(({ source, path: place }) => ['--dev-bind', source, place]),
    // bubblewrap would make it writable without a limit.
    ['--size', String(Math.ceil(limits.memoryBytes / 8)), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--perms', '1777', '--size', String(Math.ceil(limits.memoryBytes / 2)), '--tmpfs', tmpFolder],
    folders.flatMap(({ path: folder, access }) => [
      access === 'write' ? '--bind' : '--ro-bind',
      folder,
      folder,
    ]),
    guardOptions(folders, guarded, hidden, kindOf),
    hidden.flatMap((place) => hideOptions(place, kindOf(place), system)),
    caches.flatMap(({ source, path: place }) => ['--bind', source, `${tmpFolder}/${place}`]),
    network === undefined ? [] : bridgeOptions(network, services, system),
    refusesHosts ? system.refusal.flatMap(({ source, path: place }) => ['--ro-bind', source, place]) : [],
    ['--remount-ro', '/', '--chdir', '/'],
  ]
  return steps.flat()
}

/**
 * Guarded paths become read-only mounts, which cannot be written, removed or renamed. Their parent folders become
 * mounts too; otherwise moving one aside would move the guard and free the name.
 */
function guardOptions(
  folders: readonly Folder[],
  guarded: readonly string[],
  hidden: readonly string[],
  kindOf: OptionFacts['kindOf'],
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

/** The folders between a root and a path below it, outermost first, excluding both. */
export function parentsBetween(root: string, path: string): string[] {
  const parents: string[] = []
  for (let parent = dirname(path); parent !== root && isBelow(parent, root); parent = dirname(parent)) {
    parents.unshift(parent)
  }
  return parents
}

/** Compares names only, which are absolute and without `..` here: this is called very often. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === sep ? sep : folder + sep) && path !== folder
}

function bridgeOptions(
  socket: string,
  services: NonNullable<Confinement['services']>,
  { bridge }: SystemView,
): string[] {
  const places = [
    ...bridge,
    { source: socket, path: bridgePlaces.socket },
    ...services.map((service) => ({ source: service.socket, path: servicePlace(service) })),
  ]
  return places.flatMap(({ source, path }) => ['--ro-bind', source, path])
}

function hideOptions(path: string, kind: PathKind, { devices }: SystemView): string[] {
  if (kind === 'folder') return ['--size', '4096', '--tmpfs', path, '--remount-ro', path]
  // A device on a mount without devices cannot even be opened.
  const nothing = devices.find((device) => device.path === '/dev/null')?.source ?? '/dev/null'
  return kind === 'file' ? ['--ro-bind', nothing, path] : []
}
