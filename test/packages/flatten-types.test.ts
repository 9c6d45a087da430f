import { expect, it, test } from 'vitest'

import { declarationText, flattenTypes } from '../../scripts/packages/flatten-types.ts'

function flatten(files: Record<string, string>): string {
  return declarationText(
    flattenTypes('index.d.ts', {
      read: (file) => files[file]!,
      resolve: (specifier) =>
        specifier.startsWith('./') ? specifier.slice(2).replace(/\.ts$/, '.d.ts') : undefined,
    }),
  )
}

it('joins what the entry point exports with what that refers to, and nothing else', () => {
  const text = flatten({
    'index.d.ts': `/** The file. */
import type { Inner } from './inner.ts';
export { make as create, type Made } from './made.ts';
/** Uses Unused in a comment, and 'Unused' in a string. */
export interface Outer {
    readonly inner: Inner;
    readonly Unused: 'Unused';
}
`,
    'made.d.ts': `export type Made = ReturnType<typeof make>;
/**
 * Makes one.
 *
 * @example
 * import { create } from 'x'
 */
export declare function make(count: number): Outcome;
export declare function make(name: string): Outcome;
declare class Outcome {
    private readonly value;
}
export interface Unused {
}
export {};
`,
    'inner.d.ts': `import { type Stats } from 'node:fs';
export type Inner = {
    readonly stats: Stats;
} | undefined;
`,
  })
  expect(text).toBe(`/// <reference types="node" />

import type { Stats } from 'node:fs';

/**
 * Makes one.
 *
 * @example
 * import { create } from 'x'
 */
export declare function create(count: number): Outcome;

export declare function create(name: string): Outcome;

export type Made = ReturnType<typeof create>;

/** Uses Unused in a comment, and 'Unused' in a string. */
export interface Outer {
    readonly inner: Inner;
    readonly Unused: 'Unused';
}

type Inner = {
    readonly stats: Stats;
} | undefined;

declare class Outcome {
    private readonly value;
}

export {};
`)
})

test.each([
  [
    'two declarations of one name',
    {
      'index.d.ts': `import type { A } from './a.ts';
import type { B } from './b.ts';
export type C = A | B;
`,
      'a.d.ts': 'interface Same {\n}\nexport type A = Same;\n',
      'b.d.ts': 'interface Same {\n}\nexport type B = Same;\n',
    },
    'Same is both a.d.ts Same and b.d.ts Same',
  ],
  [
    'a name that a file does not export',
    { 'index.d.ts': "export { a } from './a.ts';\n", 'a.d.ts': 'export {};\n' },
    'index.d.ts: ./a.ts does not export a',
  ],
  [
    'an export of everything',
    { 'index.d.ts': "export * from './a.ts';\n" },
    'index.d.ts: cannot read export *',
  ],
  [
    'a relative import inside a type',
    { 'index.d.ts': "export declare const a: import('./a.ts').A;\n" },
    "index.d.ts: cannot read import('./a.ts')",
  ],
])('%s is an error', (_, files, message) => {
  expect(() => flatten(files)).toThrow(message)
})
