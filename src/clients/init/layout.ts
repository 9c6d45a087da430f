/** Where `ctxd init` puts the files of a project. */

/** What hooks that are committed do on a machine on which contextd was never used. */
export type Sharing =
  /** The session works as without contextd, and says how to install it. */
  | 'optional'
  /** Every tool is refused, and the refusal says how to install it. */
  | 'required'

export type Layout =
  /** In files of the user alone. */
  | { readonly kind: 'personal' }
  /** In files that are committed, and in files of the user alone. */
  | { readonly kind: 'shared'; readonly sharing: Sharing }
  /** The committed files are there: only what is for the user alone. */
  | { readonly kind: 'joined' }

/** Who gets a file; `user` is outside the project. */
export type FileAudience = 'committed' | 'personal' | 'user'

/** What a session says where contextd is needed and missing. Without quotes, because shells and JSON contain them. */
export const absence = {
  optional:
    'contextd: this project is set up for contextd, which is not installed here. This session works without it, and nothing is checked or scrubbed. To use it, install contextd and run ctxd init here; to turn off the hooks of projects, set disableAllHooks to true in your settings.',
  required:
    'contextd: this project requires contextd, which is not installed here. Install contextd, run ctxd init here and restart the client. Only the team can change that: ctxd init --shared, without --require.',
  missing:
    'contextd: contextd was used on this machine, but its program is not on the PATH of this client. Put it there, or install it again, and restart the client. If you no longer use contextd, delete its state folder.',
} as const
