import { expect, test } from 'vitest'

import type { CgroupFiles } from './files.ts'
import { findCgroups, sweepCgroups } from './cgroup.ts'

const mount = '/sys/fs/cgroup'
const service = '/user.slice/user-1000.slice/user@1000.service/app.slice/contextd.service'
const session = '/user.slice/user-0.slice/session-1.scope'
const limits = { memoryBytes: 1 << 29, processes: 64 }

interface Group {
  readonly members: Set<number>
  readonly handsDown: Set<string>
  readonly values: Map<string, string>
}

interface Machine {
  readonly files: CgroupFiles
  readonly groups: Map<string, Group>
  placeOf(pid: number): string | undefined
}

const filesOf: Readonly<Record<string, readonly string[]>> = {
  memory: ['memory.max', 'memory.swap.max', 'memory.oom.group', 'memory.events'],
  pids: ['pids.max', 'pids.events'],
}

/** Simulates the relevant rules of the unified hierarchy. Groups are named relative to the mount. */
function machine(setup: {
  own: string
  members?: readonly number[]
  /** Controllers of the root; everything above our own group delegates them. */
  controllers?: readonly string[]
  /** The writable folder, including everything below it. */
  writable: string
  missing?: readonly string[]
  locked?: readonly string[]
}): Machine {
  const controllers = setup.controllers ?? ['cpu', 'memory', 'pids']
  const groups = new Map<string, Group>()
  const make = (path: string, handsDown: readonly string[] = []): void => {
    groups.set(path, { members: new Set(), handsDown: new Set(handsDown), values: new Map() })
  }
  const parts = setup.own.split('/').slice(1)
  make('', controllers)
  for (const depth of parts.keys())
    make(`/${parts.slice(0, depth).join('/')}`.replace(/\/$/, ''), controllers)
  if (setup.own !== '/') make(setup.own)
  const own = setup.own.replace(/\/$/, '')
  for (const pid of setup.members ?? [process.pid]) groups.get(own)!.members.add(pid)

  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code })
  }
  const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
  const given = (path: string): string[] =>
    path === '' ? [...controllers] : [...(groups.get(parentOf(path))?.handsDown ?? [])]
  const placeOf = (pid: number): string | undefined =>
    [...groups].find(([, { members }]) => members.has(pid))?.[0]
  const mayWrite = (path: string): boolean => path === setup.writable || path.startsWith(`${setup.writable}/`)
  const split = (full: string): [Group, string, string] => {
    const path = full.slice(mount.length)
    const folder = parentOf(path)
    const file = path.slice(folder.length + 1)
    const group = groups.get(folder) ?? fail('ENOENT')
    const known = ['cgroup.controllers', 'cgroup.subtree_control', 'cgroup.procs', 'cgroup.kill']
    if (folder !== '') known.push(...given(folder).flatMap((name) => filesOf[name] ?? []))
    if (!known.includes(file) || setup.missing?.includes(file)) fail('ENOENT')
    return [group, folder, file]
  }

  const read = (full: string): string => {
    if (full === '/proc/self/cgroup') return `0::${placeOf(process.pid) || '/'}\n`
    if (full === '/proc/self/mountinfo')
      return `24 1 0:22 / ${mount} rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n`
    const [group, folder, file] = split(full)
    if (file === 'cgroup.controllers') return `${given(folder).join(' ')}\n`
    if (file === 'cgroup.subtree_control') return `${[...group.handsDown].join(' ')}\n`
    if (file === 'cgroup.procs') return [...group.members].map((pid) => `${pid}\n`).join('')
    return group.values.get(file) ?? 'max\n'
  }
  const write = (full: string, text: string): void => {
    const [group, folder, file] = split(full)
    if (!mayWrite(folder) || setup.locked?.includes(file)) fail('EACCES')
    if (file === 'cgroup.subtree_control') {
      if (folder !== '' && group.members.size > 0) fail('EBUSY')
      for (const name of text.split(' ')) group.handsDown.add(name.slice(1))
    } else if (file === 'cgroup.procs') {
      const from = placeOf(Number(text)) ?? fail('ESRCH')
      if (folder !== '' && group.handsDown.size > 0) fail('EBUSY')
      groups.get(from)!.members.delete(Number(text))
      group.members.add(Number(text))
    } else if (file === 'cgroup.kill') group.members.clear()
    else group.values.set(file, `${text}\n`)
  }
  const makeFolder = (full: string): void => {
    const path = full.slice(mount.length)
    if (!mayWrite(parentOf(path))) fail('EACCES')
    if (groups.has(path)) fail('EEXIST')
    make(path)
  }
  const removeFolder = (full: string): void => {
    const path = full.slice(mount.length)
    const group = groups.get(path) ?? fail('ENOENT')
    const hasGroups = [...groups.keys()].some((each) => each.startsWith(`${path}/`))
    if (group.members.size > 0 || hasGroups) fail('EBUSY')
    groups.delete(path)
  }
  const list = (full: string): string[] =>
    [...groups.keys()]
      .filter((each) => each !== '' && parentOf(each) === full.slice(mount.length))
      .map((each) => each.slice(each.lastIndexOf('/') + 1))
  const files: CgroupFiles = {
    read,
    write,
    list,
    makeFolder,
    removeFolder,
    isWritable: (full) => mayWrite(parentOf(full.slice(mount.length))),
    later: {
      write: async (path, text) => write(path, text),
      makeFolder: async (path) => makeFolder(path),
      removeFolder: async (path) => removeFolder(path),
    },
  }
  return { files, groups, placeOf }
}

