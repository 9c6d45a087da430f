/** Hooks of skills: whose calls they apply to, and where they never run. */

import type { JsonObject } from '@contextd/shared/json/value'
import { refusingGroups, refusingHook, runsSkill, touches, writes, type Scene } from './scene.ts'
import { commandFiles, head, own, plain, skillFiles } from './skill-files.ts'

type Files = Scene['files']

const guard = head(refusingHook)
const forked = head('context: fork', refusingHook)
const userSettings = 'home/.claude/settings.json'
const allowing = (more: JsonObject = {}): Files => ({
  [userSettings]: { permissions: { allow: ['Skill', 'Bash'] }, ...more },
})

const everywhere: Files = {
  ...allowing(),
  ...skillFiles(own, { s: guard, f: forked, unread: head('context: Fork', refusingHook), plain }),
  ...commandFiles(own, { c: guard }),
  ...skillFiles('home/.claude', { u: guard, twice: plain }),
  ...skillFiles(own, { twice: guard }),
  ...skillFiles('managed/.claude', { m: guard }),
  'managed/managed-settings.json': {},
  'plugins/plug/.claude-plugin/plugin.json': { name: 'plug' },
  ...skillFiles('plugins/plug', { s: guard, f: forked }),
  ...commandFiles('plugins/plug', { c: guard, 'k/SKILL': guard }),
  [`${own}/agents/lead.md`]: '---\nname: lead\ndescription: d\nskills: s\n---\nbody',
}
const after = (skill: string | undefined, rest: Partial<Scene> = {}): Scene => ({
  name: `hooks of skills, ${skill === undefined ? 'none has run' : `${skill} has run`}`,
  files: everywhere,
  plugins: ['plugins/plug'],
  hooksRefuse: true,
  ...(skill !== undefined && { after: skill }),
  probes: [touches('a.new'), writes('./b.new')],
  undocumented: 'which hooks of skills run, and about whom',
  ...rest,
})

const switchedOff = (name: string, skill: string, files: Files): Scene =>
  after(skill, { name: `hooks of skills, ${name}`, files: { ...everywhere, ...files } })

/** Skills and commands that also allow tools, which works or not depending on their hooks. */
const some = '[{ hooks: [{ type: command, command: "true" }] }]'
const none = '[{ hooks: [{ type: command }] }]'
const besideTools: Readonly<Record<string, string>> = {
  guard: `{ PreToolUse: ${some} }`,
  question: `{ PermissionRequest: ${some} }`,
  stop: `{ Stop: ${some} }`,
  empty: '{}',
  list: '[]',
  text: 'x',
  nothing: '',
  unknown: `{ Foo: ${some} }`,
  wrong: `{ PreToolUse: ${none} }`,
  'wrong-stop': `{ Stop: ${none} }`,
  'no-groups': '{ PreToolUse: [] }',
  'no-hooks': '{ PreToolUse: [{ hooks: [] }] }',
}
const allowingBash = (hooks: string): string => head('allowed-tools: Bash', `hooks: ${hooks}`)
const texts = Object.fromEntries(
  Object.entries(besideTools).map(([name, hooks]) => [name, allowingBash(hooks)]),
)
const beside: Files = {
  ...skillFiles(own, texts),
  ...skillFiles(own, {
    'stop-alone': head(`hooks: { Stop: ${some} }`),
    'wrong-alone': head(`hooks: { Stop: ${none} }`),
    'wrong-beside': head(`hooks: { Stop: ${none}, PreToolUse: ${refusingGroups} }`),
    'wrong-guard-beside': head(`hooks: { PermissionRequest: ${none}, PreToolUse: ${refusingGroups} }`),
  }),
  'plugins/plug/.claude-plugin/plugin.json': { name: 'plug' },
  ...commandFiles('plugins/plug', texts),
  ...skillFiles('plugins/plug', { skill: texts.wrong! }),
  [userSettings]: { permissions: { allow: ['Skill'] } },
}
const alone = ['plug:skill', 'stop-alone', 'wrong-alone', 'wrong-beside', 'wrong-guard-beside']
const grantScenes: readonly Scene[] = [
  {
    name: 'hooks beside tools that a skill allows, asked about before they run',
    files: { ...beside, [userSettings]: {} },
    plugins: ['plugins/plug'],
    probes: [...Object.keys(texts), ...Object.keys(texts).map((name) => `plug:${name}`), ...alone].map(
      runsSkill,
    ),
    undocumented: 'that skills whose guards cannot run allow nothing',
  },
  ...['stop', 'wrong', 'list', 'plug:guard', 'plug:stop', 'plug:list', 'plug:skill'].map((name) => ({
    name: `hooks beside tools that a skill allows, ${name} has run`,
    files: beside,
    plugins: ['plugins/plug'],
    after: name,
    probes: [touches('a.new')],
    undocumented: 'that skills whose guards cannot run allow nothing',
  })),
  ...['wrong-beside', 'wrong-guard-beside'].map((name) => ({
    name: `hooks of skills, some with a fault, ${name} has run`,
    files: { ...beside, ...allowing() },
    plugins: ['plugins/plug'],
    after: name,
    hooksRefuse: true as const,
    probes: [touches('a.new')],
    undocumented: 'which hooks of skills run, and about whom',
  })),
]

export const skillHookScenes: readonly Scene[] = [
  {
    name: 'hooks of skills, asked about before they run',
    files: { ...everywhere, [userSettings]: {} },
    plugins: ['plugins/plug'],
    probes: ['s', 'f', 'c', 'plug:s', 'plug:f', 'plug:c', 'plug:k'].map(runsSkill),
    undocumented: 'about which skills the client asks',
  },
  ...[
    undefined,
    's',
    'f',
    'unread',
    'plain',
    'c',
    'u',
    'twice',
    'm',
    'plug:s',
    'plug:f',
    'plug:c',
    'plug:k',
  ].map((skill) => after(skill)),
  after('s', {
    name: 'hooks of skills, run by a subagent',
    files: { ...everywhere },
    agent: 'general-purpose',
  }),
  after(undefined, {
    name: 'hooks of skills, in an agent that is given one',
    files: { ...everywhere },
    agent: 'lead',
  }),
  after(undefined, { name: 'hooks of skills, in a conversation that is given one', runAs: 'lead' }),
  after('s', { name: 'hooks of skills, workspace not accepted', isUntrusted: true }),
  switchedOff('switched off by the user', 's', allowing({ disableAllHooks: true })),
  switchedOff('of the administrator, switched off by the user', 'm', allowing({ disableAllHooks: true })),
  switchedOff("of the administrator, only the administrator's count", 'm', {
    'managed/managed-settings.json': { allowManagedHooksOnly: true },
  }),
  ...grantScenes,
]
