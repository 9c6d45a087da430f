/** Reads `.gitleaksignore`: one fingerprint of an accepted finding per line. */

export interface IgnoreProblem {
  readonly line: number
  readonly message: string
}

export interface IgnoredFinding {
  readonly rule: string
  readonly path: string
  readonly line: number
  readonly commit?: string
}

export interface IgnoredFindings {
  /** The fingerprint that matches this finding. One without a commit matches in all commits. */
  find(place: IgnoredFinding): string | undefined
}

export interface IgnoreFile {
  readonly ignored: IgnoredFindings
  readonly problems: readonly IgnoreProblem[]
}

export function readIgnoreFile(text: string): IgnoreFile {
  const fingerprints = new Set<string>()
  const problems: IgnoreProblem[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const entry = line.trim()
    if (entry === '' || entry.startsWith('#')) continue
    const place = readFingerprint(entry)
    if (place !== undefined) fingerprints.add(findingFingerprint(place))
    else problems.push({ line: index + 1, message: 'expected file:rule:line or commit:file:rule:line' })
  }
  return {
    problems,
    ignored: {
      find: ({ commit, ...place }) =>
        [place, ...(commit === undefined ? [] : [{ ...place, commit }])]
          .map(findingFingerprint)
          .find((fingerprint) => fingerprints.has(fingerprint)),
    },
  }
}

/** In the format of gitleaks. */
export function findingFingerprint({ commit, path, rule, line }: IgnoredFinding): string {
  const parts = [path.replaceAll('\\', '/'), rule, line]
  return (commit === undefined ? parts : [commit.toLowerCase(), ...parts]).join(':')
}

/** Parsed from the end, because paths may contain colons, such as after a drive letter. */
function readFingerprint(entry: string): IgnoredFinding | undefined {
  const [, before = '', rule = '', line = ''] = /^(.+):([^:]+):(\d+)$/.exec(entry) ?? []
  if (before === '') return undefined
  const [, commit, path = before] = /^([0-9a-f]{7,64}):(.+)$/i.exec(before) ?? []
  return { path, rule, line: Number(line), ...(commit !== undefined && { commit }) }
}
