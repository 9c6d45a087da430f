/** The text that represents a secret: `[SECRET_` and its number in the session. */

export const tokenPattern = /\[SECRET_\d{1,9}\]/g

/** The prefix of every token. */
export const tokenStart = '[SECRET_'
