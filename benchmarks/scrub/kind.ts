/**
 * A kind of credential: its id, the recipe of its value, and where its value stands. A context with `§` is a whole text;
 * without, it is the name the value is stored under. A kind without contexts is known by its value alone.
 */
export type Kind = readonly [id: string, value: string, ...contexts: string[]]
