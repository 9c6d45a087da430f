/**
 * Git settings that neither run a program nor name a file that does. A repository created by an agent may contain only
 * these: an allowlist stays right when git learns a new way to run programs, a denylist does not.
 */

import { resolve } from 'node:path'

import { isWithin } from '@contextd/shared/files/within'

/** One setting as git prints it: section and name in lower case, the subsection as written. */
export interface GitSetting {
  readonly key: string
  readonly value: string
}

/** The position of the setting, for evaluating paths in it. */
export interface SettingContext {
  readonly gitDir: string
  /** Folders that may contain the work tree. */
  readonly roots: readonly string[]
  /** Resolves all links, as far as the path exists. */
  readonly realPathOf: (path: string) => string
}

const words = (text: string): string[] => text.trim().split(/\s+/)

/** By section: names whose value does not matter. `*` is any subsection. */
const harmless: ReadonlySet<string> = new Set(
  [
    `core. repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks hidedotfiles
     autocrlf eol safecrlf whitespace quotepath abbrev compression loosecompression bigfilethreshold untrackedcache
     splitindex preloadindex sparsecheckout sparsecheckoutcone protecthfs protectntfs checkstat trustctime commentchar
     fsync fsyncmethod deltabasecachelimit packedgitlimit packedgitwindowsize multipackindex commitgraph
     sharedrepository warnambiguousrefs notesref usereplacerefs maxtreedepth`,
    `user. name email useconfigonly`,
    `author. name email`,
    `committer. name email`,
    `init. defaultbranch defaultobjectformat`,
    `extensions. objectformat refstorage worktreeconfig partialclone preciousobjects noop noop-v1 compatobjectformat
     relativeworktrees submodulepathconfig`,
    `remote.*. fetch push mirror tagopt prune prunetags promisor partialclonefilter skipdefaultupdate skipfetchall
     followremotehead serveroption`,
    `branch.*. merge rebase description vscode-merge-base gk-merge-base github-pr-owner-number`,
    `branch. autosetupmerge autosetuprebase sort`,
    `submodule.*. active branch path ignore fetchrecursesubmodules shallow`,
    `submodule. active recurse fetchjobs alternatelocation alternateerrorstrategy propagatebranches`,
    `pull. rebase ff octopus`,
    `push. default autosetupremote followtags recursesubmodules useforceifincludes`,
    `fetch. prune prunetags parallel recursesubmodules writecommitgraph fsckobjects`,
    `merge. ff conflictstyle renames renamelimit log stat autostash directoryrenames`,
    `rebase. autosquash autostash updaterefs stat missingcommitscheck`,
    `commit. cleanup status verbose`,
    `diff. algorithm renames renamelimit colormoved colormovedws context mnemonicprefix noprefix submodule
     interhunkcontext wserrorhighlight ignoresubmodules indentheuristic statgraphwidth`,
    `log. date decorate abbrevcommit follow showroot mailmap`,
    `status. short branch showuntrackedfiles submodulesummary renames aheadbehind relativepaths showstash`,
    `gc. auto autopacklimit autodetach pruneexpire worktreepruneexpire reflogexpire reflogexpireunreachable packrefs
     bigpackthreshold writecommitgraph`,
    `pack. threads windowmemory deltacachesize packsizelimit window depth usebitmaps writebitmaps`,
    `index. version threads sparse skiphash recordendofindexentries recordoffsettable`,
    `feature. manyfiles experimental`,
    `maintenance. auto strategy`,
    `receive. denycurrentbranch denynonfastforwards denydeletes denydeletecurrent advertisepushoptions fsckobjects
     unpacklimit`,
    `uploadpack. allowfilter allowanysha1inwant allowtipsha1inwant allowreachablesha1inwant hiderefs`,
    `transfer. fsckobjects hiderefs unpacklimit`,
    `rerere. enabled autoupdate`,
    `checkout. defaultremote guess workers`,
    `worktree. guessremote userelativepaths`,
    `stash. showpatch showstat showincludeuntracked`,
    `tag. sort`,
    `i18n. commitencoding logoutputencoding`,
    `lfs. repositoryformatversion`,
    `remote. pushdefault`,
    `http. postbuffer`,
  ].flatMap((line) => {
    const [section = '', ...names] = words(line)
    return names.map((name) => section + name)
  }),
)

const harmlessSections: ReadonlySet<string> = new Set(['color', 'column', 'advice', 'versionsort'])

const isNo = (value: string): boolean => /^(?:false|no|off|0|)$/i.test(value)
/** Any other scheme, and `name::address`, starts the program `git-remote-name`. */
const isPlainAddress = (value: string): boolean => {
  const [, scheme, helper] = /^([\w+.-]+):(?:\/\/|(:))/.exec(value) ?? []
  if (helper !== undefined || value.startsWith('-')) return false
  return scheme === undefined || ['https', 'http', 'ssh', 'git', 'file'].includes(scheme)
}

/** Names whose value decides. */
const byValue: Readonly<Record<string, (value: string, place: SettingContext) => boolean>> = {
  'core.fsmonitor': isNo,
  'core.worktree': (value, { gitDir, roots, realPathOf }) => {
    const target = realPathOf(resolve(gitDir, value))
    return roots.some((root) => isWithin(root, target))
  },
  'commit.gpgsign': isNo,
  'tag.gpgsign': isNo,
  'remote.*.url': isPlainAddress,
  'remote.*.pushurl': isPlainAddress,
  'branch.*.remote': isPlainAddress,
  'branch.*.pushremote': isPlainAddress,
  'submodule.*.url': isPlainAddress,
  'submodule.*.update': (value) => /^(?:checkout|rebase|merge|none)$/.test(value),
}

export function isHarmless({ key, value }: GitSetting, place: SettingContext): boolean {
  const [section = ''] = key.split('.', 1)
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  const shape = first === last ? key : `${section}.*${key.slice(last)}`
  if (Object.hasOwn(byValue, shape)) return byValue[shape]!(value, place)
  return harmless.has(shape) || harmlessSections.has(section)
}
