/** Permission modes: what they allow, where they can be set, and the effect of an untrusted workspace. */

import { levels, modes, type Level, type Mode } from '../../src/claude-code/setup/setup.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import {
  calls,
  edits,
  mcpJson,
  reads,
  runs,
  touches,
  unpromised,
  writes,
  type Probe,
  type Scene,
} from './scene.ts'

const files: Scene['files'] = {
  'project/a.txt': 'before',
  'outside/o.txt': 'before',
  'project/.mcp.json': mcpJson({ probe: ['echo'] }),
}

export const fileAt: Readonly<Record<Exclude<Level, 'cli'>, string>> = {
  managed: 'managed/managed-settings.json',
  local: 'project/.claude/settings.local.json',
  project: 'project/.claude/settings.json',
  user: 'home/.claude/settings.json',
}
const places = levels.filter((level) => level !== 'cli')

const few: readonly Probe[] = [
  reads('/$ROOT/outside/o.txt'),
  writes('./new.txt'),
  writes('/$ROOT/outside/new.txt'),
  touches('touched'),
  runs('node --version'),
  calls('mcp__probe__echo'),
]

/** Files that change the permissions of the client, or the behaviour of a shell. */
export const guarded = [
  '.claude/agents/x.md',
  '.claude/notes.md',
  '.git/x',
  '.vscode/x.json',
  '.bashrc',
  'sub/.mcp.json',
]
const isPromised = (path: string): boolean => path.startsWith('.claude/') || path.startsWith('.git/')

const many: readonly Probe[] = [
  ...few,
  reads('./a.txt'),
  reads('//etc/hosts'),
  edits('./a.txt'),
  ...[
    'mkdir d1',
    'mv none moved',
    'cp a.txt copy',
    'rm -f none',
    'rmdir d1',
    'sed -i s/x/y/ a.txt',
    'echo hi > e1',
    'touch $ROOT/outside/touched',
    'npm test',
  ].map((command) => unpromised(runs(command), 'which commands a mode lets through')),
  ...guarded.map((path) =>
    unpromised(writes(`./${path}`), isPromised(path) ? undefined : 'which files are guarded'),
  ),
]

const inEachMode: Scene[] = modes.flatMap((mode) => [
  // The client ends a session in plan mode after too many denials.
  { name: `mode ${mode}`, mode, files, probes: mode === 'plan' ? many.slice(0, 12) : many },
  {
    name: `mode ${mode}, with rules of all kinds`,
    mode,
    files: {
      ...files,
      [fileAt.user]: {
        permissions: {
          allow: ['Edit(//**)', 'Bash(touch:*)', 'mcp__probe'],
          ask: ['Edit(new.txt)', 'Bash(npm:*)'],
          deny: ['Bash(node:*)', 'Read(/$ROOT/outside/**)'],
        },
      },
    },
    probes: many.filter(({ asked }) => !guarded.some((path) => asked.includes(path))),
  },
])

const settings = (permissions: JsonObject): JsonObject => ({ permissions })

const setBySomebody: Scene[] = places.flatMap((level) =>
  modes
    .filter((mode) => mode !== 'default')
    .flatMap((mode) =>
      (level === 'project' || level === 'local' ? [false, true] : [false]).map((isUntrusted) => ({
        name: `defaultMode ${mode} at ${level}${isUntrusted ? ', untrusted' : ''}`,
        files: { ...files, [fileAt[level]]: settings({ defaultMode: mode }) },
        probes: few,
        isUntrusted,
        undocumented: 'whose defaultMode counts',
      })),
    ),
)

const setTwice: Scene[] = (
  [
    ['user', 'acceptEdits', 'project', 'default'],
    ['user', 'plan', 'local', 'acceptEdits'],
    ['project', 'plan', 'local', 'acceptEdits'],
    ['user', 'acceptEdits', 'managed', 'default'],
  ] as const
).map(([one, weaker, other, stronger]) => ({
  name: `defaultMode ${weaker} at ${one}, ${stronger} at ${other}`,
  files: {
    ...files,
    [fileAt[one]]: settings({ defaultMode: weaker }),
    [fileAt[other]]: settings({ defaultMode: stronger }),
  },
  probes: few,
}))

