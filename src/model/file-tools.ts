/** Clients' tools that change files, and which arguments contain the path and the text. Names are compared exactly. */

export type FileTool =
  /**
   * The argument `path` names the file. `replacement` names the arguments for the text to replace and its
   * replacement.
   */
  | {
      readonly kind: 'file'
      readonly path: string
      readonly replacement?: { readonly old: string; readonly new: string }
    }
  /** The text of a patch names the files: the whole input, or one of these arguments. */
  | { readonly kind: 'patch'; readonly arguments: readonly string[] }

/** Claude Code and Gemini CLI. */
const replaceSnake: FileTool = {
  kind: 'file',
  path: 'file_path',
  replacement: { old: 'old_string', new: 'new_string' },
}
/** OpenCode. */
const replaceCamel: FileTool = {
  kind: 'file',
  path: 'filePath',
  replacement: { old: 'oldString', new: 'newString' },
}
/** OpenCode (`patchText`) and Codex (free text, or `input`). */
const patch: FileTool = { kind: 'patch', arguments: ['patchText', 'input'] }

const tools = new Map<string, FileTool>([
  // Claude Code
  ['Edit', replaceSnake],
  ['MultiEdit', replaceSnake],
  ['Write', { kind: 'file', path: 'file_path' }],
  ['NotebookEdit', { kind: 'file', path: 'notebook_path' }],
  // OpenCode
  ['edit', replaceCamel],
  ['multiedit', replaceCamel],
  ['write', { kind: 'file', path: 'filePath' }],
  ['patch', patch],
  // OpenCode and Codex
  ['apply_patch', patch],
  // Gemini CLI
  ['write_file', { kind: 'file', path: 'file_path' }],
  ['replace', replaceSnake],
])

export function fileToolOf(name: string): FileTool | undefined {
  return tools.get(name)
}
