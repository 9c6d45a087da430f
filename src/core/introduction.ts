/** Explains tokens to an agent when it first sees one; otherwise it would take the token for a mistake in the text. */
export const introduction =
  '[SECRET_n] represents a secret that contextd removed from this text. Where the secret belongs, write its token: tools that the rules allow get the real value.'
