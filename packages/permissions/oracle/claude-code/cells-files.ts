/** Invalid settings: which of them apply, and which parts. */

import { fileAt } from './cells-modes.ts'
import { calls, mcpJson, touches, type Scene } from './scene.ts'

const good =
  '{"permissions":{"allow":["Bash(touch allowed)","mcp__probe__one"],"deny":["Bash(touch denied)","mcp__probe__two"]}}'
const denying = (more: string): string => good.replace('"deny":[', `"deny":[${more},`)

const texts: Readonly<Record<string, string>> = {
  'as it should be': good,
  'with a byte order mark': `\uFEFF${good}`,
  'with the line ends of Windows': JSON.stringify(JSON.parse(good), null, 2).replaceAll('\n', '\r\n'),
  'with a line comment': `// why\n${good}`,
  'with a block comment': `/* why */ ${good}`,
  'with a comma too many': good.replace(/\}$/, ',}'),
  'cut off': good.slice(0, -1),
  empty: '',
  'that is a list': '[]',
  'with permissions twice': `{"permissions":{"deny":["mcp__probe__one"]},${good.slice(1)}`,
  'with a list twice': good.replace('"deny"', '"allow":["Bash(touch denied)"],"deny"'),
  'with a number among the rules': denying('5'),
  'with nothing among the rules': denying('null'),
  'with an empty rule': denying('""'),
  'with a rule that never ends': denying('"Bash(touch allowed"'),
  'with a rule in parentheses about a server': denying('"mcp__probe(*)"'),
  'with an unknown key': good.replace('{', '{"unknown":1,'),
  'with an unknown key in permissions': good.replace('"allow"', '"unknown":1,"allow"'),
  'with an unknown mode': good.replace('"allow"', '"defaultMode":"yolo","allow"'),
  'with a text for a list': good.replace('"allow"', '"ask":"Bash","allow"'),
  'with a list a thousand levels deep': good.replace(
    '{',
    `{"unknown":${'['.repeat(1000)}${']'.repeat(1000)},`,
  ),
  'with a mistake a thousand levels deep': good.replace(
    '{',
    `{"unknown":${'['.repeat(1000)}}${']'.repeat(1000)},`,
  ),
  'with a key of the wrong kind': good.replace('{', '{"model":5,'),
  'with old keys': '{"allowedTools":["Bash(touch allowed)"],"disallowedTools":["mcp__probe__two"]}',
  'with older keys': '{"allowed_tools":["Bash(touch allowed)"],"disallowed_tools":["mcp__probe__two"]}',
  'with the lists at the top': '{"allow":["Bash(touch allowed)"],"deny":["mcp__probe__two"]}',
}

/** Another file allows what this one denies, which shows whether this one applies. */
export const fileScenes: readonly Scene[] = Object.entries(texts).map(([name, text]) => ({
  name: `settings ${name}`,
  files: {
    [fileAt.user]: text,
    [fileAt.local]: { permissions: { allow: ['Bash(touch denied)', 'mcp__probe__two'] } },
    'project/.mcp.json': mcpJson({ probe: ['one', 'two'] }),
  },
  probes: [touches('allowed'), touches('denied'), calls('mcp__probe__one'), calls('mcp__probe__two')],
  undocumented: name === 'as it should be' ? undefined : 'what becomes of such a file',
}))