const groupNames = ({ groups }: Machine): string[] =>
  [...groups.keys()].filter((path) => path.includes('/contextd-'))

test('alone in a delegated group, contextd moves aside and creates groups there', async () => {
  const here = machine({ own: service, writable: service })
  const cgroups = findCgroups(here.files)
  expect(cgroups?.kind).toBe('v2')
  expect(here.placeOf(process.pid)).toBe(`${service}/contextd-self`)
  expect(groupNames(here)).toEqual([`${service}/contextd-self`])

  const child = 4242
  here.groups.get(`${service}/contextd-self`)!.members.add(child)
  const group = cgroups!.open(limits)
  const { inside } = group.start(() => ({ pid: child }))
  await inside
  const place = here.placeOf(child)!
  expect(place).toMatch(new RegExp(`^${service}/contextd-${process.pid}-\\d+$`))
  expect(Object.fromEntries(here.groups.get(place)!.values)).toEqual({
    'memory.max': '536870912\n',
    'memory.swap.max': '0\n',
    'memory.oom.group': '1\n',
    'pids.max': '64\n',
  })
  await group.remove()
  expect(here.placeOf(child)).toBeUndefined()
  expect(groupNames(here)).toEqual([`${service}/contextd-self`])
})

test('a second search finds the same place', () => {
  const here = machine({ own: service, writable: service })
  findCgroups(here.files)
  expect(findCgroups(here.files)?.kind).toBe('v2')
  expect(here.placeOf(process.pid)).toBe(`${service}/contextd-self`)
})

test('with other processes in its group, contextd changes nothing', () => {
  const here = machine({ own: service, writable: service, members: [process.pid, 77] })
  expect(findCgroups(here.files)).toBeUndefined()
  expect(here.placeOf(process.pid)).toBe(service)
  expect(groupNames(here)).toEqual([])
})

test('root creates groups at the top if its own group is shared', async () => {
  const here = machine({ own: session, writable: '', members: [process.pid, 77] })
  const cgroups = findCgroups(here.files)
  expect(here.placeOf(process.pid)).toBe(session)
  const group = cgroups!.open(limits)
  await group.start(() => ({ pid: 77 })).inside
  expect(here.placeOf(77)).toMatch(/^\/contextd-\d+-\d+$/)
  await group.remove()
})

