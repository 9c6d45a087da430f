import type { PortableMemory } from '../../src/memory/bank/jsonl.ts'

/** One of many different memories of various sizes. */
export function numberedMemory(n: number): PortableMemory {
  return {
    memory: {
      id: `mem_${n}`,
      title: `Lesson number${n}`,
      description: 'When there are many.',
      content: `What was learned the ${n}th time. ${'And more. '.repeat((n * 7) % 300)}`.trim(),
      outcome: n % 3 === 0 ? 'failure' : 'success',
      task: '',
      tags: [],
      scope: 'project',
      project: '/p',
      agent: 'main',
      session: 's',
      sources: [],
      evidence: { helped: 4, misled: 1 },
      confidence: 0.8,
      created: n,
      changed: n,
    },
  }
}
