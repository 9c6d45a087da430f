/** Additional folders: their skills, and agents whose servers depend on the trust of their folder. */

import { calls, mcpJson, runsSkill, touches, type Scene } from './scene.ts'
import { commandFiles, plain, skillFiles, wide } from './skill-files.ts'

type Files = Scene['files']

const [extra, other] = ['$ROOT/extra', '$ROOT/other']

/** Two skills with the same name differ in their tools, which shows which one runs. */
const inOrder = ['managed', 'home', 'project', 'extra', 'other']
const pairs = inOrder.flatMap((first, at) => inOrder.slice(at + 1).map((second) => [first, second] as const))
const twice: Files = Object.assign(
  { 'managed/managed-settings.json': {} },
  ...pairs.flatMap(([first, second]) => [
    skillFiles(`${first}/.claude`, { [`${first}-${second}`]: plain }),
    skillFiles(`${second}/.claude`, { [`${first}-${second}`]: wide }),
    commandFiles(`${first}/.claude`, { [`${first}-${second}-command`]: plain }),
    commandFiles(`${second}/.claude`, { [`${first}-${second}-command`]: wide }),
    skillFiles(`${second}/.claude`, { [`${first}-${second}-mixed`]: plain }),
    commandFiles(`${first}/.claude`, { [`${first}-${second}-mixed`]: wide }),
  ]),
) as Files

const lone: Files = {
  ...skillFiles('extra/.claude', { s: plain, w: wide }),
  ...commandFiles('extra/.claude', { c: plain, 'sub/d': wide }),
  ...skillFiles('extra', { beside: plain }),
  ...skillFiles('extra/below/.claude', { below: plain }),
}
const loneProbes = ['s', 'w', 'c', 'sub:d', 'beside', 'below'].map(runsSkill)
const added = (name: string, rest: Partial<Scene>): Scene => ({
  name: `skills of a folder added ${name}`,
  probes: loneProbes,
  undocumented: 'which skills of an added folder there are',
  ...rest,
  files: { ...lone, ...rest.files },
})
const settings = (folder: string): Files => ({
  'home/.claude/settings.json': { permissions: { additionalDirectories: [folder] } },
})

const skillScenes: readonly Scene[] = [
  {
    name: 'skills of one name in the project and added folders',
    files: twice,
    addDirs: [extra, other],
    probes: pairs
      .map(([first, second]) => `${first}-${second}`)
      .flatMap((name) => [name, `${name}-command`, `${name}-mixed`])
      .map(runsSkill),
    undocumented: 'which of two skills counts where one is in an added folder',
  },
  added('nowhere', {}),
  added('by a flag', { addDirs: [extra] }),
  added('by a flag, workspace not accepted', { addDirs: [extra], isUntrusted: true }),
  added('by the user', { files: settings(extra) }),
  {
    name: 'skill of an added folder that allows',
    files: {
      ...skillFiles('extra/.claude', { w: wide }),
      'home/.claude/settings.json': { permissions: { allow: ['Skill'] } },
    },
    addDirs: [extra],
    after: 'w',
    probes: [touches('a.new')],
  },
]

// The server of an agent runs if the agent's folder is trusted.

const own = [
  'mcpServers:',
  '  - own:',
  '      type: stdio',
  '      command: $NODE',
  '      args: ["$SERVER", "$ROOT/calls.txt", "act", "own"]',
].join('\n')
const agentIn = (folder: string): Files => ({
  [`${folder}/.claude/agents/lead.md`]: `---\nname: lead\ndescription: d\n${own}\n---\nbody`,
  'project/.mcp.json': mcpJson({ probe: ['act'] }),
})
const trusting = (...folders: string[]): Files => ({
  'home/.claude.json': {
    hasCompletedOnboarding: true,
    projects: Object.fromEntries(folders.map((folder) => [folder, { hasTrustDialogAccepted: true }])),
  },
})
const repository: Files = {
  'around/.git/HEAD': 'ref: refs/heads/main\n',
  'around/.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  'around/.git/objects/keep': '',
  'around/.git/refs/keep': '',
}
const within = (name: string, folder: string, files: Files, addDirs = [`$ROOT/${folder}`]): Scene => ({
  name: `agent with a server of its own in ${name}`,
  files: { ...agentIn(folder), ...files },
  links: { alias: 'extra' },
  addDirs,
  agent: 'lead',
  cliAllow: ['mcp__own', 'mcp__probe'],
  probes: [calls('mcp__own__act'), calls('mcp__probe__act')],
  undocumented: 'whose trust counts for what an agent brings',
})

const agentScenes: readonly Scene[] = [
  within('an added folder', 'extra', trusting('$PROJECT')),
  within('an added folder that is trusted', 'extra', trusting('$PROJECT', extra)),
  within('an added folder that is trusted, the project is not', 'extra', trusting(extra)),
  within('an added folder that is trusted, by a link', 'extra', trusting('$PROJECT', extra), ['$ROOT/alias']),
  within('an added folder of the project', 'project/below', trusting('$PROJECT')),
  within('an added folder below one that is trusted', 'around/extra', trusting('$PROJECT', '$ROOT/around')),
  within('an added folder of a repository that is trusted', 'around/extra', {
    ...trusting('$PROJECT', '$ROOT/around'),
    ...repository,
  }),
  within('a folder above that is not trusted', '.', trusting('$PROJECT'), []),
  within('a folder above that is trusted', '.', trusting('$ROOT'), []),
]

export const addedScenes: readonly Scene[] = [...skillScenes, ...agentScenes]
