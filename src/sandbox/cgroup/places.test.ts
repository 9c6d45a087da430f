import { describe, expect, test } from 'vitest'

import { readPlaces } from './places.ts'

const oneHierarchy =
  '24 1 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot'

describe('the unified hierarchy', () => {
  test('as systemd mounts it', () => {
    const own = '/user.slice/user-1000.slice/user@1000.service/app.slice/contextd.service'
    expect(readPlaces(`0::${own}\n`, `${oneHierarchy}\n`)).toEqual({
      v2: { root: '/sys/fs/cgroup', own: `/sys/fs/cgroup${own}` },
    })
  })

  test('in a container that sees its own group as the root', () => {
    expect(readPlaces('0::/\n', oneHierarchy)).toEqual({
      v2: { root: '/sys/fs/cgroup', own: '/sys/fs/cgroup' },
    })
  })

  test('a group outside the mounted part is unreachable', () => {
    expect(readPlaces('0::/../other\n', oneHierarchy)).toEqual({})
    const part = '24 1 0:22 /machine/a /sys/fs/cgroup rw - cgroup2 cgroup2 rw'
    expect(readPlaces('0::/machine/ab\n', part)).toEqual({})
    expect(readPlaces('0::/machine/a/b\n', part)).toEqual({
      v2: { root: '/sys/fs/cgroup', own: '/sys/fs/cgroup/b' },
    })
  })
})

describe('the v1 hierarchies', () => {
  const mounts = [
    '31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755',
    '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
    '36 31 0:33 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
    '39 31 0:36 / /sys/fs/cgroup/pids rw,relatime shared:12 master:3 - cgroup cgroup rw,pids',
    '40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd',
    '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
  ].join('\n')

  test('each has its own path, next to a unified one without controllers', () => {
    const text = '9:name=systemd:/init\n8:pids:/\n4:memory:/jobs/a:b\n2:cpu,cpuacct:/x\n0::/\n'
    expect(readPlaces(text, mounts)).toEqual({
      v2: { root: '/sys/fs/cgroup/unified', own: '/sys/fs/cgroup/unified' },
      memory: '/sys/fs/cgroup/memory/jobs/a:b',
      pids: '/sys/fs/cgroup/pids',
    })
  })

  test("in a container that sees the host's names", () => {
    const bound = mounts.replaceAll(' / /sys/fs/cgroup/', ' /docker/1f /sys/fs/cgroup/')
    expect(readPlaces('8:pids:/docker/1f\n4:memory:/docker/1f/inner\n', bound)).toEqual({
      memory: '/sys/fs/cgroup/memory/inner',
      pids: '/sys/fs/cgroup/pids',
    })
  })

  test('two controllers in one hierarchy, mounted at a path with a blank', () => {
    const mount = String.raw`36 31 0:33 / /mnt/two\040of\040them rw - cgroup cgroup rw,memory,pids`
    expect(readPlaces('3:memory,pids:/own\n', mount)).toEqual({
      memory: '/mnt/two of them/own',
      pids: '/mnt/two of them/own',
    })
  })
})

test('nothing without cgroups', () => {
  expect(readPlaces('', '')).toEqual({})
  expect(readPlaces('not\nsuch a file\n', 'nor this - one\n')).toEqual({})
})
