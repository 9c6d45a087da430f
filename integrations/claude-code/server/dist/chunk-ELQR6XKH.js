import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function e(t){return t.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,p=>`\\u{${p.codePointAt(0)?.toString(16)}}`)}export{e as a};
