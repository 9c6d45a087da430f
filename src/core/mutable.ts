/** For building, field by field, an object that is read-only afterwards. */
export type Mutable<T> = { -readonly [key in keyof T]: T[key] }
