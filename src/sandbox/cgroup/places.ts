/** The position of a process in the cgroup hierarchies of its machine, as reported by the kernel. */
export interface CgroupPlaces {
  /** The unified hierarchy: its visible root, and the folder of the process. */
  readonly v2?: { readonly root: string; readonly own: string }
  /** The folder of the process in the v1 hierarchy of that controller. */
  readonly memory?: string
  readonly pids?: string
}

interface Mount {
  /** The part of the hierarchy that is mounted. */
  readonly root: string
  readonly point: string
  readonly type: string
  readonly options: readonly string[]
}

/** Expects the content of `/proc/self/cgroup` and `/proc/self/mountinfo`. */
export function readPlaces(cgroup: string, mountinfo: string): CgroupPlaces {
  const mounts = mountinfo.split('\n').flatMap(parseMount)
  const memberships = cgroup.split('\n').flatMap(parseMembership)

  const find = (
    path: string | undefined,
    fits: (mount: Mount) => boolean,
  ): { root: string; own: string } | undefined => {
    if (path === undefined) return undefined
    for (const { root, point } of mounts.filter(fits)) {
      const below = pathBelow(root, path)
      if (below !== undefined) return { root: point, own: point + below }
    }
    return undefined
  }
  const ofController = (name: string): string | undefined =>
    find(
      memberships.find(({ controllers }) => controllers.includes(name))?.path,
      ({ type, options }) => type === 'cgroup' && options.includes(name),
    )?.own

  const v2 = find(memberships.find(({ id }) => id === '0')?.path, ({ type }) => type === 'cgroup2')
  const memory = ofController('memory')
  const pids = ofController('pids')
  return {
    ...(v2 !== undefined && { v2 }),
    ...(memory !== undefined && { memory }),
    ...(pids !== undefined && { pids }),
  }
}

function parseMembership(line: string): { id: string; controllers: string[]; path: string }[] {
  const found = /^(\d+):([^:]*):(\/.*)$/.exec(line)
  return found === null ? [] : [{ id: found[1]!, controllers: found[2]!.split(','), path: found[3]! }]
}

function parseMount(line: string): Mount[] {
  const [place, kind] = line.split(' - ')
  const [, , , root, point] = place!.split(' ')
  const [type, , options] = kind?.split(' ') ?? []
  if (root === undefined || point === undefined || type === undefined) return []
  return [{ root: plain(root), point: plain(point), type, options: options?.split(',') ?? [] }]
}

/** Spaces and similar characters are octal escapes there. */
function plain(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  )
}

/** Undefined if the path is not in the mounted part. */
function pathBelow(root: string, path: string): string | undefined {
  if (path.split('/').includes('..')) return undefined
  if (path === root) return ''
  if (root === '/') return path
  return path.startsWith(`${root}/`) ? path.slice(root.length) : undefined
}
