/** For putting together, field by field, what nobody changes afterwards. */
export type Mutable<T> = { -readonly [key in keyof T]: T[key] }