test('root in the top group itself stays there', async () => {
  const here = machine({ own: '/', writable: '', members: [process.pid, 77] })
  here.groups.get('')!.handsDown.clear()
  const group = findCgroups(here.files)!.open(limits)
  await group.start(() => ({ pid: 77 })).inside
  expect(here.placeOf(77)).toMatch(/^\/contextd-\d+-\d+$/)
  expect(here.placeOf(process.pid)).toBe('')
})

test.each([
  ['nothing can be written', { writable: '/elsewhere' }],
  ['a controller is missing', { writable: service, controllers: ['memory'] }],
  ['no process can be moved', { writable: service, locked: ['cgroup.procs'] }],
  ['controllers cannot be delegated', { writable: service, locked: ['cgroup.subtree_control'] }],
])('no groups, and no changes, if %s', (_, setup) => {
  const here = machine({ own: service, ...setup })
  expect(findCgroups(here.files)).toBeUndefined()
  expect(here.placeOf(process.pid)).toBe(service)
  expect(groupNames(here)).toEqual([])
})

test('no groups if limits cannot be written', () => {
  const here = machine({ own: service, writable: service, locked: ['memory.max'] })
  expect(findCgroups(here.files)).toBeUndefined()
  expect(groupNames(here)).toEqual([`${service}/contextd-self`])
})

test('resources that the kernel does not account for need no limit', () => {
  const here = machine({ own: service, writable: service, missing: ['memory.swap.max', 'memory.oom.group'] })
  expect(findCgroups(here.files)?.kind).toBe('v2')
  const without = machine({ own: service, writable: service, missing: ['pids.max'] })
  expect(findCgroups(without.files)).toBeUndefined()
})

test("exceeded limits are read from the kernel's counters", async () => {
  const here = machine({ own: session, writable: '', members: [process.pid, 77] })
  const group = findCgroups(here.files)!.open(limits)
  expect(group.exceeded()).toEqual({ memory: false, processes: false })
  await group.start(() => ({ pid: 77 })).inside
  const { values } = here.groups.get(here.placeOf(77)!)!
  const events = (oom: number, kills: number): string =>
    `low 0\nhigh 0\nmax 12\noom ${oom}\noom_kill ${kills}\noom_group_kill 0\n`

  values.set('memory.events', events(0, 0)).set('pids.events', 'max 0\n')
  expect(group.exceeded()).toEqual({ memory: false, processes: false })
  values.set('pids.events', 'max 3\n')
  expect(group.exceeded()).toEqual({ memory: false, processes: true })
  values.set('memory.events', events(4, 2))
  await group.remove()
  expect(group.exceeded()).toEqual({ memory: true, processes: true })
})

test('a process that ended before it was moved is not an error, but a group that cannot be created is', async () => {
  const here = machine({ own: session, writable: '', members: [process.pid, 77] })
  const cgroups = findCgroups(here.files)!
  const gone = cgroups.open(limits)
  await expect(gone.start(() => ({ pid: 99 })).inside).resolves.toBeUndefined()
  await gone.remove()

  here.files.later.makeFolder = () => Promise.reject(new Error('no more groups'))
  const refused = cgroups.open(limits)
  await expect(refused.start(() => ({ pid: 77 })).inside).rejects.toThrow('no more groups')
  await refused.remove()
  expect(groupNames(here)).toEqual([])
})

test('empty groups of ended processes are swept', () => {
  const here = machine({ own: service, writable: service })
  findCgroups(here.files)
  const [empty, used] = ['contextd-5000000-1', 'contextd-5000001-1'].map((name) => `${service}/${name}`)
  for (const path of [empty, used]) here.files.makeFolder(mount + path)
  here.groups.get(used!)!.members.add(77)
  sweepCgroups(here.files)
  expect(groupNames(here)).toEqual([`${service}/contextd-self`, used])
})
