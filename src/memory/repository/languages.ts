/** What a file is by its name, and what nobody looks for anything in. Pure. */

const byExtension: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'cpp',
  h: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  cs: 'c-sharp',
  rb: 'ruby',
  php: 'php',
  sh: 'bash',
  bash: 'bash',
  css: 'css',
  ps1: 'powershell',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
}

/** `text` for what is no language that chunks are cut by. */
export function languageOf(path: string): string {
  return byExtension[extensionOf(path)] ?? 'text'
}

const lockFiles = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'composer.lock',
  'cargo.lock',
  'gemfile.lock',
  'poetry.lock',
  'pipfile.lock',
  'uv.lock',
  'go.sum',
  'flake.lock',
])

const uselessExtensions = new Set(
  (
    'png jpg jpeg gif webp avif bmp ico tiff psd svg pdf zip gz tgz bz2 xz zst 7z rar tar jar war class o a so dll exe ' +
    'dylib wasm pyc pyo whl woff woff2 ttf otf eot mp3 mp4 mov avi mkv webm ogg flac wav db sqlite sqlite3 bin dat ' +
    'iso dmg onnx npy npz parquet map snap p12 pfx jks keystore kdbx'
  ).split(' '),
)

/** By its name alone: pictures, archives, what programs write for programs. */
export function isUseless(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return (
    lockFiles.has(name) || uselessExtensions.has(extensionOf(name)) || /[.-]min\.(?:js|css|mjs)$/.test(name)
  )
}

const maxAverageLineLength = 400
const maxLineLength = 20_000
const generatedMark =
  /@generated\b|\bcode generated\b.{0,200}\bdo not edit\b|\bauto-?generated\b.{0,80}\bdo not (?:edit|modify)\b/i

/** Minified, or made by a program, which says so in the first lines. */
export function isGenerated(text: string, lines: readonly string[]): boolean {
  if (text.length > 4 * maxAverageLineLength && text.length / lines.length > maxAverageLineLength) return true
  if (lines.some((line) => line.length > maxLineLength)) return true
  return generatedMark.test(lines.slice(0, 5).join(' ').slice(0, 1000))
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}
