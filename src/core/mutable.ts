/** For building an object field by field that is read-only afterwards. */
export type Mutable<T> = { -readonly [key in keyof T]: T[key] }
