/** Skills and commands: which the client asks about, and the effect of rules, modes and settings. */

import type { JsonObject } from '@contextd/shared/json/value'
import { skillGrantScenes } from './cells-skill-grants.ts'
import { skillNameScenes } from './cells-skill-names.ts'
import { runsSkill, type Scene } from './scene.ts'
import { commandFiles, head, named, own, plain, skillFiles, wide } from './skill-files.ts'

type Files = Scene['files']

const settings = (value: JsonObject): Files => ({ 'home/.claude/settings.json': value })

// Skills that the client asks about.

const hook = 'hooks: [{ type: command, command: "true" }]'
const keys: Readonly<Record<string, string>> = {
  'allowed-tools': 'allowed-tools: Read',
  'allowed-tools nowhere': 'allowed-tools: Foo',
  'allowed-tools empty': 'allowed-tools:',
  'allowed-tools list': 'allowed-tools: []',
  'allowed-tools number': 'allowed-tools: 5',
  'allowed-tools map': 'allowed-tools: { Bash: true }',
  'allowed-tools comma': 'allowed-tools: ","',
  allowedTools: 'allowedTools: Bash',
  allowed_tools: 'allowed_tools: Bash',
  tools: 'tools: Bash',
  'disallowed-tools': 'disallowed-tools: Bash',
  disallowedTools: 'disallowedTools: Bash',
  disallowed_tools: 'disallowed_tools: Bash',
  hooks: `hooks: { PreToolUse: [{ matcher: Bash, ${hook} }] }`,
  'hooks after': `hooks: { PostToolUse: [{ ${hook} }] }`,
  'hooks empty': 'hooks: {}',
  'hooks list': 'hooks: []',
  'hooks unknown': `hooks: { Foo: [{ ${hook} }] }`,
  'hooks wrong': 'hooks: { PreToolUse: [{ hooks: [{ type: command }] }] }',
  'hooks partly wrong': `hooks: { PreToolUse: [{ hooks: [{ type: command }] }, { ${hook} }] }`,
  model: 'model: haiku\neffort: high',
  fork: 'context: fork',
  'fork as agent': 'context: fork\nagent: Explore',
  mode: 'permissionMode: bypassPermissions',
  others: 'version: 1\nlicense: x\nargument-hint: x\nwhen_to_use: x\nuser-invocable: false\nmcpServers: [a]',
  'people true': 'disable-model-invocation: true',
  'people yes': 'disable-model-invocation: yes',
  'people text': 'disable-model-invocation: "True"',
  'people one': 'disable-model-invocation: 1',
  'people y': 'disable-model-invocation: y',
  'people no': 'disable-model-invocation: no',
  'people misspelt': 'disableModelInvocation: true\ndisable_model_invocation: true',
  'people with tools': 'disable-model-invocation: true\nallowed-tools: Bash',
  'paths some': 'paths: "*.rs"',
  'paths all': 'paths: "**"',
  'paths all and some': 'paths: ["**", "*.rs"]',
  'paths none': 'paths: []',
}
const keyFiles = skillFiles(
  own,
  Object.fromEntries(Object.entries(keys).map(([name, lines]) => [name, head(...lines.split('\n'))])),
)
const clientsOwn = (
  'batch, claude-api, code-review, dataviz, debug, deep-research, doctor, insights, init, ' +
  'fewer-permission-prompts, keybindings-help, loop, plugin-authoring, review, run, simplify, ' +
  'run-skill-generator, security-review, team-onboarding, update-config, verify, ' +
  'workflow-authoring'
).split(', ')

const keyScenes: Scene[] = [
  {
    name: 'skills with all kinds of keys',
    undocumented: 'about which skills the client asks',
    files: keyFiles,
    probes: Object.keys(keys).map(runsSkill),
  },
  {
    name: 'commands with some of them',
    undocumented: 'about which skills the client asks',
    files: commandFiles(
      own,
      Object.fromEntries(
        ['tools', 'disallowed-tools', 'hooks', 'people true', 'paths some'].map((key) => [
          key,
          head(keys[key]!),
        ]),
      ),
    ),
    probes: ['tools', 'disallowed-tools', 'hooks', 'people true', 'paths some'].map(runsSkill),
  },
  {
    name: 'skills of the client',
    undocumented: 'which skills the client brings',
    files: {},
    probes: clientsOwn.map(runsSkill),
  },
  {
    name: 'skills of the client, switched off',
    undocumented: 'which skills the client brings',
    files: { ...settings({ disableBundledSkills: true }), ...skillFiles(own, { plain }) },
    probes: [...clientsOwn, 'plain'].map(runsSkill),
  },
]

