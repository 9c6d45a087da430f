/**
 * A kind of credential: its id, the recipe of its value, and the contexts of the value. A context with `§` is a whole
 * text; without it, the context is the name of the value. A kind without contexts is recognised by its value alone.
 */
export type Kind = readonly [id: string, value: string, ...contexts: string[]]
