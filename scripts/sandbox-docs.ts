import { bridgePlaces, bwrapOptions, type PathKind, type SystemView } from '../src/sandbox/bwrap-line.ts'
import { gateLines } from '../src/sandbox/gate.ts'
import type { Confinement } from '../src/sandbox/sandbox.ts'
import { describeProfile } from '../src/sandbox/seccomp/profile.ts'

const workspace = '/home/me/shop'
const state = '/home/me/.local/state/contextd/sandbox'

const system: SystemView = {
  links: [
    { path: '/bin', target: 'usr/bin' },
    { path: '/lib', target: 'usr/lib' },
    { path: '/lib64', target: 'usr/lib64' },
    { path: '/sbin', target: 'usr/sbin' },
  ],
  folders: ['/usr'],
  etc: ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime', '/etc/ssl/certs'],
  own: [
    { source: `${state}/hosts`, path: '/etc/hosts' },
    { source: `${state}/nsswitch.conf`, path: '/etc/nsswitch.conf' },
    { source: `${state}/passwd`, path: '/etc/passwd' },
    { source: `${state}/group`, path: '/etc/group' },
  ],
  bridge: [
    { source: `${state}/forward.cjs`, path: bridgePlaces.script },
    { source: '/usr/bin/node', path: bridgePlaces.node },
  ],
  refusal: [
    { source: `${state}/refuse.cjs`, path: bridgePlaces.refusal },
    { source: '/usr/bin/node', path: bridgePlaces.node },
  ],
  devices: [],
}

const asRoot: SystemView = {
  ...system,
  devices: ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => ({
    source: `${state}/dev/${name}`,
    path: `/dev/${name}`,
  })),
}

const confinement: Confinement = {
  folders: [{ path: workspace, access: 'write' }],
  hidden: [],
  guarded: ['.git/hooks', '.git/config', '.mcp.json'].map((path) => `${workspace}/${path}`),
  programs: [],
  limits: {
    timeMs: 30_000,
    cpuSeconds: 120,
    memoryBytes: 512 << 20,
    processes: 128,
    fileBytes: 256 << 20,
    outputBytes: 1 << 20,
    diskBytes: 2048 * (1 << 20),
    diskFiles: 65_536,
  },
}

const kinds: Readonly<Record<string, PathKind>> = {
  [`${workspace}/.git`]: 'folder',
  [`${workspace}/.git/hooks`]: 'folder',
  [`${workspace}/.git/config`]: 'file',
  [`${workspace}/.mcp.json`]: 'file',
}
const kindOf = (path: string): PathKind => kinds[path] ?? 'absent'

/** The generated part of docs/reference/sandbox.md. */
export function sandboxDocs(): string {
  const plain = bwrapOptions(confinement, { system, kindOf })
  const root = bwrapOptions(confinement, { system: asRoot, kindOf })
  const network = bwrapOptions(
    { ...confinement, network: '/run/user/1000/contextd/net/4711.sock' },
    { system, kindOf },
  )
  const caches = bwrapOptions(
    {
      ...confinement,
      caches: [
        { source: '/home/me/.cache/contextd/commands/npm-…/content/.npm__cacache', path: '.npm/_cacache' },
      ],
    },
    { system, kindOf },
  )
  const addedBy = (options: readonly string[]): string[] =>
    optionLines(options).filter((line) => !optionLines(plain).includes(line))
  return [
    '## The line',
    '',
    'For a workspace with a git repository and an `.mcp.json`, run by an ordinary user. bubblewrap reads the options from a descriptor, so that no other user of the machine sees them:',
    '',
    '```text',
    'bwrap --args 5 -- bash --norc -c <the gate>',
    '',
    ...optionLines(plain),
    '--seccomp 6',
    '```',
    '',
    'As root, these are added, because the device nodes of the machine would belong to root inside the sandbox:',
    '',
    '```text',
    ...addedBy(root),
    '```',
    '',
    'If hosts are granted, the socket of the contextd proxy, with Unix sockets allowed in the filter:',
    '',
    '```text',
    ...addedBy(network),
    '```',
    '',
    'If `shell:cache:npm` is granted, the cache of this agent in this project:',
    '',
    '```text',
    ...addedBy(caches),
    '```',
    '',
    '## The gate',
    '',
    'The first program inside. It sets the limits that the kernel enforces for each process, reports that it is ready, and waits on descriptor 4 for folder, environment and command. Without a cgroup it also sets `ulimit -d` to the memory limit, right before the command.',
    '',
    '```text',
    ...gateLines(confinement.limits),
    '```',
    '',
    '## The filter',
    '',
    'A seccomp program (classic BPF, for x64 and arm64), generated at start. Arguments are compared by their low 32 bits, as the kernel reads them. Calls that are not listed are allowed. A call of another architecture or ABI (32-bit, x32) ends the process.',
    '',
    '| call | answer | why |',
    '|---|---|---|',
    ...describeProfile().map(
      ({ names, answer, why }) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${answer} | ${why} |`,
    ),
    '',
  ].join('\n')
}

/** One option with its values per line. */
function optionLines(options: readonly string[]): string[] {
  const lines: string[] = []
  for (const word of options) {
    if (word.startsWith('--') && !/^--(?:size|perms)/.test(lines.at(-1)?.split(' ').at(-2) ?? ''))
      lines.push(word)
    else lines.push(`${lines.pop() ?? ''} ${word}`)
  }
  return lines
}