// Rules, modes and settings for skills.

const some: Files = {
  ...skillFiles(own, {
    plain: named('simple'),
    wide: named('broad', 'allowed-tools: Bash'),
    'wide-two': wide,
    guard: head('disallowed-tools: Bash'),
    people: head('disable-model-invocation: true'),
  }),
  ...commandFiles(own, { 'sub/cmd': wide }),
  ...skillFiles('home/.claude', { user: wide }),
  'plugins/p/.claude-plugin/plugin.json': { name: 'plug' },
  ...skillFiles('plugins/p', { scan: named('look', 'allowed-tools: Bash'), calm: named('still') }),
}
const probes = (
  'plain, simple, /plain, wide, broad, wide-two, guard, people, sub:cmd, user, plug:scan, ' +
  'plug:look, look, plug:calm, plug:still, still, nowhere, update-config, simplify'
)
  .split(', ')
  .map(runsSkill)
const withSome = (name: string, rest: Partial<Scene> = {}): Scene => ({
  name,
  plugins: ['plugins/p'],
  probes,
  ...rest,
  files: { ...some, ...rest.files },
})

const sets: readonly (readonly string[])[] = [
  ['Skill'],
  [
    'Skill(plain)',
    'Skill(wide)',
    'Skill(sub:*)',
    'Skill(plug:scan)',
    'Skill(update-config)',
    'Skill(nowhere)',
  ],
  ['Skill(simple)', 'Skill(broad)', 'Skill(plug:*)', 'Skill(cmd)', 'Skill(gua*)', 'Skill(simpl *)'],
  ['Skill(/plain)', 'Skill(/wide)', 'Skill(look)', 'Skill(still)', 'Skill(us:*)', 'Skill(people)'],
  ['Skill(scan)', 'Skill(calm)', 'Skill(plug:look)', 'Skill(plug:still)', 'Skill(wide *)'],
]

const ruledScenes = sets.flatMap((set) =>
  (set.length === 1 ? (['allow', 'ask', 'deny'] as const) : (['allow', 'deny'] as const)).map((list) =>
    withSome(`${list} ${set.join(' ')}, skills that ask`, {
      files: settings({ permissions: { [list]: [...set] } }),
      ...(set.length > 1 && { undocumented: 'by which names rules mean a skill' }),
    }),
  ),
)

const overrides: JsonObject = {
  plain: 'off',
  wide: 'user-invocable-only',
  guard: 'name-only',
  'plug:calm': 'off',
  'wide-two': 'on',
  'sub:cmd': 'off',
  user: 'off',
  simplify: 'off',
  still: 'off',
}

const otherScenes: Scene[] = [
  withSome('skills without a rule'),
  withSome('skills in a workspace that is not accepted', { isUntrusted: true }),
  withSome('skills of a subagent', { agent: 'general-purpose' }),
  // The client gives up planning after this many denials.
  withSome('skills in mode plan', { mode: 'plan', probes: probes.slice(0, 8) }),
  withSome('skills in mode bypassPermissions', { mode: 'bypassPermissions' }),
  withSome('ask rules that name skills', {
    files: settings({
      permissions: { ask: ['Skill(plain)', 'Skill(wide)', 'Skill(plug:*)'], allow: ['Skill(wide)'] },
    }),
  }),
  withSome('skills where nobody is asked', { files: settings({ permissions: { defaultMode: 'dontAsk' } }) }),
  withSome('skillOverrides of the user', { files: settings({ skillOverrides: overrides }) }),
  withSome('skillOverrides of the project', {
    isUntrusted: true,
    files: {
      ...settings({ skillOverrides: { wide: 'off', 'wide-two': 'off' } }),
      'project/.claude/settings.json': { skillOverrides: { plain: 'off', wide: 'on' } },
    },
  }),
]

export const skillScenes: readonly Scene[] = [
  ...skillNameScenes,
  ...keyScenes,
  ...ruledScenes,
  ...otherScenes,
  ...skillGrantScenes,
]
