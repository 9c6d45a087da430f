/** Forms of rules: words, patterns, their order, and merging of several files. */

import {
  calls,
  greps,
  permit,
  projectFile,
  runs,
  server,
  touches,
  userFile,
  writes,
  type Scene,
} from './scene.ts'

const patterns: Scene = {
  name: 'patterns for commands',
  files: {
    [projectFile]: permit({
      bash: {
        '*': 'ask',
        'echo *': 'allow',
        'echo no*': 'deny',
        'touch a?': 'allow',
        'touch b*c': 'allow',
        'touch **/deep': 'deny',
        'touch exact': 'allow',
        'touch [cd]': 'allow',
        'touch {e,f}': 'allow',
        'touch dot.x': 'allow',
        'TOUCH g': 'allow',
        'touch h': 'deny',
        'touch h*': 'allow',
        'touch i*': 'allow',
        'touch i': 'deny',
        'printf *': 'allow',
        'true *': 'allow',
        'date*': 'allow',
        ' uname': 'allow',
      },
    }),
  },
  probes: [
    runs('echo'),
    runs('echo yes'),
    runs('echo nothing'),
    runs('echo  two'),
    runs('echo yes; echo more'),
    runs('echo yes && touch x1', 'x1'),
    runs('echo yes && echo nothing'),
    runs('touch x2 && echo nothing', 'x2'),
    runs('echo yes | true'),
    runs('echo $(touch x3)', 'x3'),
    runs('echo `echo nothing`'),
    runs('echo yes > x4', 'x4'),
    runs('echo yes 2>/dev/null'),
    runs('A=1 echo yes'),
    runs('A=1'),
    runs('(echo yes)'),
    runs('{ echo yes; }'),
    runs('if true; then echo nothing; fi'),
    runs('for i in 1; do echo yes; done'),
    runs('! echo nothing'),
    runs('echo "no; touch x5"'),
    runs("echo 'a' b"),
    runs('/bin/echo yes'),
    runs('\\echo yes'),
    runs('cd .'),
    runs('cd . && echo yes'),
    runs('cd . && touch x6', 'x6'),
    runs('true'),
    runs('printf x'),
    runs('date'),
    runs('dates'),
    runs('uname'),
    touches('a1'),
    touches('a12'),
    touches('bxc'),
    touches('./deep'),
    touches('deep'),
    touches('exact'),
    touches('c'),
    touches('e'),
    touches('dot.x'),
    touches('dotyx'),
    touches('g'),
    touches('h'),
    touches('i'),
    touches('i2'),
  ],
  undocumented: 'how commands are taken apart, and which characters a pattern has',
}

/** Each tool of the server has a separate pair. */
const order: Scene = {
  name: 'the order of rules in one file',
  files: {
    [projectFile]: {
      ...permit({
        probe_early: 'deny',
        'probe_s*': 'ask',
        'probe_*': 'allow',
        probe_late: 'deny',
        'probe_t?': 'deny',
        'probe_**x': 'ask',
        probe_pattern: { '*': 'deny' },
        probe_some: { 'a*': 'deny' },
        probe_stars: { '**': 'deny' },
        PROBE_upper: 'deny',
        grep: { '*': 'deny', 'fine*': 'allow' },
        glob: { 'a*': 'allow', '*': 'deny' },
      }),
      mcp: {
        probe: server(
          'early',
          'soft',
          'late',
          't1',
          't12',
          'dox',
          'pattern',
          'some',
          'stars',
          'upper',
          'free',
        ),
      },
    },
  },
  probes: [
    ...['early', 'soft', 'late', 't1', 't12', 'dox', 'pattern', 'some', 'stars', 'upper', 'free'].map(calls),
    greps('fine'),
    greps('other'),
    { asked: 'glob(a.txt)', tool: 'glob', input: { pattern: 'a.txt' } },
  ],
}

const shared = server('open', 'closed')
const mixed: readonly Scene[] = [
  {
    name: 'a word of the person, patterns of the project',
    files: {
      [userFile]: permit({ bash: 'deny', edit: { '*': 'deny' }, probe_open: 'deny', probe_closed: 'deny' }),
      [projectFile]: {
        ...permit({
          bash: { 'echo *': 'allow' },
          edit: { '*a.txt': 'allow' },
          '*': 'allow',
          probe_closed: 'deny',
        }),
        mcp: { probe: shared },
      },
    },
    probes: [
      runs('echo yes'),
      touches('x1'),
      writes('./a.txt'),
      writes('./b.txt'),
      calls('open'),
      calls('closed'),
    ],
    undocumented: 'how files are put over each other',
  },
  {
    name: 'the older key and the newer one',
    files: {
      [userFile]: { tools: { write: false, probe_open: false, grep: false, probe_closed: true } },
      [projectFile]: {
        ...permit({ probe_open: 'allow', probe_closed: 'deny' }),
        tools: { bash: false },
        mcp: { probe: shared },
      },
    },
    probes: [
      runs('echo yes'),
      writes('./a.txt'),
      {
        asked: 'edit(./a.txt)',
        tool: 'edit',
        input: { filePath: '$PROJECT/a.txt', oldString: '', newString: 'x' },
      },
      greps('yes'),
      calls('open'),
      calls('closed'),
    ],
  },
  {
    name: 'OPENCODE_PERMISSION as it is not meant',
    files: {
      [projectFile]: { ...permit({ probe_open: 'deny', grep: 'deny' }), mcp: { probe: shared } },
    },
    env: {
      OPENCODE_PERMISSION:
        '{"bash": {"echo *": "forbid", "touch *": "deny"}, "probe_open": "no", "grep": "Deny"}',
    },
    probes: [runs('echo yes'), touches('x1'), runs('true'), calls('open'), calls('closed'), greps('yes')],
    undocumented: 'the variable',
  },
  {
    name: 'OPENCODE_PERMISSION with one word',
    files: { [projectFile]: { ...permit({ probe_closed: 'deny' }), mcp: { probe: shared } } },
    env: { OPENCODE_PERMISSION: '"deny"' },
    probes: [runs('echo yes'), touches('x1'), calls('open'), calls('closed')],
    undocumented: 'the variable',
  },
  {
    name: 'OPENCODE_PERMISSION that is no JSON',
    files: { [projectFile]: { ...permit({ probe_closed: 'deny' }), mcp: { probe: shared } } },
    env: { OPENCODE_PERMISSION: '{"bash": "deny"' },
    probes: [runs('echo yes'), calls('open'), calls('closed')],
    undocumented: 'the variable',
  },
  {
    name: 'OPENCODE_DISABLE_PROJECT_CONFIG',
    files: {
      [userFile]: { ...permit({ probe_closed: 'deny' }), mcp: { probe: shared } },
      [projectFile]: permit({ bash: 'deny', probe_closed: 'allow' }),
      'project/.opencode/opencode.json': permit({ grep: 'deny' }),
    },
    env: { OPENCODE_DISABLE_PROJECT_CONFIG: '1' },
    probes: [runs('echo yes'), greps('yes'), calls('open'), calls('closed')],
  },
]

export const formScenes: readonly Scene[] = [patterns, order, ...mixed]