const noBypass = { disableBypassPermissionsMode: 'disable' }
const flagAgainstSettings: Scene[] = [
  {
    name: 'mode default, defaultMode acceptEdits',
    mode: 'default' as Mode,
    level: 'user',
    set: { defaultMode: 'acceptEdits' },
  },
  {
    name: 'mode acceptEdits, defaultMode plan',
    mode: 'acceptEdits' as Mode,
    level: 'managed',
    set: { defaultMode: 'plan' },
  },
  ...places.map((level) => ({
    name: `mode bypassPermissions, switched off at ${level}`,
    mode: 'bypassPermissions' as Mode,
    level,
    set: noBypass,
  })),
].map(({ name, mode, level, set }) => ({
  name,
  mode,
  files: { ...files, [fileAt[level as keyof typeof fileAt]]: settings(set) },
  probes: few,
}))

/** Additional folders, one per level. */
const folders: Scene[] = [false, true].map((isUntrusted) => ({
  name: `additionalDirectories at each level${isUntrusted ? ', untrusted' : ''}`,
  files: {
    ...files,
    ...Object.fromEntries(
      places.flatMap((level) => [
        [fileAt[level], settings({ additionalDirectories: [`$ROOT/by-${level}`] })],
        [`by-${level}/x.txt`, 'x'],
      ]),
    ),
  },
  probes: places.flatMap((level) => [
    reads(`/$ROOT/by-${level}/x.txt`),
    writes(`/$ROOT/by-${level}/new.txt`),
    runs(`cat $ROOT/by-${level}/x.txt`),
  ]),
  isUntrusted,
}))

const managedOnly: Scene[] = [true, false].map((isManaged) => ({
  name: `allowManagedPermissionRulesOnly ${isManaged ? 'by the administrator' : 'by the user, where it means nothing'}`,
  files: {
    ...files,
    ...Object.fromEntries(
      places.map((level) => [
        fileAt[level],
        {
          permissions: {
            allow: [`Bash(touch allowed-${level})`],
            ask: [`Bash(ls asked-${level})`],
            deny: [`Bash(ls denied-${level})`],
          },
          ...(level === (isManaged ? 'managed' : 'user') && { allowManagedPermissionRulesOnly: true }),
        },
      ]),
    ),
  },
  cliAllow: ['Bash(touch allowed-cli)'],
  cliDeny: ['Bash(ls denied-cli)'],
  probes: levels.flatMap((level) => [
    touches(`allowed-${level}`),
    runs(`ls asked-${level}`),
    runs(`ls denied-${level}`),
  ]),
}))

const dropIns: Scene = {
  name: 'the administrator has several files',
  files: {
    ...files,
    [fileAt.managed]: settings({ allow: ['Bash(touch by-main)'] }),
    'managed/managed-settings.d/10-first.json': settings({
      allow: ['Bash(touch by-first)'],
      deny: ['mcp__probe__echo'],
    }),
    'managed/managed-settings.d/20-second.json': settings({ allow: ['Bash(touch by-second)'] }),
    'managed/managed-settings.d/.hidden.json': settings({ allow: ['Bash(touch by-hidden)'] }),
    'managed/managed-settings.d/note.txt': settings({ allow: ['Bash(touch by-note)'] }),
  },
  probes: [
    ...['main', 'first', 'second', 'hidden', 'note'].map((name) => touches(`by-${name}`)),
    calls('mcp__probe__echo'),
  ],
}

export const modeScenes: readonly Scene[] = [
  ...inEachMode,
  ...setBySomebody,
  ...setTwice,
  ...flagAgainstSettings,
]
export const settingScenes: readonly Scene[] = [...folders, ...managedOnly, dropIns]
