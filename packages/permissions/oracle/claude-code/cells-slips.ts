/** Rules in the syntax of other tools, and their effect. */

import { fileAt } from './cells-modes.ts'
import { calls, edits, mcpJson, reads, runs, type Probe, type Scene } from './scene.ts'

/** With the calls that each was meant to match; the programs need not exist. */
const slips: Readonly<Record<string, readonly Probe[]>> = {
  'Bash(command:slip1 *)': [runs('slip1 a'), runs('command:slip1 a')],
  'Bash(command: slip2:*)': [runs('slip2 a')],
  'Bash(slip3:*), Bash(slip4:*)': [runs('slip3 a'), runs('slip4 a')],
  'Bash(slip5), Bash(slip6)': [runs('slip5'), runs('slip6')],
  'Bash(slip7|slip8)': [runs('slip7'), runs('slip8')],
  'Bash(slip9 a|slip9 b)': [runs('slip9 a'), runs('slip9 b')],
  'Bash(^slip10)': [runs('slip10'), runs('slip10 a')],
  'Bash(slip11.*)': [runs('slip11 a'), runs('slip11')],
  'Bash(slip12, slip13)': [runs('slip12'), runs('slip13')],
  'Bash(/slip14.*/)': [runs('slip14 a')],
  'Bash("slip15")': [runs('slip15')],
  'Bash(slip16)': [runs('slip16'), runs('slip16 a')],
  'Bash(slip17 a$)': [runs('slip17 a')],
  'Read(file_path:/$PROJECT/one.txt)': [reads('./one.txt')],
  'Read(file_path:./two.txt)': [reads('./two.txt')],
  'Read(file_path:three.txt)': [reads('./three.txt')],
  'Edit(file_path:**/four.txt)': [edits('./four.txt')],
  'Edit(path:./five.txt)': [edits('./five.txt')],
  'Read(./six.txt, ./seven.txt)': [reads('./six.txt'), reads('./seven.txt')],
  'Read(./eight.txt|./nine.txt)': [reads('./eight.txt'), reads('./nine.txt')],
}
const files = Object.fromEntries(
  ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map((name) => [
    `project/${name}.txt`,
    'before\n',
  ]),
)
const written = Object.keys(slips)
const probes = Object.values(slips).flat()
const undocumented = 'what becomes of such a spelling'

const servers = mcpJson({ probe: ['one'] })

export const slipScenes: readonly Scene[] = [
  {
    name: 'settings deny in the syntax of others',
    files: {
      ...files,
      [fileAt.user]: { permissions: { allow: ['Bash', 'Read', 'Edit'], deny: written } },
    },
    probes,
    undocumented,
  },
  {
    name: 'settings allow in the syntax of others',
    files: { ...files, [fileAt.user]: { permissions: { allow: written } } },
    probes: probes.filter(({ tool }) => tool === 'Bash' || tool === 'Edit'),
    undocumented,
  },
  {
    name: 'settings disable a server of the project by a name it does not have',
    files: {
      [fileAt.local]: { disabledMcpjsonServers: ['prob'], permissions: { allow: ['mcp__probe__one'] } },
      'project/.mcp.json': servers,
    },
    probes: [calls('mcp__probe__one')],
    undocumented,
  },
  {
    name: 'settings disable a server of the project by its name',
    files: {
      [fileAt.local]: { disabledMcpjsonServers: ['probe'], permissions: { allow: ['mcp__probe__one'] } },
      'project/.mcp.json': servers,
    },
    probes: [calls('mcp__probe__one')],
  },
]
